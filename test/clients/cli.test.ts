import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter, until } from '../metadata-store/fixtures.ts';
import { approve } from '../api/access/application.ts';
import { ADMIN_SECRET, postJson, sessionOf, toClient } from '../api/access/signed-in-server.ts';
import type { ServerProcess } from '../e2e/server-process.ts';
import { type CliFixture, ended, openCliFixture, PACKAGE, PROGRAM, SERVER, TRACE } from './cli-program.ts';

describe('the command line client', () => {
  const cleanUp = cleanUpAfter(after);
  let cli: CliFixture;
  let server: ServerProcess;
  let folder: string;
  let key: string;

  before(async () => {
    cli = await openCliFixture(cleanUp);
    ({ server, folder, key } = cli);
    const made = await run('project', 'create', 'second');
    assert.equal(made.code, 0, made.err);
  });

  const environment = (more?: Record<string, string>) => cli.environment(more);
  const run = (...args: readonly string[]) => cli.run(...args);
  const runWith = (env: Record<string, string>, ...args: readonly string[]) => cli.runWith(env, ...args);

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

  test('reports a problem in one line, with a code and without the key', async (t) => {
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
    writeFileSync(join(folder, '.env.spandrel'), `SPANDREL_API_KEY=${key}\n`, { mode: 0o600 });
    await runWith(bare, 'profile', 'create', 'keyless', '--endpoint', server.url);
    const handedOff = await runWith(bare, 'project', 'list', '--profile', 'keyless');
    assert.equal(handedOff.code, 4, 'the key of a hand-off file does not go to the address of a profile');
    rmSync(join(folder, '.env.spandrel'));
    assert.equal((await runWith(bare, 'profile', 'delete', 'keyless')).code, 0);
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
    const page = await fetch(await approve({ address: server.url }, session, new URL(address)));
    assert.match(await page.text(), /^Done\. You can close this window/);
    const { code, err, out } = await result;
    assert.equal(code, 0, err);
    assert.match(out, /Signed in to .* as c\. The sign-in is in profile browser\./);

    const path = join(folder, '.config/spandrel/settings.json');
    const settings = JSON.parse(readFileSync(path, 'utf8')) as {
      profiles: { browser: { tokens: { accessToken: string; expiresAt: string } } };
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

    // The clock of this machine was set back since, so a token that has ended looks fresh.
    const stored = JSON.parse(readFileSync(path, 'utf8')) as typeof settings;
    stored.profiles.browser.tokens.accessToken = 'ended';
    stored.profiles.browser.tokens.expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    writeFileSync(path, JSON.stringify(stored));
    const listed = await runWith(
      { SPANDREL_ENDPOINT: '', SPANDREL_API_KEY: '' },
      'project',
      'list',
      '--profile',
      'browser',
    );
    assert.equal(listed.code, 0, listed.err);
    assert.match(listed.out, /^demo /m);
    assert.equal((await runWith({ SPANDREL_API_KEY: '' }, 'auth', 'logout', '--profile', 'browser')).code, 0);
  });

  test('completes commands, flags and names of the server in bash, zsh and fish', async (t) => {
    assert.equal((await run('project', 'create', 'team:app one')).code, 0);
    await until('the names are cached', async () =>
      (await run('--complete', 'project', 'get', 'team')).out.includes('team:app one'),
    );
    const scripts = { bash: '', zsh: '', fish: '' };
    for (const shell of ['bash', 'zsh', 'fish'] as const) {
      scripts[shell] = join(folder, `completion.${shell}`);
      writeFileSync(scripts[shell], (await run('completion', shell)).out);
    }
    const call = (shell: string, ...args: readonly string[]) => {
      const { stdout, stderr, error } = spawnSync(shell, args, { cwd: folder, env: environment(), encoding: 'utf8' });
      assert.ok(!error, String(error));
      return { lines: stdout.split('\n').filter(Boolean), stderr };
    };
    const inBash = (...words: readonly string[]) => inBashLine(words.join(' '), words);
    /** `words` as bash divides a line, at : and = too. */
    const inBashLine = (line: string, words: readonly string[]) => {
      const list = words.map((word) => `'${word}'`).join(' ');
      const script = `source '${scripts.bash}'; COMP_LINE='${line}'; COMP_POINT=${line.length}; COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _spandrel; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return call('bash', '--norc', '-c', script).lines;
    };
    assert.deepEqual(inBash('spandrel', 'proj'), ['project']);
    assert.deepEqual(inBash('spandrel', 'projects', 'l'), ['list']);
    assert.deepEqual(inBash('spandrel', 'span', 'list', '--proj'), ['--project']);
    assert.deepEqual(new Set(inBash('spandrel', 'span', 'list', '--project', 'de')), new Set(['default', 'demo']));
    assert.deepEqual(inBashLine('spandrel auth ', ['spandrel', 'auth', '']), ['status', 'login', 'logout']);
    const joined = ['spandrel', 'project', 'list', '--format', '=', 'j'];
    assert.deepEqual(inBashLine('spandrel project list --format=j', joined), ['json', 'jsonl']);
    const divided = ['spandrel', 'project', 'get', 'team', ':', 'a'];
    assert.deepEqual(inBashLine('spandrel project get team:a', divided), ['app\\ one']);
    assert.deepEqual(inBashLine('spandrel project get team:', divided.slice(0, -1)), ['app\\ one']);
    // PowerShell drops empty arguments, so its script marks the word with a dot.
    assert.match((await run('--complete', 'marked', 'project', '.')).out, /^list\t.*\nget\t/m);

    await t.test('fish', { skip: !isThere('fish') && 'fish is not installed' }, () => {
      const found = call(
        'fish',
        '--no-config',
        '-c',
        `source '${scripts.fish}'; complete -C 'spandrel project get dem'`,
      );
      assert.deepEqual(found.lines, ['demo'], found.stderr);
      const flags = call(
        'fish',
        '--no-config',
        '-c',
        `source '${scripts.fish}'; complete -C 'spandrel span list --jso'`,
      );
      assert.match(flags.lines.join('\n'), /^--json\tone JSON document$/m);
    });
    await t.test('zsh', { skip: !isThere('zsh') && 'zsh is not installed' }, () => {
      // A shell in a terminal of its own, in which the tabulator is typed. What it completed runs.
      const inner = `autoload -U compinit; compinit -u -d '${folder}/zcompdump'; source '${scripts.zsh}'; zstyle ':completion:*' menu no`;
      const outFile = join(folder, 'zsh.out');
      const script = `zmodload zsh/zpty; zpty z zsh -f -i; zpty -w z ${quote(inner)}; sleep 0.5
        zpty -w -n z $'spandrel project get dem\\t'; sleep 1
        zpty -w z ${quote(`--format raw --fields name > ${outFile}; print FINI''SHED`)}
        zpty -r z text '*FINISHED*'`;
      call('zsh', '-f', '-c', script);
      assert.equal(readFileSync(outFile, 'utf8'), '{"name":"demo"}\n');
    });
  });

  test('shows spans as they arrive, and ends with Ctrl-C', async () => {
    const child = cli.start({}, 'tail', '--project', 'demo', '--jsonl');
    const result = ended(child);
    await new Promise<void>((resolve) =>
      child.stderr.on('data', (text) => String(text).includes('Waiting') && resolve()),
    );
    const shown = new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(String(text))));
    const now = new Date().toISOString();
    const span = { name: 'late', context: { trace_id: 'f'.repeat(32), span_id: 'f'.repeat(16) }, span_kind: 'LLM' };
    const data = [{ ...span, start_time: now, end_time: now, status_code: 'OK', status_message: '', attributes: {} }];
    await toClient(server.url, { bearer: key }).call('POST', '/v1/projects/demo/spans', { data });
    assert.equal((JSON.parse(await shown) as { name: string }).name, 'late');
    child.kill('SIGINT');
    const { code, err } = await result;
    assert.equal(code, 2);
    assert.match(err, /spandrel: Cancelled\.\n$/);
  });

  test('doctor sends a span over HTTP and gRPC, and explains what to do', async () => {
    const fine = await run('doctor', '--grpc-port', String(server.ports.grpc), '--json');
    const report = JSON.parse(fine.out) as { isFine: boolean; checks: { name: string; state: string }[] };
    assert.deepEqual(
      report.checks.map(({ name, state }) => `${name} ${state}`),
      [...['address ok', 'version ok', 'sign-in ok', 'clock ok', 'span, HTTP ok', 'span, gRPC ok']],
    );
    const [wrongPort, wrongKey, away] = await Promise.all([
      run('doctor', '--grpc-port', String(server.ports.http)),
      run('doctor', '--api-key', 'wrong-key-123', '--no-send'),
      run('doctor', '--endpoint', 'http://127.0.0.1:9'),
    ]);
    assert.equal(wrongPort.code, 6);
    assert.match(wrongPort.out, /✗ span, gRPC .*\n.*--grpc-port/);
    assert.match(wrongKey.out, /✗ sign-in +the key is rejected.*\n +spandrel auth login/);
    assert.match(away.out, /^✗ address .*\n +Start the server/);
    assert.equal(away.code, 6);
  });

  test('exports and imports', async () => {
    assert.equal((await run('export', 'project', 'demo', '-o', 'spans.jsonl', '--no-progress')).code, 0);
    const again = await run('import', 'spans', 'spans.jsonl', '--project', 'demo', '--json');
    const counts = JSON.parse(again.out) as { received_span_count: number; repeated_span_count: number };
    assert.ok(counts.received_span_count >= 2);
    assert.equal(counts.repeated_span_count, counts.received_span_count);
    writeFileSync(join(folder, 'rows.csv'), 'id,q,a\n1,x,y\n2,z,w\n');
    const columns = ['--input', 'q', '--output-key', 'a', '--id-key', 'id'];
    const planned = await run('import', 'dataset', 'rows.csv', '--name', 'q/a #1', ...columns, '--dry-run');
    assert.match(planned.out, /Nothing is stored yet\. The file would make: 2 new/);
    const stored = await run('import', 'dataset', 'rows.csv', '--name', 'q/a #1', ...columns);
    assert.match(stored.out, /Stored in dataset .*: 2 new/, stored.err);
    const shown = await run('dataset', 'get', 'q/a #1', '--json');
    assert.equal((JSON.parse(shown.out) as { examples: unknown[] }).examples.length, 2);
    const missing = await run('import', 'spans', 'absent.jsonl', '--project', 'demo');
    assert.deepEqual(
      [missing.code, missing.err.slice(0, 51)],
      [3, 'spandrel: There is no file or folder absent.jsonl. '],
    );
  });

  test('imports what it exported of a dataset, and no columns without a part', async () => {
    const examples = [
      { input: { question: 'a "b", c', deep: { n: 1 } }, output: { answer: 'x' }, metadata: { tier: 'gold' } },
      { input: { question: 'd', deep: { n: 2 } }, output: { answer: 'y' }, metadata: { tier: 'none' } },
    ];
    const { call } = toClient(server.url, { bearer: key });
    const upload = {
      ...{ name: 'exported', action: 'create' },
      ...{ inputs: examples.map(({ input }) => input), outputs: examples.map(({ output }) => output) },
      metadata: examples.map(({ metadata }) => metadata),
    };
    assert.equal((await call('POST', '/v1/datasets/upload?sync=true', upload)).status, 200);
    writeFileSync(join(folder, 'columns.csv'), 'id,"q, or",a\n1,x,y\n');

    const copies = ['jsonl', 'csv'].map(async (format) => {
      const file = `exported.${format}`;
      await run('export', 'dataset', 'exported', '--as', format, '-o', file, '--no-progress');
      const { err } = await run('import', 'dataset', file, '--name', `copy of ${format}`);
      const shown = await run('dataset', 'get', `copy of ${format}`, '--json');
      assert.equal(err, '');
      return (JSON.parse(shown.out) as { examples: typeof examples }).examples;
    });
    const unnamed = run('import', 'dataset', 'columns.csv', '--name', 'lost');

    const [ofLines = [], ofTable = []] = await Promise.all(copies);
    const toParts = ({ input, output, metadata }: (typeof examples)[number]) => ({ input, output, metadata });
    assert.deepEqual(ofLines.map(toParts), examples);
    // CSV has no numbers.
    const texts = examples.map(({ input, ...rest }) => ({
      ...rest,
      input: { ...input, deep: { n: `${input.deep.n}` } },
    }));
    assert.deepEqual(ofTable.map(toParts), texts);
    assert.equal((await unnamed).code, 3);
    assert.match((await unnamed).err, /^spandrel: --input <column> is missing: .* has the columns id, q, or, a\.\n$/);
  });

  test('compares experiments, with exit code 7 for a regression', async () => {
    const { call } = toClient(server.url, { bearer: key });
    const numbers = Array.from({ length: 12 }, (_, index) => index);
    const upload = {
      name: 'compared',
      action: 'create',
      inputs: numbers.map((n) => ({ n })),
      outputs: numbers.map(() => ({})),
    };
    const made = await call('POST', '/v1/datasets/upload?sync=true', { ...upload, metadata: numbers.map(() => ({})) });
    const { dataset_id: dataset } = (made.json as { data: { dataset_id: string } }).data;
    const examples = (await call('GET', `/v1/datasets/${dataset}/examples`)).json as {
      data: { examples: { node_id: string }[] };
    };
    const now = new Date().toISOString();
    const times = { start_time: now, end_time: now };
    const ids: string[] = [];
    for (const score of [1, 0]) {
      const experiment = await call('POST', `/v1/datasets/${dataset}/experiments`, { name: `score ${score}` });
      const { id } = (experiment.json as { data: { id: string } }).data;
      ids.push(id);
      for (const [index, { node_id: example }] of examples.data.examples.entries()) {
        const run = { dataset_example_id: example, output: 'x', repetition_number: 1, ...times };
        const { json } = await call('POST', `/v1/experiments/${id}/runs`, run);
        const evaluation = { experiment_run_id: (json as { data: { id: string } }).data.id, ...times };
        for (const name of index < 2 ? ['correct', 'rare'] : ['correct']) {
          const body = { ...evaluation, name, annotator_kind: 'CODE', result: { score } };
          await call('POST', '/v1/experiment_evaluations', body);
        }
      }
    }
    const compare = (...flags: string[]) => run('experiment', 'compare', ...ids, ...flags);
    const [shown, worse, better, low, unknown, missing] = await Promise.all([
      compare(),
      compare('--fail-on', 'regression', '--json'),
      run('experiment', 'compare', ids[1]!, ids[0]!, '--fail-on', 'regression:correct'),
      compare('--fail-on', 'correct < 0.5'),
      compare('--fail-on', 'corect < 0.5'),
      run('experiment', 'compare', ids[0]!, 'none'),
    ]);
    assert.match(shown.out, /^correct +1 +0 +-1 .*0\/12\/0 +worse$/m);
    assert.match(shown.out, /^rare +1 +0 +-1 +too few \(2\) +0\/2\/0 +unclear$/m);
    assert.deepEqual([shown.code, worse.code, better.code, low.code, unknown.code], [0, 7, 0, 7, 3]);
    assert.equal((JSON.parse(worse.out) as { failures: unknown[] }).failures.length, 1);
    assert.match(low.err, /Failed: correct < 0\.5: correct is 0/);
    assert.match(unknown.err, /names the measure "corect", which the experiments do not have/);
    assert.deepEqual(
      [missing.code, missing.err],
      [1, 'spandrel: No experiment has the ID "none". spandrel experiment list --dataset <name> shows the IDs.\n'],
    );
  });

  test('lists and sends results that an experiment has left in the outbox', async () => {
    const { call } = toClient(server.url, { bearer: key });
    const rows = { name: 'outbox', action: 'create', inputs: [{ n: 1 }], outputs: [{}], metadata: [{}] };
    const made = (await call('POST', '/v1/datasets/upload?sync=true', rows)).json as { data: { dataset_id: string } };
    const { dataset_id: dataset } = made.data;
    const examples = (await call('GET', `/v1/datasets/${dataset}/examples`)).json as {
      data: { examples: { node_id: string }[] };
    };
    const experiment = (await call('POST', `/v1/datasets/${dataset}/experiments`, { name: 'left' })).json;
    const { id } = (experiment as { data: { id: string } }).data;
    const now = new Date().toISOString();
    const body = { dataset_example_id: examples.data.examples[0]?.node_id, output: 'paid', repetition_number: 1 };
    const line = JSON.stringify({ id: 1, kind: 'run', body: { ...body, start_time: now, end_time: now } });
    const outbox = join(folder, '.local/state/spandrel/outbox', new URL(server.url).host.replace(':', '_3a'));
    mkdirSync(outbox, { recursive: true });
    writeFileSync(join(outbox, `${id.replaceAll('=', '_3d')}.jsonl`), `${line}\n{"id": 2, "ki`);

    const listed = await run('outbox', 'list', '--json', '--fields', 'experimentId,isOfServer,runCount');
    assert.deepEqual(JSON.parse(listed.out), [{ experimentId: id, isOfServer: true, runCount: 1 }]);
    const elsewhere = await run('outbox', 'send', id, '--endpoint', server.url.replace('127.0.0.1', 'localhost'));
    assert.equal(elsewhere.code, 1);
    assert.equal((await run('outbox', 'send')).out, 'Sent 1 results of 1 experiments.\n');
    assert.match((await run('outbox', 'list')).err, /The outbox is empty/);
    assert.match((await run('experiment', 'get', id)).out, /1 ok, 0 failed, 0 missing/);
  });

  test('has ended with each of its exit codes in the tests before', () => {
    assert.deepEqual([...cli.exitCodes].sort(), [0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test("runs in the server's program, which keeps its own commands", () => {
    const call = (...args: string[]) =>
      spawnSync(process.execPath, [SERVER, ...args], { env: environment(), encoding: 'utf8' });
    assert.match(call('project', 'list').stdout, /demo/);
    assert.match(call('help').stdout, /Commands of the server:\n {2}serve, db/);
    assert.match(call('--complete', 'ser').stdout, /^serve\t/);
    assert.match(call('--help').stdout, /Commands of the client, /);
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

const isThere = (program: string): boolean => !spawnSync(program, ['--version']).error;
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
