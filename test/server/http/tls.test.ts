import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { Registry } from 'prom-client';
import { loadUWebSockets } from '../../../native-bindings/uwebsockets.ts';
import { silentLog } from '../../../src/base/log.ts';
import { PARSER_HEADER_BYTES_MAX } from '../../../src/model/limits/requests.ts';
import { openGrpcServer } from '../../../src/server/grpc/grpc-server.ts';
import { textResponse } from '../../../src/server/route.ts';
import { RawConnection } from './raw-connection.ts';
import { type EngineName, get, openTestServer } from './server-under-test.ts';

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
const skip = hasOpenssl ? false : 'there is no openssl here to make a certificate with';
const engines: EngineName[] = loadUWebSockets(PARSER_HEADER_BYTES_MAX).state === 'loaded' ? ['uws', 'node'] : ['node'];

/** First bytes of a TLS handshake. */
async function clientHello(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connectTls({
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    servername: 'localhost',
  });
  client.on('error', () => {});
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  client.destroy();
  socket.destroy();
  server.close();
  return bytes.toString('latin1');
}

describe('TLS', { skip }, () => {
  let dir = '';
  const file = (name: string) => join(dir, name);
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'spandrel-tls-'));
    const make = (name: string, ...key: string[]) =>
      execFileSync(
        'openssl',
        ['req', '-x509', '-newkey', 'rsa:2048', '-days', '2', '-subj', '/CN=localhost', '-addext']
          .concat(['subjectAltName=DNS:localhost,IP:127.0.0.1', '-keyout', file(`${name}.key`)])
          .concat(['-out', file(`${name}.pem`), ...key]),
        { stdio: 'ignore' },
      );
    make('server', '-passout', 'pass:secret');
    make('client', '-nodes');
  });
  after(() => rmSync(dir, { recursive: true, force: true }));
  const tls = () => ({ certFile: file('server.pem'), keyFile: file('server.key'), keyFilePassword: 'secret' });
  const mutual = () => ({ ...tls(), caFile: file('client.pem'), verifiesClient: true });
  const asClient = () => ({ cert: readFileSync(file('client.pem')), key: readFileSync(file('client.key')) });

  const ask = (port: number, identity: object = {}) =>
    new Promise<number>((resolve, reject) => {
      const ca = readFileSync(file('server.pem'));
      const sent = request({ host: 'localhost', port, family: 4, ca, agent: false, ...identity }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode!));
      });
      sent.on('error', reject);
      sent.end();
    });

  for (const engine of engines) {
    test(`serves HTTPS on ${engine}, with a key under a password`, async (t) => {
      const { port, address } = await openTestServer(t, engine, [get('/', () => textResponse(200, 'OK'))], {
        tls: tls(),
      });

      assert.equal(await ask(port), 200);
      assert.match(address, /^https:/);
    });

    test(`survives data that is not TLS on ${engine}, and continues to serve other clients`, async (t) => {
      const { port, errors } = await openTestServer(t, engine, [get('/', () => textResponse(200, 'OK'))], {
        tls: tls(),
      });
      const hello = await clientHello();
      const attacks = [
        'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
        randomBytes(4_096).toString('latin1'),
        '\x16\x03\x01\xff\xff',
        hello.slice(0, 40),
        hello,
        hello + randomBytes(500).toString('latin1'),
        hello.slice(0, 60) + randomBytes(hello.length - 60).toString('latin1'),
      ];

      const held: RawConnection[] = [];
      for (let round = 0; round < 20; round++) {
        for (const attack of attacks) {
          const connection = await RawConnection.open(port);
          connection.send(attack);
          if (round % 2 === 0) held.push(connection);
          else connection.close();
        }
        assert.equal(await ask(port), 200, `round ${round}`);
      }
      for (const connection of held) connection.close();

      assert.equal(await ask(port), 200);
      assert.deepEqual(errors, []);
    });

    test(`names the file that ${engine} cannot read`, async (t) => {
      const missing = { ...tls(), certFile: file('nowhere.pem') };

      await assert.rejects(openTestServer(t, engine, [], { tls: missing }), /nowhere.pem/);
    });
  }

  test('requires client certificates, and then always uses node:http', async (t) => {
    const routes = [get('/', () => textResponse(200, 'OK'))];
    const server = await openTestServer(t, 'node', routes, { engine: 'auto', tls: mutual() });

    assert.equal(server.engine, 'node');
    assert.equal(await ask(server.port, asClient()), 200);
    await assert.rejects(ask(server.port));
    await assert.rejects(openTestServer(t, 'uws', routes, { tls: mutual() }), /client certificates/);
  });

  test('serves gRPC, and requires client certificates', async (t) => {
    const handle = async ({ message }: { message: Uint8Array }) => message;
    const server = await openGrpcServer({
      methods: [{ path: '/a.B/C', access: 'open', handle }],
      host: '127.0.0.1',
      port: 0,
      tls: mutual(),
      log: silentLog,
      registry: new Registry(),
      limits: { drainMsMax: 100 },
    });
    t.after(() => server.close());
    const same = (bytes: Buffer) => bytes;
    const call = (key: Buffer | null, cert: Buffer | null) => {
      const client = new Client(
        `localhost:${server.port}`,
        credentials.createSsl(readFileSync(file('server.pem')), key, cert),
      );
      t.after(() => client.close());
      return new Promise<string>((resolve, reject) => {
        const deadline = { deadline: Date.now() + 5_000 };
        client.makeUnaryRequest('/a.B/C', same, same, Buffer.from('hi'), new Metadata(), deadline, (error, reply) =>
          error ? reject(error) : resolve(reply!.toString()),
        );
      });
    };

    assert.equal(await call(asClient().key, asClient().cert), 'hi');
    await assert.rejects(call(null, null));
  });
});
