/**
 * What does the runner of @spandrel/evals make of a model: how near does it come to the ideal rate of a slow model and of a limit, what does a
 * row cost without latency, from a cache and in memory, and how many rows does a kill ask for twice? The model is the fake one, in
 * process or behind HTTP. Ratios hold on a busy machine; rates need a quiet one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createFakeModel,
  type FakeModelServer,
  startFakeModelServer,
} from '../../clients/typescript/evals/src/fake-model/index.ts';
import {
  createClassificationEvaluator,
  evaluate,
  type ModelInput,
  openModel,
  type RunSummary,
} from '../../clients/typescript/evals/src/index.ts';
import { ms, printTable, size } from '../whole-server/measure.ts';

const SLOW_COUNT = size('SLOW_ROWS', { smoke: 64, full: 3_200 });
const QUICK_COUNT = size('QUICK_ROWS', { smoke: 200, full: 50_000 });
const LIMITED_COUNT = size('LIMITED_ROWS', { smoke: 120, full: 3_000 });
const KILLED_COUNT = size('KILLED_ROWS', { smoke: 200, full: 10_000 });
const STREAMED_COUNT = size('STREAMED_ROWS', { smoke: 2_000, full: 1_000_000 });
const LATENCY_MS = 200;
const CONCURRENCY = 64;
const LIMIT = 100;
const FOLDER = await mkdtemp(join(tmpdir(), 'spandrel-evals-bench-'));

function* rowsOf(count: number) {
  for (let index = 0; index < count; index++) yield { input: `text ${index} truth=${index % 2}` };
}

const judgeOf = (model: ModelInput) =>
  createClassificationEvaluator({
    name: 'quality',
    model,
    choices: { good: 1, bad: 0 },
    promptTemplate: [
      { role: 'system', content: 'Judge the input.' },
      { role: 'user', content: '<input>{{input}}</input>' },
    ],
  });

/** Evaluates all rows without keeping them. Seconds, seconds of processor time, and the summary. */
async function time(count: number, model: ModelInput, options: object = {}) {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const run = evaluate({ data: rowsOf(count), evaluators: [judgeOf(model)], ...options });
  for await (const { details } of run)
    if (details.quality?.status === 'FAILED') throw new Error(details.quality.exceptions[0]);
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - startedAt) / 1_000;
  return { seconds, cpuSeconds: (user + system) / 1e6, summary: run.summary as RunSummary };
}

const toRow = (what: string, count: number, seconds: number, cpuSeconds: number, ideal?: number) => ({
  what,
  'rows/s': (count / seconds).toFixed(0),
  'of the ideal': ideal === undefined ? '' : `${((count / seconds / ideal) * 100).toFixed(1)} %`,
  'processor µs a row': ms((cpuSeconds / count) * 1e6),
});

async function slow() {
  const model = createFakeModel({ latencyMs: LATENCY_MS });
  const { seconds, cpuSeconds } = await time(SLOW_COUNT, model, { concurrency: CONCURRENCY });
  return toRow(
    `${LATENCY_MS} ms, ${CONCURRENCY} at once`,
    SLOW_COUNT,
    seconds,
    cpuSeconds,
    CONCURRENCY / (LATENCY_MS / 1_000),
  );
}

async function quick() {
  const model = createFakeModel({ countsTexts: false });
  await time(Math.min(QUICK_COUNT, 2_000), model);
  const plain = await time(QUICK_COUNT, model);
  const cache = join(FOLDER, 'cache.jsonl');
  const first = await time(QUICK_COUNT, model, { cache });
  const second = await time(QUICK_COUNT, model, { cache });
  if (second.summary.calls.requestCount > 0) throw new Error('The cache was not used.');
  const checkpoint = await time(QUICK_COUNT, model, { checkpoint: join(FOLDER, 'checkpoint.jsonl') });
  return [
    toRow('no latency', QUICK_COUNT, plain.seconds, plain.cpuSeconds),
    toRow('no latency, with a checkpoint', QUICK_COUNT, checkpoint.seconds, checkpoint.cpuSeconds),
    toRow('no latency, cache is written', QUICK_COUNT, first.seconds, first.cpuSeconds),
    toRow('from the cache', QUICK_COUNT, second.seconds, second.cpuSeconds),
  ];
}

const openOf = ({ url }: { readonly url: string }) =>
  openModel({ provider: 'openai', model: 'gpt-5-mini', apiKey: 'a key', baseUrl: `${url}/v1` });

async function limited(statesLimits: boolean) {
  const server = await startFakeModelServer({ requestsPerSecond: LIMIT, latencyMs: 30, statesLimits });
  const { seconds, summary } = await time(LIMITED_COUNT, openOf(server), { concurrency: CONCURRENCY });
  const { refused, requests } = server.model.counts;
  await server.close();
  // The bucket is full at the start.
  const ideal = Math.max(0.03, (LIMITED_COUNT - LIMIT) / LIMIT);
  return {
    limits: statesLimits ? 'stated in headers' : 'only 429 and Retry-After',
    'time by the ideal': (seconds / ideal).toFixed(3),
    'requests refused': `${((refused / requests) * 100).toFixed(2)} %`,
    'rows lost': String(LIMITED_COUNT - (summary.evaluators.quality?.count ?? 0)),
  };
}

async function killed() {
  const server: FakeModelServer = await startFakeModelServer({ latencyMs: 20 });
  const checkpoint = join(FOLDER, 'killed.jsonl');
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'killed', server.url, checkpoint], {
    stdio: 'inherit',
  });
  while (server.model.counts.answered < KILLED_COUNT / 2) await new Promise((resolve) => setTimeout(resolve, 2));
  child.kill('SIGKILL');
  await once(child, 'exit');
  await runOver(server.url, checkpoint);
  const { distinctTexts, repeatedTexts } = server.model.counts;
  await server.close();
  return { rows: String(distinctTexts), 'asked twice': String(repeatedTexts), 'calls at once': String(CONCURRENCY) };
}

async function runOver(url: string, checkpoint: string): Promise<void> {
  await time(KILLED_COUNT, openOf({ url }), { checkpoint, concurrency: CONCURRENCY });
}

async function stream(): Promise<void> {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 50);
  const { seconds } = await time(STREAMED_COUNT, createFakeModel({ countsTexts: false }));
  clearInterval(timer);
  console.log(JSON.stringify({ seconds, peak: Math.max(peak, process.memoryUsage.rss()) }));
}

async function inChild() {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'stream'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  const { seconds, peak } = JSON.parse(text) as { seconds: number; peak: number };
  return {
    rows: String(STREAMED_COUNT),
    'rows/s': (STREAMED_COUNT / seconds).toFixed(0),
    'memory of the process, MB': (peak / 1e6).toFixed(0),
  };
}

const [, , mode, ...rest] = process.argv;
if (mode === 'stream') await stream();
else if (mode === 'killed') await runOver(rest[0]!, rest[1]!);
else {
  printTable(`Rates (ideal: ${CONCURRENCY} calls of ${LATENCY_MS} ms at once)`, [await slow(), ...(await quick())]);
  printTable(`A limit of ${LIMIT} requests a second`, [await limited(true), await limited(false)]);
  printTable('Kill -9 in the middle of a run with a checkpoint', [await killed()]);
  printTable('Streamed rows, in a process of its own', [await inChild()]);
}
await rm(FOLDER, { recursive: true, force: true });
