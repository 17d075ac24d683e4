// A reporter of node:test that prints the test files that took longest, by the sum of their top-level tests.
import { relative } from 'node:path';
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
  if (slowest.length < SHOWN_COUNT) return;
  yield '\nSlowest files, in seconds:\n';
  for (const [file, ms] of slowest) yield `${(ms / 1000).toFixed(1).padStart(7)}  ${relative(ROOT, file)}\n`;
}
