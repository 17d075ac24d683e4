import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpRequest, HttpResponse } from '../../../src/server/route.ts';
import { freePort } from '../../e2e/server-process.ts';
import { AMBIGUOUS_CHUNKS, AMBIGUOUS_HEADS, RARE_CHUNKS, SMUGGLED } from './framing-cases.ts';
import { RawConnection } from './raw-connection.ts';
import { type EngineName, get, openTestServer, post } from './server-under-test.ts';

/** A proxy that reuses connections to the server and blocks `/smuggled`. */
interface Proxy {
  readonly name: string;
  readonly program: string;
  readonly args: (configPath: string) => string[];
  readonly config: (dir: string, port: number, serverPort: number) => string;
}

const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    program: '/usr/sbin/nginx',
    args: (configPath) => ['-c', configPath, '-e', 'stderr'],
    config: (dir, port, serverPort) => `
daemon off; master_process off; pid ${dir}/pid; error_log ${dir}/error.log;
events { worker_connections 64; }
http {
  access_log off; client_body_temp_path ${dir}/body; proxy_temp_path ${dir}/proxy;
  fastcgi_temp_path ${dir}/f; uwsgi_temp_path ${dir}/u; scgi_temp_path ${dir}/s;
  upstream spandrel { server 127.0.0.1:${serverPort}; keepalive 4; }
  server {
    listen 127.0.0.1:${port};
    location /smuggled { return 403; }
    location / {
      proxy_pass http://spandrel;
      proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host;
      proxy_request_buffering off; proxy_buffering off;
    }
  }
}`,
  },
  {
    name: 'HAProxy',
    program: '/usr/sbin/haproxy',
    args: (configPath) => ['-f', configPath, '-db'],
    config: (_, port, serverPort) => `
defaults
  mode http
  timeout connect 5s
  timeout client 5s
  timeout server 5s
  http-reuse always
frontend all
  bind 127.0.0.1:${port}
  http-request deny if { path /smuggled }
  default_backend spandrel
backend spandrel
  server spandrel 127.0.0.1:${serverPort}
`,
  },
];

for (const proxy of PROXIES) {
  const isMissing = spawnSync(proxy.program, ['-v']).error !== undefined;
  for (const engine of ['uws', 'node'] as const) {
    describe(`HTTP on ${engine} behind ${proxy.name}`, { skip: isMissing && `${proxy.name} is not installed` }, () => {
      test('forwards requests with a length, chunked requests and streams', async (t) => {
        const { url } = await openBehind(t, proxy, engine);

        for (let round = 0; round < 3; round++) {
          assert.equal(await (await fetch(url)).text(), 'handled');
          assert.equal(await (await fetch(`${url}/body`, { method: 'POST', body: 'abc' })).text(), 'handled');
          const body = new Blob(['abc', 'def']).stream();
          const chunked = await fetch(`${url}/body`, { method: 'POST', body, duplex: 'half' } as RequestInit);
          assert.equal(await chunked.text(), 'handled');
          assert.equal(await (await fetch(`${url}/stream`)).text(), 'part '.repeat(3));
        }
      });

      test('handles only requests that the proxy allows', async (t) => {
        const { port, handled } = await openBehind(t, proxy, engine);

        for (const { what, text } of [...AMBIGUOUS_HEADS, ...AMBIGUOUS_CHUNKS, ...RARE_CHUNKS]) {
          const connection = await RawConnection.open(port);
          connection.send(text + SMUGGLED);
          await connection
            .until(({ text: came, isClosed }) => isClosed || came.includes('\r\n\r\n'), 2_000)
            .catch(() => {});
          // A request of another user over the reused connections must get its own response.
          const other = await fetch(`http://127.0.0.1:${port}/`);
          assert.equal(other.status, 200, what);
          assert.equal(await other.text(), 'handled', what);
          connection.close();
        }

        assert.deepEqual(
          handled.filter((path) => path !== '/' && path !== '/body'),
          [],
        );
      });
    });
  }
}

async function openBehind(t: TestContext, proxy: Proxy, engine: EngineName) {
  const handled: string[] = [];
  const handle = ({ path }: HttpRequest): HttpResponse => {
    handled.push(path);
    return { status: 200, body: 'handled' };
  };
  const parts = async function* () {
    for (let part = 0; part < 3; part++) {
      await sleep(5);
      yield Buffer.from('part ');
    }
  };
  const routes = [
    post('/body', handle),
    get('/smuggled', handle),
    get('/', handle),
    get('/stream', () => ({ status: 200, body: parts() })),
  ];
  const server = await openTestServer(t, engine, routes, { limits: { bodyStallMsMax: 500 } });
  const port = await freePort();
  const dir = await mkdtemp(join(tmpdir(), 'spandrel-proxy-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const configPath = join(dir, 'proxy.conf');
  await writeFile(configPath, proxy.config(dir, port, server.port));
  const child = spawn(proxy.program, proxy.args(configPath), { stdio: ['ignore', 'ignore', 'pipe'] });
  t.after(() => stop(child));
  await untilListening(child, port);
  return { port, url: `http://127.0.0.1:${port}`, handled };
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  let said = '';
  child.stderr!.on('data', (part: Buffer) => {
    said += part.toString();
  });
  for (let attempt = 0; attempt < 400; attempt++) {
    assert.equal(child.exitCode, null, said);
    const connection = await RawConnection.open(port).catch(() => undefined);
    if (connection !== undefined) return connection.close();
    await sleep(25);
  }
  throw new Error(`The proxy does not listen: ${said}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
