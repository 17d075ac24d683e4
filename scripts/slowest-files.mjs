// A reporter of node:test that prints the test files that took longest, by the sum of their top-level tests, and the processes
// that used most processor time. On a few cores, that time limits a run, and waiting costs little.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from './dist.mjs';

const SHOWN_COUNT = 30;

export default async function* slowestFiles(events) {
  const msByFile = new Map();
  for await (const { type, data } of events) {
    const isTest = type === 'test:pass' || type === 'test:fail';
    if (!isTest || data.nesting !== 0 || data.file === undefined) continue;
    msByFile.set(data.file, (msByFile.get(data.file) ?? 0) + data.details.duration_ms);
  }
  const slowest = [...msByFile].sort(([, one], [, other]) => other - one).slice(0, SHOWN_COUNT);
  if (slowest.length === SHOWN_COUNT) {
    yield '\nSlowest files, in seconds:\n';
    for (const [file, ms] of slowest) yield `${column(ms / 1_000)}  ${relative(ROOT, file)}\n`;
  }
  const processes = readProcessorTimes();
  if (processes.length === 0) return;
  const sum = processes.reduce((total, { seconds }) => total + seconds, 0);
  yield `\nProcessor time of the processes of tests with what they started, in seconds (sum ${Math.round(sum)}), and their time:\n`;
  for (const { file, seconds, wallSeconds } of processes.slice(0, SHOWN_COUNT)) {
    yield `${column(seconds)}  ${column(wallSeconds)}  ${relative(ROOT, file)}\n`;
  }
}

const column = (seconds) => seconds.toFixed(1).padStart(7);

/** Empty where processor-time.mjs could write nothing. */
function readProcessorTimes() {
  const path = join(process.env.TEST_FOLDER ?? '', 'processor-times');
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line)).sort((one, other) => other.seconds - one.seconds);
}
