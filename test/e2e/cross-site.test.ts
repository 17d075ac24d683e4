import assert from 'node:assert/strict';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { BROWSER_PATH, NO_BROWSER } from '../web/browser.ts';
import { freePort, makeDataDir, type Ports, removeDataDir, type ServerProcess, startServer } from './server-process.ts';

/** Result of a hostile page: the status if it may read the response, or the error of the browser. */
const attempt = (page: Page, url: string, init: RequestInit = {}): Promise<string> =>
  page.evaluate(
    async ([target, options]) => {
      try {
        const response = await fetch(target as string, options as RequestInit);
        return `${response.status} ${(await response.text()).slice(0, 60)}`;
      } catch (error) {
        return String(error);
      }
    },
    [url, init] as const,
  );

const projectNames = async (server: ServerProcess): Promise<string[]> => {
  const { data } = (await (await fetch(`${server.url}/v1/projects`)).json()) as { data: { name: string }[] };
  return data.map(({ name }) => name);
};

/** A span as the server exports it. */
const SPAN_LINE = JSON.stringify({
  name: 'x',
  trace_id: '1'.repeat(32),
  span_id: '2'.repeat(16),
  start_time_unix_nano: '1',
  end_time_unix_nano: '2',
});
const FORM_FIELDS = { name: 'planted', action: 'create', 'input_keys[]': 'question' } as const;
const FORM_FILE = { name: 'planted.csv', type: 'text/csv', text: 'question\nwhy\n' } as const;

describe('pages of other sites', { skip: NO_BROWSER }, () => {
  test('can neither write nor read with any content type that needs no preflight request', async (t) => {
    const server = await running(t);
    const site = await openForeignSite();
    t.after(site.close);
    const page = await openAt(t, site.url);
    const mutation = 'mutation{createProject(input:{name:"planted"}){__typename}}';

    const bodies: [path: string, type: string, body: string][] = [
      ['/v1/projects/imported/spans/import', 'text/plain', SPAN_LINE],
      ['/v1/projects', 'text/plain', '{"name":"planted"}'],
      ['/v1/traces', 'text/plain', '{"resourceSpans":[]}'],
      ['/graphql', 'text/plain', JSON.stringify({ query: mutation })],
      ['/v1/datasets/upload', 'application/x-www-form-urlencoded', 'name=planted&action=create'],
    ];
    for (const [path, type, body] of bodies) {
      await attempt(page, server.url + path, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
        mode: 'no-cors',
      });
    }
    await submitForm(page, `${server.url}/v1/datasets/upload?sync=true`);

    assert.deepEqual(await projectNames(server), ['default']);
    const { data } = (await (await fetch(`${server.url}/v1/datasets`)).json()) as { data: unknown[] };
    assert.deepEqual(data, []);
    assert.match(await attempt(page, `${server.url}/v1/projects`), /Failed to fetch/);
    assert.match(server.output(), /Rejected a browser request because of its origin or host name/);

    // The same import and upload are fine where no page sends them.
    const form = new FormData();
    for (const [name, value] of Object.entries(FORM_FIELDS)) form.append(name, value);
    form.append('file', new File([FORM_FILE.text], FORM_FILE.name, { type: FORM_FILE.type }));
    for (const [path, body] of [
      ['/v1/projects/imported/spans/import', SPAN_LINE],
      ['/v1/datasets/upload?sync=true', form],
    ] as const) {
      const response = await fetch(server.url + path, { method: 'POST', body });
      assert.equal(response.status, 200, await response.text());
    }
    assert.ok((await projectNames(server)).includes('imported'));
  });

  test('have no access by their own host name that points at this machine', async (t) => {
    const ports = { http: await freePort(), grpc: await freePort() };
    const site = await openForeignSite(ports.http);
    const page = await openAt(t, site.url);
    // The name now resolves to this server instead of the site, and to the browser it is the same origin.
    await site.close();
    const server = await running(t, ports);

    for (const referrerPolicy of ['no-referrer', 'unsafe-url'] as const) {
      assert.match(await attempt(page, '/v1/projects', { referrerPolicy }), /^403 Browsers may not use this server/);
      const write = { method: 'POST', body: '{"name":"planted"}', headers: { 'content-type': 'application/json' } };
      assert.match(await attempt(page, '/v1/projects', { ...write, referrerPolicy }), /^403 /);
      const forged = { 'accept-language': '', 'x-forwarded-host': 'localhost', 'user-agent': 'curl/8' };
      assert.match(await attempt(page, '/v1/projects', { headers: forged, referrerPolicy }), /^403 /);
    }
    assert.deepEqual(await projectNames(server), ['default']);
  });

  test('do not affect pages of the server, which create and delete a project at the machine name', async (t) => {
    const server = await running(t);
    const { port } = new URL(server.url);
    const page = await openAt(t, `http://spandrel.lan:${port}/`);

    const body = JSON.stringify({ name: 'made-by-an-own-page' });
    const made = await attempt(page, '/v1/projects', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });

    assert.match(made, /^200 /);
    assert.match(await attempt(page, '/v1/projects/made-by-an-own-page', { method: 'DELETE' }), /^204/);
  });
});

test('protects its journal from other users of the machine, even in a directory that they can read', async (t) => {
  const dataDir = await makeDataDir({ isEmpty: true });
  const dir = join(dataDir, 'journal');
  await mkdir(dir, { recursive: true, mode: 0o755 });
  t.after(() => removeDataDir(dataDir));
  const server = await startServer({ dataDir });
  t.after(() => server.stop());
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

  assert.equal(await modeOf(dir), '700');
  const segments = (await readdir(dir)).filter((name) => name.endsWith('.segment'));
  assert.ok(segments.length > 0);
  for (const name of segments) assert.equal(await modeOf(join(dir, name)), '600', name);
});

async function running(t: TestContext, ports?: Ports): Promise<ServerProcess> {
  const server = await startServer(ports === undefined ? {} : { ports });
  t.after(() => server.stop());
  return server;
}

let launched: Promise<Browser> | undefined;
after(async () => (await launched)?.close());

/** A page at this address, in a browser that resolves all names under `.example` and `.lan` to this machine. */
async function openAt(t: TestContext, url: string): Promise<Page> {
  launched ??= chromium.launch({
    executablePath: BROWSER_PATH!,
    args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP *.example 127.0.0.1, MAP *.lan 127.0.0.1'],
  });
  const browser = await launched;
  // The headless shell sends `accept-language` only on request. Every browser of a user sends it.
  const page = await browser.newPage({ locale: 'en-US' });
  t.after(() => page.close());
  await page.goto(url);
  return page;
}

/** Another site, by its host name. */
async function openForeignSite(port = 0): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const site = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<title>hostile</title>');
  });
  await new Promise<void>((resolve) => site.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://evil.example:${(site.address() as AddressInfo).port}/`,
    async close() {
      site.closeAllConnections();
      await new Promise((resolve) => site.close(resolve));
    },
  };
}

/** A form with a file, which browsers send to any site. */
async function submitForm(page: Page, action: string): Promise<void> {
  const fields = Object.entries(FORM_FIELDS).map(([name, value]) => `<input name="${name}" value="${value}">`);
  await page.setContent(
    `<form method="post" enctype="multipart/form-data" action="${action}">${fields.join('')}<input type="file" name="file"><button>Go</button></form>`,
  );
  const { name, type, text } = FORM_FILE;
  await page.setInputFiles('[name=file]', { name, mimeType: type, buffer: Buffer.from(text) });
  await page.click('button');
  await page.waitForURL(action);
  await page.goBack();
}
