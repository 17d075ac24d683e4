import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import { openCuttingProxy } from '../web/cutting-proxy.ts';
import type { ExperimentWorld } from './typescript-experiments.ts';

const KEY = 'secret-key-0123456789';

/** What servers that are none answer, and what the error says. */
const ANSWERS: readonly { what: string; answer: (response: ServerResponse) => void; name: string; message: RegExp }[] =
  [
    {
      what: 'an HTML page',
      answer: (response) => response.setHeader('content-type', 'text/html').end('<html>sign in</html>'),
      name: 'AnswerError',
      message: /HTML page, expected JSON/,
    },
    {
      what: 'an HTML error',
      answer: (response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<!doctype html><h1>404</h1>'),
      name: 'HttpError',
      message: /404 Not Found: an HTML page came/,
    },
    {
      what: 'half a document',
      answer: (response) => response.setHeader('content-type', 'application/json').end('{"data": [{"na'),
      name: 'AnswerError',
      message: /no complete JSON document/,
    },
    {
      what: 'a connection that ends early',
      answer: (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"data": [');
        setImmediate(() => response.destroy());
      },
      name: 'ConnectionError',
      message:
        /Could not get a response from .* after 2 attempts: the connection ended before the whole response was there/,
    },
    {
      what: 'an older server',
      answer: (response) =>
        response.writeHead(404, { 'x-phoenix-server-version': '12.0.0' }).end(JSON.stringify({ detail: 'Not Found' })),
      name: 'HttpError',
      message:
        /404 Not Found: Not Found\. The server, of version 12\.0\.0, does not know this call\. .*update the server\.$/,
    },
    {
      what: 'another protocol',
      answer: (response) => response.socket?.end('\0\0\x12\x04 no HTTP'),
      name: 'ConnectionError',
      message: /does not speak HTTP \(it may be the port of gRPC\)/,
    },
    {
      what: 'silence',
      answer: () => undefined,
      name: 'ConnectionError',
      message: /no byte came for 0\.2 s/,
    },
    {
      what: 'an error that repeats the key',
      answer: (response) =>
        response.writeHead(401, { 'x-request-id': 'r-1' }).end(JSON.stringify({ detail: `bad key ${KEY}` })),
      name: 'HttpError',
      message: /401 Unauthorized: bad key \*\*\* \(request r-1\)\. Set SPANDREL_API_KEY/,
    },
    {
      what: 'an expired key',
      answer: (response) =>
        response
          .writeHead(401, { 'x-spandrel-error-code': 'CREDENTIAL_EXPIRED' })
          .end(JSON.stringify({ detail: 'Expired token' })),
      name: 'HttpError',
      message:
        /401 Unauthorized: Expired token\. The key has expired: create another one and set SPANDREL_API_KEY to it\.$/,
    },
  ];

/** Tests of wrong addresses, broken answers and settings. */
export function testBadInput({ serverUrl, installed }: Pick<ExperimentWorld, 'serverUrl' | 'installed'>): void {
  describe('what comes from outside', () => {
    for (const { what, answer, name, message } of ANSWERS) {
      test(`is one clear line: ${what}`, async (t) => {
        const { createClient } = await installed().load('.');
        const { getProjects } = await installed().load('./projects');
        const server = createServer((_, response) => answer(response));
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        t.after(() => {
          server.closeAllConnections();
          server.close();
        });
        const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        const client = createClient({
          options: { baseUrl, apiKey: KEY, retry: { attemptCountMax: 2, silenceMs: 200 } },
        });

        const error = await getProjects({ client }).then(
          () => assert.fail('an error was expected'),
          (reason: unknown) => reason as Error,
        );

        assert.equal(error.name, name);
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /\n/);
        assert.ok(!`${error.message} ${error.stack} ${JSON.stringify(error)}`.includes(KEY));
        // What Node prints of an error that nobody catches.
        assert.doesNotMatch(inspect(error), /Response|Headers/);
      });
    }

    const answering = async (t: TestContext, answer: (response: ServerResponse) => void) => {
      const server = createServer((_, response) => answer(response));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      t.after(() => {
        server.closeAllConnections();
        server.close();
      });
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    };

    test('is one clear line: a server that wants a key when none is set', async (t) => {
      const { createClient } = await installed().load('.');
      const { getProjects } = await installed().load('./projects');
      const baseUrl = await answering(t, (response) => response.writeHead(401).end('{"detail": "Invalid token"}'));

      await assert.rejects(
        getProjects({ client: createClient({ options: { baseUrl, headers: {} } }) }),
        /401 Unauthorized: Invalid token\. No key was sent: set SPANDREL_API_KEY to a key of this server\.$/,
      );
    });

    test('is one warning: a clock that is wrong by a day', async (t) => {
      const { createClient } = await installed().load('.');
      const { getProjects } = await installed().load('./projects');
      const warningsAt = async (offsetMs: number) => {
        const date = new Date(Date.now() + offsetMs).toUTCString();
        const baseUrl = await answering(t, (response) =>
          response
            .writeHead(200, { date, 'content-type': 'application/json' })
            .end('{"data": [], "next_cursor": null}'),
        );
        const warnings: string[] = [];
        const options = { baseUrl, headers: {}, warn: (message: string) => warnings.push(message) };
        const client = createClient({ options });
        await getProjects({ client });
        await getProjects({ client });
        return warnings;
      };

      assert.deepEqual(await warningsAt(-60_000), []);
      const [ahead, ...more] = await warningsAt(-86_400_000);
      assert.match(
        ahead ?? '',
        /^The clock of this machine is 24 hours ahead of that of http:\S+, so .* Turn on time sync/,
      );
      assert.deepEqual(more, []);
      assert.match((await warningsAt(600_000))[0] ?? '', /is 10 minutes behind that of/);
    });

    test('is an error before a request for wrong arguments', async () => {
      const { createClient, ArgumentError } = await installed().load('.');
      const { getSpans } = await installed().load('./spans');
      const client = createClient({ options: { baseUrl: serverUrl() } });

      for (const baseUrl of ['localhost:6006', 'ftp://host', 'nothing', 'http://user:pass@host']) {
        assert.throws(() => createClient({ options: { baseUrl } }), ArgumentError);
      }
      const misplaced = { baseUrl: serverUrl() } as Parameters<typeof createClient>[0];
      assert.throws(
        () => createClient(misplaced),
        /createClient has no option "baseUrl"\. Expected createClient\(\{ options/,
      );
      const misspelled = { options: { baseURL: serverUrl() } } as Parameters<typeof createClient>[0];
      assert.throws(() => createClient(misspelled), /no option "baseURL"/);
      await assert.rejects(getSpans({ client, project: 'a/b' }), /no \/ \? #/);
      await assert.rejects(getSpans({ client }), /SPANDREL_PROJECT/);
      await assert.rejects(getSpans({ client, project: 'x', attributes: { score: Number.NaN } }), /finite/);
      await assert.rejects(getSpans({ client, project: 'x', startTime: new Date('?') }), /startTime is no valid date/);
    });

    test('ends with the reason of a signal', async () => {
      const { createClient } = await installed().load('.');
      const { getProjects } = await installed().load('./projects');
      const client = createClient({ options: { baseUrl: 'http://127.0.0.1:9' } });
      const controller = new AbortController();
      const reading = getProjects({ client, signal: controller.signal }).then(null, (reason: unknown) => reason);
      setTimeout(() => controller.abort(new Error('enough')), 20);

      assert.equal(((await reading) as Error).message, 'enough');
    });

    test('creates once when the response to a creation is lost', async (t) => {
      const { createClient } = await installed().load('.');
      const { createPrompt, listPromptVersions, promptVersion } = await installed().load('./prompts');
      const proxy = await openCuttingProxy(t, serverUrl());
      const client = createClient({ options: { baseUrl: proxy.url } });
      const version = promptVersion({
        modelProvider: 'OPENAI',
        modelName: 'm',
        template: [{ role: 'user', content: 'hi' }],
      });
      const isCut = proxy.cutResponseAfter(1);
      const made = await createPrompt({ client, name: 'made-once', version });
      await isCut;

      assert.deepEqual(
        (await listPromptVersions({ client, promptIdentifier: 'made-once' })).map(({ id }) => id),
        [made.id],
      );
    });

    test('is read from the environment and the hand-off file', async (t) => {
      const { createClient } = await installed().load('.');
      const folder = await mkdtemp(join(tmpdir(), 'spandrel-settings-'));
      const before = process.cwd();
      const names = [
        'SPANDREL_ENDPOINT',
        'PHOENIX_ENDPOINT',
        'PHOENIX_HOST',
        'PHOENIX_API_KEY',
        'SPANDREL_PROJECT',
        'PHOENIX_COLLECTOR_ENDPOINT',
      ];
      t.after(() => {
        process.chdir(before);
        for (const name of names) delete process.env[name];
        return rm(folder, { recursive: true });
      });
      const lines = [
        '# written by a tool',
        'export PHOENIX_ENDPOINT="http://file:1/base/"',
        'PHOENIX_PROJECT=filed',
        'OTHER=1',
      ];
      await writeFile(join(folder, '.env.phoenix'), lines.join('\n'), { mode: 0o600 });
      const sent: Request[] = [];
      const configOf = (warn: (message: string) => void = (message) => assert.fail(message)) =>
        createClient({ options: { warn } }).config;

      assert.deepEqual(configOf(), {
        baseUrl: 'http://localhost:6006',
        baseUrlSource: 'default',
        projectName: undefined,
      });
      process.env.PHOENIX_COLLECTOR_ENDPOINT = 'http://collector:4/v1/traces/';
      assert.equal(configOf().baseUrl, 'http://collector:4');
      process.env.PHOENIX_HOST = '0.0.0.0';
      delete process.env.PHOENIX_COLLECTOR_ENDPOINT;
      assert.equal(configOf().baseUrl, 'http://127.0.0.1:6006');
      process.chdir(folder);
      assert.deepEqual(configOf(), {
        baseUrl: 'http://file:1/base',
        baseUrlSource: 'environment',
        projectName: 'filed',
      });
      process.env.PHOENIX_ENDPOINT = 'http://process:2';
      process.env.SPANDREL_ENDPOINT = 'http://localhost:3';
      process.env.SPANDREL_PROJECT = 'own';
      process.env.PHOENIX_API_KEY = KEY;
      assert.deepEqual(configOf(), { baseUrl: 'http://localhost:3', baseUrlSource: 'environment', projectName: 'own' });
      const fetch = async (request: Request) => {
        sent.push(request);
        return new Response('1.2.3');
      };
      await createClient({ options: { fetch } }).getServerVersion();
      assert.equal(sent[0]?.headers.get('authorization'), `Bearer ${KEY}`);
      await createClient({ options: { fetch, headers: { 'X-Own': '1' } } }).getServerVersion();
      assert.equal(sent[1]?.headers.get('authorization'), null);
      process.env.SPANDREL_ENDPOINT = 'http://far-away';
      const warnings: string[] = [];
      configOf((message) => void warnings.push(message));
      assert.match(warnings[0] ?? '', /without encryption/);
      assert.ok(!warnings.join().includes(KEY));
    });
  });
}
