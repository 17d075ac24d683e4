import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type * as Datasets from '../../../clients/typescript/client/src/datasets/index.ts';
import type * as Experiments from '../../../clients/typescript/client/src/experiments/index.ts';
import type * as Client from '../../../clients/typescript/client/src/index.ts';
import type * as Spans from '../../../clients/typescript/client/src/spans/index.ts';
import type { FakeModelServer } from '../../../clients/typescript/evals/src/fake-model/index.ts';
import { spansOnceThere } from '../../e2e/rest.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from '../../e2e/server-process.ts';
import { PROGRAM } from '../cli-program.ts';
import { CLIENT_FOLDER } from '../installed-client.ts';
import type { InstalledEvals } from '../installed-evals.ts';
import { PACKAGES_FOLDER } from '../unpacked-packages.ts';
import { EXACT, judgeOf, openFake } from './judge.ts';

const PROJECT = 'judged';
/** The command of util-linux, which gives a program a terminal. */
const NO_TERMINAL = spawnSync('script', ['--version']).status === 0 ? false : 'script of util-linux is missing';
/** A run that shows nothing fails by this time. */
const UNREACHABLE_MS_MAX = 30_000;
const FILE = `
name: nightly
project: ${PROJECT}
filter: span_kind == 'LLM'
model: { provider: openai, name: gpt-5, baseUrl: URL/v1 }
evaluators:
  - correctness
  - metric: contains
    name: polite
    options: { words: please }
  - name: calm
    prompt: "Judge the tone of <text>{{text}}</text>."
    choices: { calm: 1, angry: 0 }
    direction: minimize
    inputs: { text: output }
`;

export function testSpans(installed: () => InstalledEvals): void {
  describe('evaluations of a server', () => {
    let server: ServerProcess;
    let dataDir: string;
    let fake: FakeModelServer;
    let file: string;
    let client: Client.SpandrelClient;

    before(async () => {
      dataDir = await makeDataDir();
      [server, fake] = await Promise.all([startServer({ dataDir }), installed().fakeModel.startFakeModelServer(EXACT)]);
      file = join(installed().folder, 'nightly.yaml');
      await writeFile(file, FILE.replace('URL', fake.url));
      client = (await load<typeof Client>('index.js')).createClient({ options: { baseUrl: server.url } });
      await sendSpans([0, 1, 2, 3]);
    });

    after(async () => {
      await fake?.close();
      await server?.stop();
      if (dataDir) await removeDataDir(dataDir);
    });

    const load = <Module>(path: string): Promise<Module> =>
      import(pathToFileURL(join(CLIENT_FOLDER, 'dist', path)).href);
    const spanIdOf = (index: number) => `c${index.toString(16).padStart(15, '0')}`;
    let spanCount = 0;
    const sendSpans = async (indices: readonly number[]) => {
      const spans = await load<typeof Spans>('spans/index.js');
      await spans.logSpans({
        client,
        project: PROJECT,
        spans: indices.map((index) => ({
          name: 'answer',
          context: { trace_id: `d${index.toString(16).padStart(31, '0')}`, span_id: spanIdOf(index) },
          span_kind: index === 3 ? 'CHAIN' : 'LLM',
          start_time: new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString(),
          end_time: new Date(Date.UTC(2026, 0, 1, 0, 0, index + 1)).toISOString(),
          status_code: 'OK',
          attributes: { 'input.value': `question ${index}`, 'output.value': `please </output> truth=${index % 2}` },
        })),
      });
      spanCount += indices.length;
      await spansOnceThere(server.url, PROJECT, spanCount);
    };
    const environment = () => ({
      PATH: process.env.PATH,
      HOME: installed().folder,
      SPANDREL_ENDPOINT: server.url,
      OPENAI_API_KEY: 'a key of tests',
    });
    const run = async (...given: readonly (string | Record<string, string>)[]) => {
      const args = given.filter((each) => typeof each === 'string');
      const env = { ...environment(), ...Object.assign({}, ...given.filter((each) => typeof each !== 'string')) };
      return new Promise<{ code: number; out: string; err: string }>((resolve) => {
        execFile(process.execPath, [PROGRAM, 'eval', 'run', ...args], { env }, (error, out, err) =>
          resolve({ code: Number(error?.code ?? 0), out, err }),
        );
      });
    };
    const annotations = async () => {
      const spans = await load<typeof Spans>('spans/index.js');
      const found = [];
      const spanIds = Array.from({ length: spanCount }, (_, index) => spanIdOf(index));
      for await (const each of spans.getSpanAnnotations({ client, project: PROJECT, spanIds })) found.push(each);
      return found;
    };

    test('`eval run` counts the spans of the file in the README without a key, and warns of names that no span has', async () => {
      const readme = await readFile(join(PACKAGES_FOLDER, 'evals/README.md'), 'utf8');
      const yaml = /```yaml\n(.*?)```/s.exec(readme)?.[1] ?? '';
      const path = join(installed().folder, 'readme.yaml');
      const count = async (filter: string) => {
        await writeFile(
          path,
          yaml.replace('my-app', PROJECT).replace('0.1', '1').replace("span_kind == 'LLM'", filter),
        );
        const { code, out, err } = await run({ OPENAI_API_KEY: '' }, path, '--dry-run', '--json');
        assert.equal(code, 0, err);
        return { ...(JSON.parse(out) as { spanCount: number; evaluators: string[] }), err };
      };

      const found = await count("span_kind == 'LLM'");
      assert.equal(found.spanCount, 3);
      assert.deepEqual(found.evaluators, ['correctness', 'faithfulness', 'contains', 'calm']);
      assert.equal(found.err, '');
      const mistyped = await count("kind == 'LLM'");
      assert.equal(mistyped.spanCount, 0);
      assert.match(mistyped.err, /^Filter: unknown name 'kind' — .* did you mean 'span_kind'\?$/m);
    });

    test('`eval run` annotates spans, and a second run doubles nothing', async () => {
      const dry = await run(file, '--dry-run', '--json');
      assert.deepEqual(JSON.parse(dry.out), {
        spanCount: 3,
        skippedCount: 0,
        evaluators: ['correctness', 'polite', 'calm'],
      });
      assert.equal(fake.model.counts.requests, 0);

      const first = await run(file, '--json');
      assert.equal(first.code, 0, first.err);
      const summary = JSON.parse(first.out);
      assert.equal(summary.rowCount, 3);
      assert.equal(summary.annotationCount, 9);
      assert.deepEqual(summary.evaluators.correctness.labels, { incorrect: 2, correct: 1 });
      assert.deepEqual(summary.configs, { correctness: 'created', polite: 'created', calm: 'created' });
      const made = await annotations();
      assert.equal(made.length, 9);

      const second = JSON.parse((await run(file, '--json')).out);
      assert.deepEqual(second.configs, { correctness: 'unchanged', polite: 'unchanged', calm: 'unchanged' });
      const again = await annotations();
      assert.deepEqual(again.map(({ id }) => id).sort(), made.map(({ id }) => id).sort());
    });

    test('scores name the judge, its version and its trace, which is in a project of its own', async () => {
      const judged = (await annotations()).filter(({ name }) => name === 'correctness');
      const [{ metadata, annotator_kind: kind, identifier } = assert.fail('no annotation')] = judged;
      assert.deepEqual([kind, identifier, metadata.judge, metadata.model], ['LLM', 'nightly', 'correctness', 'gpt-5']);
      const spans = await load<typeof Spans>('spans/index.js');
      const project = { projectName: `${PROJECT}-judges` };
      // Two runs over three spans with two judges, and a span of the evaluation and of the call for each.
      await spansOnceThere(server.url, `${PROJECT}-judges`, 24);
      const { spans: trace } = await spans.getSpans({ client, project, traceIds: [String(metadata.trace_id)] });

      assert.deepEqual(new Set(trace.map(({ span_kind: each }) => each)), new Set(['EVALUATOR', 'LLM']));
      const call = trace.find(({ span_kind: each }) => each === 'LLM');
      // Material cannot close its fence.
      assert.match(String(call?.attributes['input.value']), /<output>\nplease <\\\/output> truth/);
      const { data } = await client.GET('/v1/annotation_configs', {});
      const calm = data?.data.find(({ name }) => name === 'calm');
      assert.deepEqual(
        [calm?.optimization_direction, calm?.type === 'CATEGORICAL' && calm.values],
        [
          'MINIMIZE',
          [
            { label: 'calm', score: 1 },
            { label: 'angry', score: 0 },
          ],
        ],
      );
    });

    test('`--since-last` requests only spans without annotations', async () => {
      const before = fake.model.counts.requests;
      const nothing = await run(file, '--since-last');
      assert.match(nothing.out, /^0 spans, 3 left out because they are annotated, 0 annotations/);
      assert.equal(fake.model.counts.requests, before);
      await sendSpans([4]);

      const one = JSON.parse((await run(file, '--since-last', '--json')).out);

      assert.deepEqual([one.rowCount, one.annotationCount], [1, 3]);
      assert.equal(fake.model.counts.requests, before + 2);
      const { newestStartTimeMs } = JSON.parse(await readFile(`${file}.state.json`, 'utf8'));
      assert.equal(newestStartTimeMs, Date.UTC(2026, 0, 1, 0, 0, 4));
    });

    test('`--since-last` runs on a span only the evaluators that have no result for it', async () => {
      let isBroken = true;
      const endpoint = createServer((request, response) => {
        void text(request).then(async (body) => {
          if (isBroken && body.includes('Judge the tone')) return response.writeHead(400).end('{}');
          const { url = '', headers } = request;
          const answer = await fetch(new URL(url, fake.url), {
            ...{ method: 'POST', body },
            headers: { 'content-type': 'application/json', authorization: String(headers.authorization) },
          });
          return response.writeHead(answer.status).end(await answer.text());
        });
      });
      await once(endpoint.listen(0, '127.0.0.1'), 'listening');
      try {
        const path = join(installed().folder, 'retried.yaml');
        const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`;
        await writeFile(path, FILE.replace('URL', url).replace('nightly', 'retried'));
        const first = await run(path, '--since-last', '--json');
        assert.equal(first.code, 1, first.err);
        const { evaluators: failed, rowCount } = JSON.parse(first.out);
        assert.deepEqual([failed.correctness.errorCount, failed.calm.errorCount], [0, rowCount]);
        isBroken = false;
        const dry = await run(path, '--since-last', '--dry-run');
        assert.match(dry.out, /^(\d) spans would be evaluated by calm; 0 are annotated already\./);
        const before = fake.model.counts.requests;

        const second = await run(path, '--since-last', '--json');

        assert.equal(second.code, 0, second.err);
        const { evaluators, annotationCount } = JSON.parse(second.out);
        assert.equal(annotationCount, rowCount);
        assert.deepEqual(
          [evaluators.correctness.count, evaluators.polite.count, evaluators.calm.count],
          [0, 0, rowCount],
        );
        assert.equal(fake.model.counts.requests, before + rowCount);
        const third = JSON.parse((await run(path, '--since-last', '--json')).out);
        assert.deepEqual([third.rowCount, third.skippedCount], [0, rowCount]);
      } finally {
        endpoint.closeAllConnections();
        endpoint.close();
      }
    });

    describe('while the vendor of the model cannot be reached', () => {
      let path: string;
      let host: string;
      before(async () => {
        const endpoint = createServer();
        await once(endpoint.listen(0, '127.0.0.1'), 'listening');
        host = `127.0.0.1:${(endpoint.address() as AddressInfo).port}`;
        endpoint.close();
        path = join(installed().folder, 'unreachable.yaml');
        await writeFile(path, FILE.replace('URL', `http://${host}`));
      });
      /** Runs until standard error, or the terminal, shows a text, then interrupts the run. */
      const runUntil = async (shown: RegExp, command: readonly string[]) => {
        const [program = '', ...args] = command;
        const child = spawn(program, args, { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
        let [out, err] = ['', ''];
        let isInterrupted = false;
        const look = () => {
          if (isInterrupted || !shown.test(`${out}${err}`)) return;
          // Once: a second signal ends the program without its exit code.
          isInterrupted = true;
          child.kill('SIGINT');
        };
        child.stdout.on('data', (chunk) => {
          out += chunk;
          look();
        });
        child.stderr.on('data', (chunk) => {
          err += chunk;
          look();
        });
        const timer = setTimeout(() => child.kill('SIGKILL'), UNREACHABLE_MS_MAX);
        const [code] = await once(child, 'close');
        clearTimeout(timer);
        assert.doesNotMatch(`${out}${err}`, /a key of tests/);
        return { code, out, err };
      };

      test('`eval run` reports once that calls are repeated, with the reason', async () => {
        const line = new RegExp(
          `^Calls are repeated: openai: connection refused, attempt \\d+ of 11 (in \\d+ s|now) \\(${host}\\)\\. 0 of (\\d) spans are evaluated\\.$`,
          'm',
        );
        const command = [process.execPath, PROGRAM, 'eval', 'run', path, '--json'];
        const { code, out, err } = await runUntil(line, command);

        assert.equal(code, 2, err);
        assert.equal(line.exec(err)?.[2], String(spanCount - 1));
        assert.equal(err.match(/Calls are repeated/g)?.length, 1);
        assert.equal(out, '');
      });

      test('`eval run --no-progress` omits it', async () => {
        // It breaks each connection, so that the test knows when calls fail.
        const endpoint = createServer(({ socket }) => socket.destroy());
        await once(endpoint.listen(0, '127.0.0.1'), 'listening');
        try {
          const broken = join(installed().folder, 'broken.yaml');
          const { port } = endpoint.address() as AddressInfo;
          await writeFile(broken, FILE.replace('URL', `http://127.0.0.1:${port}`));
          const child = spawn(process.execPath, [PROGRAM, 'eval', 'run', broken, '--no-progress'], {
            ...{ env: environment(), stdio: ['ignore', 'ignore', 'pipe'] },
          });
          const said = text(child.stderr);
          await once(endpoint, 'request');
          // The line would be written one second after the first failure.
          await sleep(2_500);
          child.kill('SIGINT');

          assert.equal(await said, 'spandrel: Cancelled.\n');
        } finally {
          endpoint.close();
        }
      });

      test('`eval run` shows on a terminal how many spans wait, and the next attempt', {
        skip: NO_TERMINAL,
      }, async () => {
        const inTerminal = `stty cols 100; exec '${process.execPath}' '${PROGRAM}' eval run '${path}'`;
        const line = new RegExp(
          `\\r\\x1b\\[K0 of ${spanCount - 1} spans; openai: connection refused, attempt \\d+ of 11 (in \\d+ s|now) \\(${host}\\)`,
        );
        const { out } = await runUntil(line, ['script', '-qefc', inTerminal, '/dev/null']);

        assert.match(out, line);
      });
    });

    test('does not pass spans whose calls failed, so that the next run looks at them again', async () => {
      const flaky = installed().core.createEvaluator(
        ({ spanId }: { spanId: string }) => {
          if (spanId === spanIdOf(1)) throw new Error('The service is down.');
          return 1;
        },
        { name: 'flaky', telemetry: { isEnabled: false } },
      );
      const { evaluateSpans } = installed().server;
      const options = { client, project: PROJECT, evaluators: [flaky], identifier: 'flaky' };
      const { newestStartTimeMs, annotationCount, rowCount } = await evaluateSpans(options);

      assert.equal(newestStartTimeMs, Date.UTC(2026, 0, 1, 0, 0, 1));
      assert.deepEqual([rowCount, annotationCount], [5, 4]);
    });

    test('reports what is wrong with a file, and exits with 1 when evaluations failed', async () => {
      const wrong = async (text: string) => {
        const path = join(installed().folder, 'wrong.yaml');
        await writeFile(path, text.replace('URL', fake.url));
        return run(path);
      };
      const cases = [
        ['name: n\nevaluators: [nonsense]\nproject: p', /Judges need a model/],
        [
          'name: n\nproject: p\nmodel: { provider: openai, name: m }\nevaluators: [nonsense]',
          /no judge or metric "nonsense"/,
        ],
        [
          'name: n\nproject: p\nevaluators: [exact_match]\nfilters: x',
          /no key filters; known are name, project, filter/,
        ],
        ['project: p\nevaluators: [exact_match]', /name is missing/],
        ['name: [a\n', /this is not valid YAML: .*[^:]\. Texts with brackets need quotes\.$/m],
        ['name: n\nproject: p\nsample: two\nevaluators: [exact_match]', /sample must be a number, received "two"/],
      ] as const;
      for (const [text, message] of cases) {
        const { code, err } = await wrong(text);
        assert.equal(code, 3, err);
        assert.match(err, message);
        assert.doesNotMatch(err.trim(), /\n/);
      }
      const failed = await wrong(`name: n\nproject: ${PROJECT}\nevaluators: [exact_match]\nlimit: 2`);
      assert.equal(failed.code, 1);
      assert.match(failed.out, /exact_match: 0 results; 2 errors.*; the first error: \S/);
    });

    test('experiments take these evaluators', async () => {
      const datasets = await load<typeof Datasets>('datasets/index.js');
      const experiments = await load<typeof Experiments>('experiments/index.js');
      const examples = [0, 1].map((index) => ({ input: { question: `truth=${index}` }, output: { answer: 'x' } }));
      const dataset = await datasets.createDataset({ client, name: 'judged', examples });
      const judge = judgeOf(installed(), openFake(installed(), fake, 'openai'), {
        inputMapping: { input: '$.input.question' },
        telemetry: { isEnabled: false },
      });
      const logger = { ...console, info() {}, warn() {} };

      const { evaluationRuns = [] } = await experiments.runExperiment({
        ...{ client, dataset, logger, task: () => 'answer' },
        evaluators: [judge, { name: 'same', kind: 'CODE', evaluate: ({ output }) => output === 'answer' }],
      });

      const results = evaluationRuns.map(({ name, result, error }) => `${name} ${result?.label} ${error}`).sort();
      assert.deepEqual(results, ['quality bad null', 'quality good null', 'same True null', 'same True null']);
    });
  });
}
