import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { createClient as createPublicClient } from '@arizeai/phoenix-client';
import * as publicDatasets from '@arizeai/phoenix-client/datasets';
import * as publicSessions from '@arizeai/phoenix-client/sessions';
import * as publicSpans from '@arizeai/phoenix-client/spans';
import * as publicTraces from '@arizeai/phoenix-client/traces';
import { rolldown } from 'rolldown';
import type { SpandrelClient } from '../../clients/typescript/client/src/index.ts';
import { spansOnceThere } from '../e2e/rest.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from '../e2e/server-process.ts';
import { collectGarbage } from '../fixtures/collect-garbage.ts';
import { CLIENT_FOLDER, type InstalledClient, installClient, type Modules } from './installed-client.ts';
import { openModelEndpoint } from './model-endpoint.ts';
import { testBadInput } from './typescript-bad-input.ts';
import { testExperiments } from './typescript-experiments.ts';
import { FUNCTION_TABLE, LISTED } from './typescript-function-table.ts';
import { testPrompts } from './typescript-prompts.ts';

const run = promisify(execFile);
const PROJECT = 'typed client';
const SPAN_COUNT = 30;
const traceIdOf = (index: number) => `a${index.toString(16).padStart(31, '0')}`;
const spanIdOf = (index: number) => `b${index.toString(16).padStart(15, '0')}`;

describe('the TypeScript client of Spandrel, packed and installed', () => {
  let server: ServerProcess;
  let dataDir: string;
  let installed: InstalledClient;
  let client: SpandrelClient;
  let core: Modules['.'];
  let spans: Modules['./spans'];

  before(async () => {
    dataDir = await makeDataDir();
    [server, installed] = await Promise.all([startServer({ dataDir }), installClient()]);
    core = await installed.load('.');
    spans = await installed.load('./spans');
    client = core.createClient({ options: { baseUrl: `${server.url}/` } });
    const sent = await spans.logSpans({ client, project: PROJECT, spans: indices.map(makeSpan) });
    assert.deepEqual(sent, { totalReceived: SPAN_COUNT, totalQueued: SPAN_COUNT });
    await spansOnceThere(server.url, PROJECT, SPAN_COUNT);
  });

  after(async () => {
    await server?.stop();
    await installed?.remove();
    if (dataDir) await removeDataDir(dataDir);
  });

  test('ends a call whose signal fires after garbage was collected', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = silent.address() as AddressInfo;
      const authFetch = core.createAuthFetch({ getAccessToken: () => 'token' });
      const calls = [
        (signal: AbortSignal) =>
          core.createClient({ options: { baseUrl: `http://127.0.0.1:${port}` } }).GET('/v1/projects', { signal }),
        (signal: AbortSignal) => authFetch(`http://127.0.0.1:${port}/`, { signal }),
      ];
      for (const call of calls) {
        const controller = new AbortController();
        const closed = new Promise((resolve) => silent.once('request', ({ socket }) => socket.once('close', resolve)));
        const ended = call(controller.signal).then(() => assert.fail('it was answered'), String);
        await collectGarbage();
        controller.abort(new Error('mine'));
        assert.match(await Promise.race([ended, sleep(20_000, 'it goes on', { ref: false })]), /mine/);
        // A connection that stays would keep the process from its end.
        await closed;
      }
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });

  test('consists of three packages', async () => {
    assert.deepEqual(await installed.packages(), ['@spandrel', 'openapi-fetch', 'openapi-typescript-helpers']);
  });

  test('has types that need no types of Node', async () => {
    const paths = [
      '.',
      './datasets',
      './experiments',
      './projects',
      './prompts',
      './sessions',
      './settings',
      './spans',
    ];
    const names = [...paths, './traces', './vitest', './jest'].map((path) => join('@spandrel/client', path));
    const file = join(installed.folder, 'types.mts');
    await writeFile(file, names.map((name) => `export * as _${name.replace(/\W/g, '_')} from '${name}';`).join('\n'));
    const flags = ['--noEmit', '--strict', '--types', '', '--lib', 'es2023,dom,dom.iterable', '--target', 'es2023'];
    const tsc = join(CLIENT_FOLDER, '../../../node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, ...flags, '--module', 'nodenext', file], {
      cwd: installed.folder,
    }).catch((error: { stdout: string }) => error);

    assert.equal(stdout, '');
  });

  test('has a core below 12 kB that browsers can load', async () => {
    const input = join(installed.folder, 'node_modules/@spandrel/client/dist/index.js');
    // Node's modules are looked up at run time, so a bundle for a platform without them must not name any.
    const bundle = await rolldown({ input, platform: 'browser', logLevel: 'silent' });
    const { output } = await bundle.generate({ minify: true });
    const code = output.map((chunk) => ('code' in chunk ? chunk.code : '')).join('');

    assert.ok(gzipSync(code).length < 12_000, `${gzipSync(code).length} bytes`);
    assert.doesNotMatch(code, /from\s*["']node:|require\(/);
  });

  test('states where requests go, and the version of the server', async () => {
    assert.deepEqual(client.config, { baseUrl: server.url, baseUrlSource: 'explicit', projectName: undefined });
    assert.match(await client.getServerVersion(), /^\d+\.\d+\.\d+$/);
  });

  test('reads one page when it is awaited, and all pages in a loop', async () => {
    const list = spans.getSpans({ client, project: { projectName: PROJECT }, limit: 7 });
    const first = await list;
    const ids: string[] = [];
    for await (const span of list) ids.push(span.context.span_id);

    assert.equal(first.spans.length, 7);
    assert.ok(first.nextCursor);
    assert.deepEqual(ids.sort(), indices.map(spanIdOf));
    assert.deepEqual((await list.page(first.nextCursor)).items.length, 7);
  });

  test('reads the same as the public client', async () => {
    const publicClient = createPublicClient({ options: { baseUrl: server.url } });
    const project = { projectName: PROJECT };
    const [traces, sessions] = [await installed.load('./traces'), await installed.load('./sessions')];
    const query = { project, attributes: { 'metadata.text': '7' }, spanKind: 'LLM' as const };

    assert.deepEqual(
      { ...(await spans.getSpans({ client, project, limit: 50 })) },
      await publicSpans.getSpans({ client: publicClient, project, limit: 50 }),
    );
    assert.deepEqual(
      { ...(await spans.getSpans({ client, ...query })) },
      await publicSpans.getSpans({ client: publicClient, ...query }),
    );
    assert.deepEqual(
      { ...(await traces.getTraces({ client, project, includeSpans: true })) },
      await publicTraces.getTraces({ client: publicClient, project, includeSpans: true }),
    );
    assert.deepEqual(
      await sessions.listSessions({ client, project }),
      await publicSessions.listSessions({ client: publicClient, ...project, project: PROJECT }),
    );
    assert.deepEqual(
      await sessions.getSessionTurns({ client, sessionId: 'session 1' }),
      await publicSessions.getSessionTurns({ client: publicClient, sessionId: 'session 1' }),
    );
  });

  test('annotates spans and reads the annotations of many spans in batches', async () => {
    const spanAnnotations = indices.map((index) => ({
      spanId: spanIdOf(index),
      name: 'score',
      score: index,
      metadata: { index },
    }));
    const stored = await spans.logSpanAnnotations({ client, spanAnnotations, sync: true });
    const unknown = Array.from({ length: 150 }, (_, index) => `c${index.toString(16).padStart(15, '0')}`);
    const spanIds = [...indices.map(spanIdOf), ...unknown];
    const found = await spans.getSpanAnnotations({ client, project: PROJECT, spanIds, limit: 20 }).toArray();

    assert.equal(stored.length, SPAN_COUNT);
    assert.deepEqual(
      found.map(({ result }) => result.score).sort((a, b) => a! - b!),
      indices,
    );
    await assert.rejects(
      spans.addSpanAnnotation({ client, spanAnnotation: { spanId: spanIdOf(0), name: 'note', score: 1 } }),
      /addSpanNote/,
    );
    await assert.rejects(
      spans.addSpanAnnotation({ client, spanAnnotation: { spanId: spanIdOf(0), name: 'x', label: ' ' } }),
      /needs a label/,
    );
  });

  test('names the spans that the server has already', async () => {
    const error = await spans
      .logSpans({ client, project: PROJECT, spans: [makeSpan(3)] })
      .then(null, (reason: unknown) => reason);

    assert.ok(error instanceof spans.SpanCreationError, String(error));
    assert.equal(error.totalDuplicates, 1);
    assert.equal(error.duplicateSpans[0]?.spanId, spanIdOf(3));
  });

  test('stores datasets that the public client reads equally', async () => {
    const datasets = await installed.load('./datasets');
    const examples = [
      { input: { q: 1, at: new Date(0) }, output: { a: 1 }, metadata: { m: 1 }, splits: ['train'] },
      { input: { q: 2 }, id: 'second' },
    ];
    const { datasetId } = await datasets.createDataset({ client, name: 'typed', description: 'd', examples });
    await datasets.appendDatasetExamples({
      client,
      dataset: { datasetName: 'typed' },
      examples: [{ input: { q: 3 } }],
    });
    const publicClient = createPublicClient({ options: { baseUrl: server.url } });
    const ours = await datasets.getDataset({ client, dataset: { datasetName: 'typed' } });

    assert.deepEqual(ours, await publicDatasets.getDataset({ client: publicClient, dataset: { datasetId } }));
    assert.equal(ours.examples[0]?.input.at, '1970-01-01T00:00:00.000Z');
    assert.equal((await datasets.listDatasetVersions({ client, dataset: { datasetId } })).length, 2);
    // An example that was read goes back without a change.
    await datasets.createDataset({ client, name: 'typed', examples: ours.examples });
    assert.equal((await datasets.listDatasetVersions({ client, dataset: { datasetId } })).length, 2);
    await assert.rejects(
      datasets.getDataset({ client, dataset: { datasetName: 'nowhere' } }),
      /No dataset is named "nowhere"/,
    );
  });

  test('is complete when npm packs it from sources that are not built', async (t) => {
    const root = await mkdtemp(join(tmpdir(), 'spandrel-unbuilt-'));
    t.after(() => rm(root, { recursive: true }));
    const repository = join(CLIENT_FOLDER, '../../..');
    for (const name of ['node_modules', 'tsconfig.json', 'package.json', 'package-lock.json'])
      await symlink(join(repository, name), join(root, name));
    await cp(join(repository, 'scripts'), join(root, 'scripts'), { recursive: true });
    const copy = join(root, 'clients/typescript/client');
    await cp(CLIENT_FOLDER, copy, { recursive: true, filter: (path) => !path.endsWith('/dist') });
    const [command] = /^npm pack .*$/m.exec(await readFile(join(copy, 'README.md'), 'utf8')) ?? [''];
    const { stdout } = await run('sh', ['-c', `${command.replace('~', root)} --json`], { cwd: root });

    assert.match(stdout, /"dist\/experiments\/index\.d\.ts"/);
  });

  test('does what its README says, block by block', async () => {
    const readme = await readFile(join(CLIENT_FOLDER, 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code!);
    const env = {
      ...process.env,
      SPANDREL_ENDPOINT: server.url,
      SPANDREL_OUTBOX_DIR: join(installed.folder, 'readme-outbox'),
    };
    const outputs: string[] = [];
    for (const [index, code] of blocks.entries()) {
      const path = join(installed.folder, `readme-${index}.mjs`);
      await writeFile(path, code);
      outputs.push((await run(process.execPath, [path], { env })).stdout);
    }

    assert.ok(blocks.length >= 5);
    assert.match(outputs.join(''), /has version \d+\.\d+\.\d+/);
    assert.match(outputs.join(''), /answer LLM/);
    assert.match(outputs.join(''), /too few examples to compare exact: n = 2/);
    assert.match(outputs.join(''), /Translate to French: Good morning/);
  });

  test('has the functions of the public client, and lists with a reason what it has not', async () => {
    const listed = await readFile(join(CLIENT_FOLDER, 'docs/functions.md'), 'utf8');
    for (const [path, functions] of Object.entries(FUNCTION_TABLE)) {
      const module: Readonly<Record<string, unknown>> = { ...(await installed.load(path as keyof Modules)) };
      for (const name of Object.keys(functions)) {
        assert.equal(typeof module[name], 'function', `${path} ${name}`);
        assert.match(listed, new RegExp(`\\b${name}\\b`));
      }
    }
    for (const name of LISTED) assert.ok(listed.includes(name), name);
  });

  test('has the defaults of the public client', async () => {
    const sent: string[] = [];
    const record = createServer((request, response) => {
      request.setEncoding('utf8');
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        sent.push(`${request.method} ${request.url} ${body}`.trim());
        response.setHeader('content-type', 'application/json').end('{"data": [], "next_cursor": null}');
      });
    });
    await new Promise<void>((resolve) => record.listen(0, '127.0.0.1', resolve));
    const own = core.createClient({
      options: { baseUrl: `http://127.0.0.1:${(record.address() as AddressInfo).port}` },
    });
    const [projects, traces] = [await installed.load('./projects'), await installed.load('./traces')];
    const experiments = await installed.load('./experiments');
    const call = { client: own, project: 'p' };
    await projects.getProjects(call);
    await spans.getSpans({ ...call, parentId: null });
    await spans.getSpanAnnotations({ ...call, spanIds: ['a'] });
    await spans.addSpanAnnotation({ ...call, spanAnnotation: { spanId: 'a', name: 'n', label: ' l ' } });
    await traces.getTraces(call);
    await experiments.getExperimentRuns({ client: own, experimentId: 'e' });
    await experiments.listExperiments({ client: own, datasetId: 'd' });
    record.close();

    assert.deepEqual(sent, [
      'GET /v1/projects?limit=100',
      'GET /v1/projects/p/spans?parent_id=null&limit=100',
      'GET /v1/projects/p/span_annotations?span_ids=a&limit=100',
      'POST /v1/span_annotations?sync=false {"data":[{"name":"n","annotator_kind":"HUMAN","result":{"label":"l","score":null,"explanation":null},"span_id":"a"}]}',
      'GET /v1/projects/p/traces?limit=100',
      'GET /v1/experiments/e/runs?limit=100',
      'GET /v1/datasets/d/experiments?limit=50',
    ]);
  });

  const world = { serverUrl: () => server.url, client: () => client, installed: () => installed };
  testExperiments(world);
  testBadInput(world);
  testPrompts(world);

  test('completes an experiment whose server is killed and started again', async (t) => {
    const datasets = await installed.load('./datasets');
    const experiments = await installed.load('./experiments');
    const model = await openModelEndpoint({ delayMs: 4 });
    t.after(() => model.close());
    const examples = Array.from({ length: 500 }, (_, i) => ({ input: { i } }));
    const dataset = await datasets.createDataset({ client, name: 'killed server', examples });
    const running = experiments.runExperiment({
      ...{ client, dataset, concurrency: 8, logger: { ...console, info() {}, warn() {} } },
      task: async ({ input }) => (await fetch(`${model.url}/${input.i}`)).text(),
      evaluators: { same: ({ input, output }) => String(input.i) === output },
    });
    while (model.callCount() < 200) await new Promise((resolve) => setTimeout(resolve, 5));
    const { ports } = server;
    await server.kill9();
    server = await startServer({ dataDir, ports });
    const ran = await running;

    assert.deepEqual([ran.successfulRunCount, ran.missingRunCount, ran.evaluationRuns?.length], [500, 0, 500]);
    assert.ok(ran.evaluationRuns?.every(({ result }) => result?.score === 1));
    assert.equal(model.calls.size, 500);
    assert.deepEqual([...new Set(model.calls.values())], [1]);
  });
});

const indices = Array.from({ length: SPAN_COUNT }, (_, index) => index);

const makeSpan = (index: number) => ({
  name: `span ${index}`,
  context: { trace_id: traceIdOf(index), span_id: spanIdOf(index) },
  span_kind: index % 2 === 0 ? 'CHAIN' : 'LLM',
  start_time: new Date(Date.UTC(2026, 0, 1, 12, index)).toISOString(),
  end_time: new Date(Date.UTC(2026, 0, 1, 12, index, 1)).toISOString(),
  status_code: 'OK',
  attributes: {
    'session.id': `session ${index % 3}`,
    'metadata.text': String(index),
    'input.value': 'in',
    'output.value': 'out',
  },
});
