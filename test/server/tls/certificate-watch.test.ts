import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { isIP } from 'node:net';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { Registry } from 'prom-client';
import { loadUWebSockets } from '../../../native-bindings/uwebsockets.ts';
import { type Log, silentLog } from '../../../src/base/log.ts';
import { PARSER_HEADER_BYTES_MAX } from '../../../src/model/limits/requests.ts';
import { openGrpcServer } from '../../../src/server/grpc/grpc-server.ts';
import { textResponse } from '../../../src/server/route.ts';
import { type EngineName, get, openTestServer } from '../http/server-under-test.ts';
import { type CertificateDirectory, NO_OPENSSL, openCertificateDirectory } from './certificates.ts';

const engines: EngineName[] = loadUWebSockets(PARSER_HEADER_BYTES_MAX).state === 'loaded' ? ['uws', 'node'] : ['node'];
const tlsPollMs = 20;

interface Reply {
  readonly status: number;
  /** Common name of the server's certificate. */
  readonly certificate: string;
}

/** Collects the log lines of a server and waits for one. */
function openLog(): { readonly log: Log; readonly next: (text: RegExp) => Promise<string> } {
  const lines: string[] = [];
  let position = 0;
  const write = (fields: object, message: string) =>
    void lines.push(`${message} ${'err' in fields ? String(fields.err) : ''}`);
  const log: Log = { ...silentLog, info: write, warn: write, error: write, child: () => log };
  return {
    log,
    /** Waits for a line after the previous one that was waited for. */
    async next(text) {
      for (;;) {
        const found = lines.findIndex((line, index) => index >= position && text.test(line));
        if (found !== -1) {
          position = found + 1;
          return lines[found] ?? '';
        }
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  };
}

describe('TLS files that change', { skip: NO_OPENSSL, timeout: 60_000 }, () => {
  let files: CertificateDirectory;
  before(() => {
    files = openCertificateDirectory();
    files.makeAuthority('authority');
    files.makeAuthority('authority-two');
    for (const name of ['one', 'two', 'client']) files.make(name, { authority: 'authority' });
    files.make('client-two', { authority: 'authority-two' });
  });
  after(() => files.remove());

  /** A server's certificate files of a test, with the certificate `one`. */
  function makeFiles(t: TestContext) {
    const prefix = t.name.replace(/\W+/g, '-');
    const names = { cert: `${prefix}.pem`, key: `${prefix}.key`, ca: `${prefix}-ca.pem` };
    const use = (name: string) => files.install({ [names.key]: `${name}.key`, [names.cert]: `${name}.pem` });
    use('one');
    files.install({ [names.ca]: 'authority.pem' });
    const tls = { certFile: files.path(names.cert), keyFile: files.path(names.key), caFile: files.path(names.ca) };
    return { tls, use, useAuthority: (name: string) => files.install({ [names.ca]: `${name}.pem` }) };
  }

  const ask = (port: number, { agent, host = 'localhost', identity = {} }: AskOptions = {}) =>
    new Promise<Reply>((resolve, reject) => {
      const ca = files.read('authority.pem');
      const servername = isIP(host) === 0 ? host : '';
      const options = { host, port, family: 4, ca, agent: agent ?? false, servername, ...identity };
      const sent = request(options, (response) => {
        const { subject } = (response.socket as TLSSocket).getPeerCertificate();
        const certificate = String(subject?.CN);
        response.resume();
        response.on('end', () => resolve({ status: response.statusCode ?? 0, certificate }));
      });
      sent.on('error', reject);
      sent.end();
    });

  for (const engine of engines) {
    test(`${engine} uses them for further connections, with and without a server name`, async (t) => {
      const { tls, use } = makeFiles(t);
      const { log, next } = openLog();
      const { port } = await openTestServer(t, engine, [get('/', () => textResponse(200, 'OK'))], {
        ...{ tls, tlsPollMs, log },
      });
      assert.deepEqual(await ask(port), { status: 200, certificate: 'one' });

      for (const name of ['two', 'one', 'two']) {
        use(name);
        await next(/New connections use the changed TLS files/);
        for (const host of ['localhost', '127.0.0.1']) {
          assert.deepEqual(await ask(port, { host }), { status: 200, certificate: name }, host);
        }
      }
    });

    test(`${engine} loses no request while they change`, async (t) => {
      const { tls, use } = makeFiles(t);
      const { log, next } = openLog();
      const { port } = await openTestServer(t, engine, [get('/', () => textResponse(200, 'OK'))], {
        ...{ tls, tlsPollMs, log },
      });
      let isOver = false;
      let count = 0;
      const agent = new Agent({ keepAlive: true, maxSockets: 4 });
      t.after(() => agent.destroy());
      const load = Array.from({ length: 8 }, async (_, index) => {
        while (!isOver) {
          // Half of them open a connection for each request.
          const reply = await ask(port, index % 2 === 0 ? {} : { agent });
          assert.equal(reply.status, 200);
          count++;
        }
      });
      const changes = (async () => {
        for (const name of ['two', 'one', 'two', 'one', 'two', 'one']) {
          const before = count;
          use(name);
          await next(/New connections use the changed TLS files/);
          while (count < before + 20) await new Promise((resolve) => setTimeout(resolve, 5));
        }
        isOver = true;
      })();

      await Promise.all([changes, ...load]);
      assert.ok(count >= 120);
    });

    test(`${engine} keeps the previous files when the new ones are broken, and reports the problem`, async (t) => {
      const { tls, use } = makeFiles(t);
      const { log, next } = openLog();
      const { port } = await openTestServer(t, engine, [get('/', () => textResponse(200, 'OK'))], {
        ...{ tls, tlsPollMs, log },
      });

      writeFileSync(tls.certFile, 'no certificate');
      assert.match(await next(/previous ones stay in use.*cannot be used/), new RegExp(tls.certFile));
      assert.equal((await ask(port)).certificate, 'one');

      writeFileSync(tls.certFile, files.read('two.pem'));
      await next(/previous ones stay in use.*mismatch/);
      assert.equal((await ask(port)).certificate, 'one');

      use('two');
      await next(/New connections use the changed TLS files/);
      assert.equal((await ask(port)).certificate, 'two');
    });
  }

  test('HTTP verifies client certificates by a changed authority', async (t) => {
    const { tls, useAuthority } = makeFiles(t);
    const { log, next } = openLog();
    const { port } = await openTestServer(t, 'node', [get('/', () => textResponse(200, 'OK'))], {
      ...{ tls: { ...tls, verifiesClient: true }, engine: 'auto', tlsPollMs, log },
    });
    const as = (name: string) => ({ identity: { cert: files.read(`${name}.pem`), key: files.read(`${name}.key`) } });
    assert.equal((await ask(port, as('client'))).status, 200);
    await assert.rejects(ask(port, as('client-two')));
    await assert.rejects(ask(port));

    useAuthority('authority-two');
    await next(/New connections use the changed TLS files/);

    assert.equal((await ask(port, as('client-two'))).status, 200);
    await assert.rejects(ask(port, as('client')));
    await assert.rejects(ask(port));
  });

  test('gRPC uses changed files for further connections, and verifies clients by a changed authority', async (t) => {
    const { tls, use, useAuthority } = makeFiles(t);
    const { log, next } = openLog();
    const server = await openGrpcServer({
      methods: [{ path: '/a.B/C', access: 'open', handle: async ({ message }) => message }],
      ...{ host: '127.0.0.1', port: 0, tls: { ...tls, verifiesClient: true }, tlsPollMs, log },
      registry: new Registry(),
      limits: { drainMsMax: 100 },
    });
    t.after(() => server.close());
    const same = (bytes: Buffer) => bytes;
    const openClient = (name: string | undefined, certificates: string[]) => {
      const [key, cert] = name === undefined ? [null, null] : [files.read(`${name}.key`), files.read(`${name}.pem`)];
      const checkServerIdentity = (_host: string, { subject }: { subject: { CN?: string | string[] } }) =>
        void certificates.push(String(subject.CN));
      const channel = credentials.createSsl(files.read('authority.pem'), key, cert, { checkServerIdentity });
      const client = new Client(`localhost:${server.port}`, channel, { 'grpc.use_local_subchannel_pool': 1 });
      t.after(() => client.close());
      return client;
    };
    const call = (client: Client) =>
      new Promise<string>((resolve, reject) => {
        const deadline = { deadline: Date.now() + 10_000 };
        client.makeUnaryRequest('/a.B/C', same, same, Buffer.from('hi'), new Metadata(), deadline, (error, reply) =>
          error ? reject(error) : resolve(String(reply)),
        );
      });
    const seen: string[] = [];
    const open = openClient('client', seen);
    assert.equal(await call(open), 'hi');
    await assert.rejects(call(openClient('client-two', [])));
    await assert.rejects(call(openClient(undefined, [])));

    use('two');
    await next(/New connections use the changed TLS files/);
    assert.equal(await call(openClient('client', seen)), 'hi');
    useAuthority('authority-two');
    await next(/New connections use the changed TLS files/);

    assert.equal(await call(openClient('client-two', seen)), 'hi');
    await assert.rejects(call(openClient('client', [])));
    assert.equal(await call(open), 'hi', 'an open connection stays usable');
    assert.deepEqual(seen, ['one', 'two', 'two']);
  });
});

interface AskOptions {
  readonly agent?: Agent;
  readonly host?: string;
  readonly identity?: object;
}
