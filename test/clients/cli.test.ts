import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cleanUpAfter, temporaryDirectory } from '../metadata-store/fixtures.ts';
import { approve } from '../api/access/application.ts';
import { ADMIN_SECRET, postJson, SECRET, sessionOf, toClient } from '../api/access/signed-in-server.ts';
import { type ServerProcess, startServer } from '../e2e/server-process.ts';

const PACKAGE = fileURLToPath(new URL('../../../clients/typescript/cli', import.meta.url));
const PROGRAM = join(PACKAGE, 'dist/main.js');
const TRACE = '0123456789abcdef0123456789abcdef';

interface Result {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

describe('the command line client', () => {
  const cleanUp = cleanUpAfter(after);
  let server: ServerProcess;
  let folder: string;
  let key: string;

  before(async () => {
    folder = await temporaryDirectory(cleanUp);
    const env = { SERVICE_ENABLE_AUTH: 'true', SERVICE_SECRET: SECRET, SERVICE_ADMIN_SECRET: ADMIN_SECRET };
    server = await startServer({ dataDir: join(folder, 'data'), env });
    cleanUp(() => server.kill9());
    const admin = toClient(server.url, { bearer: ADMIN_SECRET });
    const user = { auth_method: 'LOCAL', email: 'c@example.com', username: 'c', role: 'MEMBER', password: 'word-1' };
    await admin.call('POST', '/v1/users', { user });
    const { access } = sessionOf(await postJson(`${server.url}/auth/login`, { email: user.email, password: 'word-1' }));
    const { json } = await toClient(server.url, { bearer: access }).call('POST', '/v1/user/api_keys', {
      data: { name: 'cli' },
    });
    key = (json as { data: { key: string } }).data.key;
    const start = Date.now() - 60_000;
    const span = (id: string, name: string, parent?: string) => ({
      ...{ name, context: { trace_id: TRACE, span_id: id }, status_message: '', span_kind: 'CHAIN', parent_id: parent },
      ...{ start_time: new Date(start).toISOString(), end_time: new Date(start + 1_500).toISOString() },
      ...{ status_code: parent ? 'ERROR' : 'OK', attributes: { 'session.id': 's/1?' } },
    });
    const data = [
      span('00000000000000a1', 'answer \u001b[31mred'),
      span('00000000000000a2', 'look up', '00000000000000a1'),
    ];
    assert.equal(
      (await toClient(server.url, { bearer: key }).call('POST', '/v1/projects/demo/spans', { data })).status,
      202,
    );
    const made = await run('project', 'create', 'second');
    assert.equal(made.code, 0, made.err);
  });

  const environment = (more: Record<string, string> = {}) => ({
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    HOME: folder,
    SPANDREL_ENDPOINT: server.url,
    SPANDREL_API_KEY: key,
    ...more,
  });

  function run(...args: readonly string[]): Promise<Result> {
    return runWith({}, ...args);
  }

  function runWith(env: Record<string, string>, ...args: readonly string[]): Promise<Result> {
    const options = { cwd: folder, env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] as const };
    return ended(spawn(process.execPath, [PROGRAM, ...args], { ...options, stdio: [...options.stdio] }));
  }

  test('lists and shows what the server has', async () => {
    const listed = await run('projects', 'list', '--json', '--fields', 'name');
    assert.deepEqual(
      new Set((JSON.parse(listed.out) as { name: string }[]).map(({ name }) => name)),
      new Set(['default', 'demo', 'second']),
    );
    const trace = await run('trace', 'get', TRACE);
    assert.match(trace.out, /CHAIN answer \ufffd\[31mred +1\.50 s\n└─ CHAIN look up +1\.50 s +✗\n$/);
    assert.ok(!trace.out.includes('\u001b'), 'names of the server do not reach the terminal as they are');
    const short = await run(
      'trace',
      'get',
      TRACE.slice(0, 6),
      '--project',
      'demo',
      '--format',
      'raw',
      '--fields',
      'traceId,status',
    );
    assert.equal(short.out, `{"traceId":"${TRACE}","status":"ERROR"}\n`);
    const lines = await run(
      'span',
      'list',
      '--project',
      'demo',
      '--status-code',
      'ERROR',
      '--jsonl',
      '--fields',
      'name',
    );
    assert.equal(lines.out, '{"name":"look up"}\n');
    const session = await run('session', 'get', 's/1?', '--json', '--fields', 'session_id');
    assert.deepEqual(JSON.parse(session.out), { session_id: 's/1?' });
  });

  test('annotates, and deletes only when deletions are enabled and confirmed', async () => {
    const annotated = await run('span', 'annotate', '00000000000000a2', '--name', 'right', '--score', '-0.5', '--json');
    assert.equal((JSON.parse(annotated.out) as { score: number }).score, -0.5);
    const shown = await run(
      'span',
      'list',
      '--project',
      'demo',
      '--span-id',
      '00000000000000a2',
      '--include-annotations',
      '--json',
    );
    assert.equal((JSON.parse(shown.out) as { annotations: { name: string }[] }[])[0]?.annotations[0]?.name, 'right');
    assert.equal((await run('project', 'delete', 'second', '--yes')).code, 3);
    const enabled = { SPANDREL_CLI_DANGEROUSLY_ENABLE_DELETES: 'true', SPANDREL_API_KEY: ADMIN_SECRET };
    const unasked = await runWith(enabled, 'project', 'delete', 'second');
    assert.match(unasked.err, /Pass --yes/);
    assert.equal((await runWith(enabled, 'project', 'delete', 'second', '-y')).code, 0);
    assert.equal((await run('project', 'get', 'second')).code, 1);
  });

  const page = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'));
  const mistakes: readonly (readonly [string, number, readonly string[], RegExp])[] = [
    ['an unknown command', 3, ['projct'], /Did you mean "spandrel project"\?/],
    ['an unknown verb', 3, ['span', 'lst'], /Did you mean "spandrel span list"\?/],
    ['an unknown flag', 3, ['span', 'list', '--limt', '3'], /Did you mean --limit\?/],
    ['a wrong number', 3, ['span', 'list', '--limit', '0'], /must be an integer from 1 to 999999999, received "0"/],
    ['a missing argument', 3, ['trace', 'get'], /<id> is missing/],
    ['a missing project', 3, ['span', 'list'], /Pass --project <name>, or set SPANDREL_PROJECT/],
    ['a command of the server', 3, ['serve'], /is a command of the server, which this package does not contain/],
    ['a wrong key', 4, ['project', 'list', '--api-key', 'wrong-key-123'], /401.*spandrel auth login/],
    ['a closed port', 5, ['project', 'list', '--endpoint', 'http://127.0.0.1:1'], /127\.0\.0\.1:1/],
    ['no address', 3, ['project', 'list', '--endpoint', 'localhost'], /Expected http:\/\/host:port/],
    ['a page of a proxy', 5, ['project', 'list', '--endpoint', 'PAGE'], /HTML page, expected JSON/],
    ['a project name with a slash', 1, ['span', 'list', '--project', 'a/b?#'], /There is no project "a\/b\?#"/],
    ['a mutation', 3, ['api', 'graphql', 'mutation { x }'], /sends queries only/],
  ];

  test('says in one line what is wrong, with a code and without the key', async (t) => {
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    t.after(() => page.close());
    const address = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
    const results = await Promise.all(
      mistakes.map(([, , args]) => run(...args.map((word) => (word === 'PAGE' ? address : word)))),
    );
    for (const [index, { code, err, out }] of results.entries()) {
      const [what, expectedCode, , message] = mistakes[index]!;
      assert.equal(code, expectedCode, `${what}: ${err}`);
      assert.match(err, message, what);
      assert.match(err, /^spandrel: [^\n]+\n$/, what);
      assert.ok(!err.includes('wrong-key-123') && !err.includes(key), what);
      assert.equal(out, '', what);
    }
  });

  test('passes requests on, and ends quietly when its reader does', async () => {
    const answer = await run('api', 'GET', '/v1/projects', '-q', 'limit=1');
    assert.equal((JSON.parse(answer.out) as { data: unknown[] }).data.length, 1);
    const graphql = await run('api', 'graphql', '{ projects { edges { node { name } } } }', '--fields', 'data');
    assert.match(graphql.out, /"demo"/);
    const curl = await run('api', 'graphql', '{ x }', '--curl');
    assert.match(curl.out, /\$SPANDREL_API_KEY/);
    assert.ok(!curl.out.includes(key));
    const { status, stderr } = spawnSync(
      'bash',
      ['-c', `set -o pipefail; "${process.execPath}" "${PROGRAM}" --help | head -1`],
      {
        env: environment(),
        encoding: 'utf8',
      },
    );
    assert.equal(status, 0, stderr);
  });

  test('keeps profiles in a file of the user, and their keys at their server', async () => {
    const bare = { SPANDREL_ENDPOINT: '', SPANDREL_API_KEY: '' };
    const created = await runWith(
      bare,
      'profile',
      'create',
      'work',
      '--endpoint',
      server.url,
      '--api-key',
      key,
      '--project',
      'demo',
    );
    assert.equal(created.code, 0, created.err);
    assert.equal(statSync(join(folder, '.config/spandrel/settings.json')).mode & 0o777, 0o600);
    assert.equal((await runWith(bare, 'span', 'list', '--jsonl', '--fields', 'name')).code, 0);
    const shown = await runWith(bare, 'profile', 'show', '--json');
    assert.ok(!shown.out.includes(key));
    const elsewhere = await runWith(
      bare,
      'project',
      'list',
      '--endpoint',
      server.url.replace('127.0.0.1', 'localhost'),
    );
    assert.equal(elsewhere.code, 4, 'another address does not get the key');
    assert.equal((await runWith(bare, 'profile', 'delete', 'work')).code, 0);
  });

  test('signs in with the browser, renews the sign-in, and signs out', async () => {
    const bare = environment({ SPANDREL_ENDPOINT: '', SPANDREL_API_KEY: '' });
    const args = ['auth', 'login', '--no-browser', '--endpoint', server.url, '--profile', 'browser'];
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: folder,
      env: bare,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const address = await new Promise<string>((resolve) => {
      let text = '';
      child.stderr.on('data', (chunk) => {
        text += chunk;
        const url = /^http\S+authorize\S+$/m.exec(text)?.[0];
        if (url && text.endsWith('\n')) resolve(url);
      });
    });
    const session = sessionOf(
      await postJson(`${server.url}/auth/login`, { email: 'c@example.com', password: 'word-1' }),
    );
    const result = ended(child);
    await fetch(await approve({ address: server.url }, session, new URL(address)));
    const { code, err, out } = await result;
    assert.equal(code, 0, err);
    assert.match(out, /Signed in to .* as c\. The sign-in is in profile browser\./);

    const path = join(folder, '.config/spandrel/settings.json');
    const settings = JSON.parse(readFileSync(path, 'utf8')) as {
      profiles: { browser: { tokens: { expiresAt: string } } };
    };
    settings.profiles.browser.tokens.expiresAt = new Date(0).toISOString();
    writeFileSync(path, JSON.stringify(settings));
    const status = await runWith(
      { SPANDREL_ENDPOINT: '', SPANDREL_API_KEY: '' },
      'auth',
      'status',
      '--profile',
      'browser',
      '--json',
    );
    const answer = JSON.parse(status.out) as { status: string; expiresAt: string };
    assert.equal(answer.status, 'authenticated', status.err);
    assert.ok(Date.parse(answer.expiresAt) > Date.now());
    assert.equal((await runWith({ SPANDREL_API_KEY: '' }, 'auth', 'logout', '--profile', 'browser')).code, 0);
  });

  test('is packed with everything it needs', () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const npm = (cwd: string, ...args: string[]) => {
      const { status, stdout, stderr } = spawnSync('npm', args, {
        cwd,
        encoding: 'utf8',
        env: { ...process.env, NO_COLOR: '1' },
      });
      assert.equal(status, 0, stderr);
      return stdout.trim();
    };
    const tarball =
      npm(PACKAGE, 'pack', '--ignore-scripts', '--silent', '--pack-destination', empty).split('\n').at(-1) ?? '';
    writeFileSync(join(empty, 'package.json'), '{"private": true}');
    npm(empty, 'install', '--offline', '--no-audit', '--no-fund', '--silent', `./${tarball}`);
    const installed = join(empty, 'node_modules/.bin/spandrel');
    const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string };
    const call = (...args: string[]) => spawnSync(installed, args, { env: environment(), encoding: 'utf8' });
    assert.equal(call('--version').stdout, `${version}\n`);
    assert.match(call('project', 'list').stdout, /demo/);
  });
});

function ended(child: ReturnType<typeof spawn>): Promise<Result> {
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })));
}
