/**
 * How many small evaluations per second does the sandbox run, in TypeScript and Python, one source and several? How long
 * does the first one take, and how long after its limit does an endless loop end?
 */
import type { CodeLanguage } from '../../src/model/evaluators/sandbox-config.ts';
import { createSandbox } from '../../src/sandbox/code/thread-sandbox.ts';
import { size } from '../whole-server/measure.ts';

const RUN_COUNT = size('RUNS', { smoke: 10, full: 3_000 });
const LOOP_COUNT = size('LOOPS', { smoke: 1, full: 10 });
const LIMIT_MS = 200;
/** As many as a job has by default. */
const CONCURRENCY = 10;
const signal = new AbortController().signal;

const SOURCES: Readonly<Record<CodeLanguage, (n: number) => string>> = {
  TYPESCRIPT: (n) => `function evaluate({ output, expected }: { output: string; expected: string }) {
    return { label: output === expected ? 'good' : 'bad', explanation: 'run ${n}' };
  }`,
  PYTHON: (n) => `def evaluate(output: str, expected: str):
    return {"label": "good" if output == expected else "bad", "explanation": "run ${n}"}`,
};
const LOOPS: Readonly<Record<CodeLanguage, string>> = {
  TYPESCRIPT: 'function evaluate() { while (true); }',
  PYTHON: 'def evaluate():\n  while True: pass',
};
const inputs = { output: 'an answer', expected: 'an answer' };

for (const language of ['TYPESCRIPT', 'PYTHON'] as const) {
  const sandbox = createSandbox();
  const run = (n: number) =>
    sandbox.run({ language, source: SOURCES[language](n), inputs, timeoutMs: 5_000, owner: '' }, signal);
  const startedAt = performance.now();
  await run(0);
  console.log(`${language}: first evaluation after ${(performance.now() - startedAt).toFixed(0)} ms`);
  for (const sourceCount of [1, 5, 20]) {
    const [from, cpu] = [performance.now(), process.cpuUsage()];
    let next = 0;
    const loop = async () => {
      for (let index = next++; index < RUN_COUNT; index = next++) await run(index % sourceCount);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, loop));
    const seconds = (performance.now() - from) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    const each = (user + system) / 1_000 / RUN_COUNT;
    const rate = (RUN_COUNT / seconds).toFixed(0);
    console.log(
      `${language}: ${rate} evaluations/s with ${sourceCount} sources, ${each.toFixed(2)} ms of processor time each`,
    );
  }
  const late: number[] = [];
  for (let loop = 0; loop < LOOP_COUNT; loop++) {
    await run(0);
    const from = performance.now();
    await sandbox.run({ language, source: LOOPS[language], inputs: {}, timeoutMs: LIMIT_MS, owner: '' }, signal);
    late.push(performance.now() - from - LIMIT_MS);
  }
  console.log(`${language}: a loop ends ${Math.max(...late).toFixed(0)} ms after its limit at most, of ${LOOP_COUNT}`);
  await sandbox.close();
}
