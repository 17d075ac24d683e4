/**
 * What does an experiment whose task costs nothing take for each run, in time and in memory of the client? Ours stores each
 * result in a file with fsync before it posts it; the public client is measured beside it. One evaluator; each client has a
 * process of its own.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient as createPublicClient } from '@arizeai/phoenix-client';
import { runExperiment as runPublicExperiment } from '@arizeai/phoenix-client/experiments';
import { createDataset } from '../../clients/typescript/client/src/datasets/index.ts';
import { runExperiment } from '../../clients/typescript/client/src/experiments/index.ts';
import { createClient } from '../../clients/typescript/client/src/index.ts';
import { withServer } from '../whole-server/bench-server.ts';
import { ms, printTable, size } from '../whole-server/measure.ts';

const RUN_COUNT = size('RUNS', { smoke: 5, full: 10_000 });
const CONCURRENCY = 32;
const SILENT = { info() {}, warn() {}, error() {}, log() {}, debug() {}, table() {} };
const CLIENTS = ['ours', 'public'] as const;

interface Figures {
  readonly runMs: number;
  readonly memoryMb: number;
  readonly evaluationCount: number;
}

const [, , mode, url, datasetId] = process.argv;
if (mode === 'ours' || mode === 'public') {
  console.log(JSON.stringify(await measure(mode, url!, datasetId!)));
} else {
  await withServer(async (server) => {
    const client = createClient({ options: { baseUrl: server.url } });
    const examples = Array.from({ length: RUN_COUNT }, (_, i) => ({
      input: { question: `number ${i}` },
      output: { i },
    }));
    const dataset = await createDataset({ client, name: `bench ${Date.now()}`, examples });
    const outbox = await mkdtemp(join(tmpdir(), 'spandrel-bench-'));
    const env = { ...process.env, SPANDREL_OUTBOX_DIR: outbox };
    const rows: Record<string, string>[] = [];
    for (const name of CLIENTS) {
      const args = [fileURLToPath(import.meta.url), name, server.url, dataset.datasetId];
      const figures = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 1 << 28 }).then(
        ({ stdout }) => JSON.parse(stdout.trim().split('\n').at(-1)!) as Figures,
        // The public client does not wait for its evaluations, and ends by the first of them that fails.
        () => undefined,
      );
      rows.push({
        client: name,
        'ms a run': figures ? ms(figures.runMs) : 'ended by an error',
        'memory above its start, MB': figures?.memoryMb.toFixed(0) ?? '',
        evaluations: String(figures?.evaluationCount ?? ''),
      });
    }
    await rm(outbox, { recursive: true });
    printTable(`An experiment of ${RUN_COUNT} runs with one evaluator, ${CONCURRENCY} at once`, rows);
  });
}

/** Runs the experiment in this process. */
async function measure(name: (typeof CLIENTS)[number], baseUrl: string, id: string): Promise<Figures> {
  const dataset = { datasetId: id };
  const task = () => 'answer';
  const evaluator = { name: 'same', kind: 'CODE' as const, evaluate: () => ({ score: 1 }) };
  const before = process.memoryUsage().rss;
  const startedAt = performance.now();
  const options = { dataset, concurrency: CONCURRENCY, logger: SILENT };
  const ran =
    name === 'ours'
      ? await runExperiment({
          ...options,
          client: createClient({ options: { baseUrl } }),
          task,
          evaluators: [evaluator],
        })
      : await runPublicExperiment({
          ...options,
          client: createPublicClient({ options: { baseUrl } }),
          task: async () => task(),
          evaluators: [{ ...evaluator, evaluate: async () => evaluator.evaluate() }],
        });
  const runMs = (performance.now() - startedAt) / RUN_COUNT;
  const memoryMb = process.resourceUsage().maxRSS / 1_024 - before / 1_048_576;
  return { runMs, memoryMb, evaluationCount: ran.evaluationRuns?.length ?? 0 };
}
