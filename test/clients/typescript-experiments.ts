import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createClient as createPublicClient } from '@arizeai/phoenix-client';
import * as publicExperiments from '@arizeai/phoenix-client/experiments';
import { openCuttingProxy } from '../web/cutting-proxy.ts';
import type { SpandrelClient } from '../../clients/typescript/client/src/index.ts';
import type { InstalledClient } from './installed-client.ts';
import { openModelEndpoint } from './model-endpoint.ts';

/** What the tests need of the file that starts server and client. */
export interface ExperimentWorld {
  readonly serverUrl: () => string;
  readonly client: () => SpandrelClient;
  readonly installed: () => InstalledClient;
}

const SILENT = { info() {}, warn() {}, error() {}, log() {}, debug() {}, table() {} };
const RUN_COUNT = 120;
const CONCURRENCY = 8;

/** Tests of experiments, on the server and the client of the calling file. */
export function testExperiments({ serverUrl, client: clientOf, installed }: ExperimentWorld): void {
  const makeDataset = async (name: string, count: number) => {
    const datasets = await installed().load('./datasets');
    const examples = Array.from({ length: count }, (_, i) => ({ input: { i }, output: { twice: 2 * i } }));
    return datasets.createDataset({ client: clientOf(), name, examples });
  };

  describe('experiments', () => {
    test('store runs and evaluations, which the public client reads', async () => {
      const experiments = await installed().load('./experiments');
      const client = clientOf();
      const dataset = await makeDataset('doubling', 6);
      const options = { client, dataset, logger: SILENT, repetitions: 2 };
      const exact = ({ output, expected }: { output: unknown; expected: unknown }) =>
        (output as { twice: number }).twice === (expected as { twice: number }).twice;
      const meta = () => ({ score: 0.5, label: 'half', explanation: 'why', metadata: { k: [1] } });

      const ran = await experiments.runExperiment({
        ...options,
        task: ({ input }) => {
          if (input.i === 4) throw new TypeError('no 4');
          return { twice: 2 * Number(input.i) + (input.i === 1 ? 1 : 0), at: new Date(0), big: 1n };
        },
        evaluators: { exact, meta },
      });

      assert.equal(ran.successfulRunCount, 10);
      assert.equal(ran.failedRunCount, 2);
      assert.equal(ran.evaluationRuns?.length, 20);
      assert.ok(
        ran.evaluationRuns.every(({ id, error }) => error === null && atob(id).startsWith('ExperimentEvaluation:')),
      );
      const publicClient = createPublicClient({ options: { baseUrl: serverUrl() } });
      const theirs = await publicExperiments.getExperiment({ client: publicClient, experimentId: ran.id });
      const { runs } = await experiments.getExperiment({ client, experimentId: ran.id });
      assert.deepEqual(
        Object.values(runs).map(({ repetitionNumber: _, ...run }) => run),
        Object.values(theirs.runs),
      );
      assert.match(Object.values(runs).find(({ error }) => error)?.error ?? '', /^TypeError: no 4$/);
      const rows = (await client.fetch(`/v1/experiments/${ran.id}/json`).then((response) => response.json())) as {
        output: unknown;
        annotations: { name: string; metadata: unknown }[];
      }[];
      assert.deepEqual(rows[0]?.output, { twice: 0, at: '1970-01-01T00:00:00.000Z', big: '1' });
      assert.deepEqual(rows[0]?.annotations.find(({ name }) => name === 'meta')?.metadata, { k: [1] });

      const resumed = await experiments.resumeExperiment({
        client,
        experimentId: ran.id,
        logger: SILENT,
        task: ({ input }) => ({ twice: 2 * Number(input.i) }),
        evaluators: [{ name: 'exact', kind: 'CODE', evaluate: exact }],
      });
      assert.deepEqual([resumed.runCount, resumed.evaluationCount, resumed.missingRunCount], [2, 2, 0]);

      const second = await experiments.runExperiment({
        ...options,
        task: ({ input }) => ({ twice: 2 * Number(input.i) }),
        evaluators: { exact },
      });
      const { measures } = await experiments.compareExperiments({ client, baselineId: ran.id, candidateId: second.id });
      const { baseline, candidate, difference } = measures.find(({ key }) => key === 'score:exact')!;
      assert.deepEqual([difference.count, difference.wins, difference.ties], [6, 1, 5]);
      assert.ok(Math.abs(difference.mean! - 1 / 6) < 1e-9);
      assert.ok(baseline.mean! < candidate.mean! && difference.low! < 0 && difference.high! > 1 / 6);
      assert.equal(difference.verdict, 'UNCLEAR');
    });

    test('log the first cause of each kind of failure', async () => {
      const experiments = await installed().load('./experiments');
      const warnings: string[] = [];
      await experiments.runExperiment({
        ...{ client: clientOf(), dataset: await makeDataset('failing', 6), dryRun: 6 },
        logger: { ...SILENT, warn: (message) => void warnings.push(message) },
        task: ({ input }) => {
          if (Number(input.i) < 2) throw new TypeError(`no ${input.i}`);
          if (Number(input.i) < 4) throw new Error('another\nkind');
          return 1;
        },
        evaluators: {
          broken: () => {
            throw new RangeError('out');
          },
        },
      });

      assert.deepEqual(warnings.map((text) => text.replace(/no \d/, 'no N')).sort(), [
        'evaluations: one failed with broken: RangeError: out',
        'tasks: one failed with Error: another kind',
        'tasks: one failed with TypeError: no N',
      ]);
    });

    test('compare two pairs as the server does, which has no interval of so few', async () => {
      const experiments = await installed().load('./experiments');
      const options = { client: clientOf(), dataset: await makeDataset('pairs', 2), logger: SILENT, task: () => 1 };
      const [base, other] = [
        await experiments.runExperiment({ ...options, evaluators: { same: () => 0 } }),
        await experiments.runExperiment({ ...options, evaluators: { same: () => 1 } }),
      ];
      const compared = { client: clientOf(), baselineId: base.id, candidateId: other.id };
      const { measures } = await experiments.compareExperiments(compared);

      const { difference } = measures.find(({ name }) => name === 'same')!;
      assert.deepEqual([difference.mean, difference.low, difference.high], [1, null, null]);
      assert.equal(difference.sentence.split(';')[0], 'too few examples to compare same: n = 2, at least 6 are needed');
      await assert.rejects(
        experiments.compareExperiments({ ...compared, ...{ confidence: 0.9 } }),
        /compareExperiments has no option confidence/,
      );
    });

    test('are in the order of the examples, whatever ends first', async () => {
      const experiments = await installed().load('./experiments');
      const dataset = await makeDataset('ordered', 6);
      const slowAtFirst = async (i: number) => {
        await setTimeout((6 - i) * 20);
        return i;
      };

      const ran = await experiments.runExperiment({
        client: clientOf(),
        dataset,
        logger: SILENT,
        concurrency: 6,
        task: ({ input }) => slowAtFirst(Number(input.i)),
        evaluators: { first: ({ output }) => slowAtFirst(Number(output)), second: ({ output }) => -Number(output) },
      });

      const outputs = [0, 1, 2, 3, 4, 5];
      assert.deepEqual(
        Object.values(ran.runs).map(({ output }) => output),
        outputs,
      );
      assert.deepEqual(
        ran.evaluationRuns?.map(({ name, result }) => [name, result?.score]),
        outputs.flatMap((output) => [
          ['first', output],
          ['second', -output],
        ]),
      );
    });

    test('store nothing in a dry run, and stop at a budget', async () => {
      const experiments = await installed().load('./experiments');
      const client = clientOf();
      const dataset = await makeDataset('budget', 30);
      const dry = await experiments.runExperiment({
        client,
        dataset,
        logger: SILENT,
        dryRun: 2,
        task: () => 1,
        evaluators: { one: () => 1 },
      });

      assert.equal(Object.keys(dry.runs).length, 2);
      assert.equal(dry.evaluationRuns?.[0]?.result?.score, 1);
      assert.deepEqual(await experiments.listExperiments({ client, datasetId: dataset.datasetId }), []);

      const cut = await experiments.runExperiment({
        ...{ client, dataset, logger: SILENT, concurrency: 1, maxCost: 5 },
        task: (_, { addCost }) => addCost(1),
      });
      assert.equal(cut.stopReason, 'cost');
      assert.deepEqual([cut.successfulRunCount, cut.missingRunCount], [5, 25]);
    });

    test('repeat calls that a vendor rejected for their rate, and no others', async (t) => {
      const experiments = await installed().load('./experiments');
      const model = await openModelEndpoint({ rejects: (number) => number % 7 === 0 });
      t.after(() => model.close());
      const dataset = await makeDataset('limited', 40);
      const ran = await experiments.runExperiment({
        ...{ client: clientOf(), dataset, logger: SILENT, concurrency: 10, retries: 8 },
        task: async ({ input }) => {
          const response = await fetch(`${model.url}/${input.i}`);
          const { status, headers } = response;
          if (!response.ok) throw Object.assign(new Error('rate limit'), { status, headers });
          if (input.i === 5) throw new Error('bug');
          return response.text();
        },
      });

      assert.deepEqual([ran.successfulRunCount, ran.failedRunCount], [39, 1]);
      assert.deepEqual([...new Set(model.calls.values())], [1]);
      assert.ok(model.callCount() > 40);
    });

    test('lose no result and repeat no call when the server is away and the process is killed', async (t) => {
      const experiments = await installed().load('./experiments');
      const { createClient } = await installed().load('.');
      const proxy = await openCuttingProxy(t, serverUrl());
      const model = await openModelEndpoint({ delayMs: 5 });
      t.after(() => model.close());
      const dataset = await makeDataset('killed', RUN_COUNT);
      const outboxDir = join(installed().folder, 'outbox');
      await mkdir(outboxDir, { recursive: true });
      const script = join(installed().folder, 'killed.mjs');
      await writeFile(script, childScript(dataset.datasetId, model.url));
      // The first results reach the server, the others find the network away.
      const isDown = proxy.goDownAfter(12_000);
      const env = { ...process.env, SPANDREL_ENDPOINT: proxy.url, SPANDREL_OUTBOX_DIR: outboxDir };
      const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      t.after(() => child.kill('SIGKILL'));
      const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
      await isDown;
      while (model.callCount() < RUN_COUNT / 2) await setTimeout(5);
      process.env.SPANDREL_OUTBOX_DIR = outboxDir;
      t.after(() => void delete process.env.SPANDREL_OUTBOX_DIR);
      const again = {
        client: createClient({ options: { baseUrl: proxy.url } }),
        experimentId: line.trim(),
        logger: SILENT,
      };
      await assert.rejects(
        experiments.resumeExperiment({ ...again, task: () => null }),
        /Process \d+ runs this experiment/,
      );
      child.kill('SIGKILL');
      await once(child, 'exit');
      proxy.restore();
      const files = await readdir(outboxDir, { recursive: true });
      assert.equal(files.filter((name) => name.endsWith('.jsonl')).length, 1, 'the outbox is left behind');
      const resumed = await experiments.resumeExperiment({
        ...again,
        task: async ({ input }) => (await fetch(`${model.url}/${input.i}`)).text(),
      });

      assert.deepEqual(
        [resumed.missingRunCount, resumed.failedRunCount, resumed.successfulRunCount],
        [0, 0, RUN_COUNT],
      );
      assert.ok(resumed.sentCount > 0);
      const repeated = [...model.calls.values()].filter((count) => count > 1);
      assert.equal(model.calls.size, RUN_COUNT);
      assert.ok(repeated.length <= CONCURRENCY, `${repeated.length} calls were made twice`);
      assert.equal((await readdir(outboxDir, { recursive: true })).filter((name) => name.endsWith('.jsonl')).length, 0);
    });

    test('end after the running tasks on Ctrl-C, and say how to continue', async (t) => {
      const experiments = await installed().load('./experiments');
      const model = await openModelEndpoint({ delayMs: 20 });
      t.after(() => model.close());
      const dataset = await makeDataset('interrupted', RUN_COUNT);
      const script = join(installed().folder, 'interrupted.mjs');
      await writeFile(script, childScript(dataset.datasetId, model.url).replace('warn() {}', 'warn: console.log'));
      const outbox = join(installed().folder, 'interrupted-outbox');
      const env = { ...process.env, SPANDREL_ENDPOINT: serverUrl(), SPANDREL_OUTBOX_DIR: outbox };
      const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      t.after(() => child.kill('SIGKILL'));
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
      while (model.callCount() < 2 * CONCURRENCY) await setTimeout(5);
      child.kill('SIGINT');
      const [code] = (await once(child, 'exit')) as [number];

      const [info] = await experiments.listExperiments({ client: clientOf(), datasetId: dataset.datasetId });
      assert.equal(code, 0);
      assert.match(output, /resumeExperiment\(\{ experimentId: "/);
      assert.equal(info?.successfulRunCount, model.callCount());
      assert.ok(model.callCount() < RUN_COUNT);
    });
  });
}

/** A program of the kind that people write: it prints the ID of the experiment and runs until it is killed. */
const childScript = (datasetId: string, modelUrl: string): string => `
import { createClient } from '@spandrel/client';
import { runExperiment } from '@spandrel/client/experiments';

const client = createClient();
const logger = { info(line) { const [, id] = /experimentId=([^&]+)/.exec(line) ?? []; if (id) console.log(decodeURIComponent(id)); },
  warn() {}, error() {}, log() {}, debug() {}, table() {} };
await runExperiment({
  client,
  logger,
  dataset: { datasetId: '${datasetId}' },
  concurrency: ${CONCURRENCY},
  task: async ({ input }) => (await fetch('${modelUrl}/' + input.i)).text(),
});
`;
