// Runs the test files that failed once more, alone. A test that passes then is flaky: the run names it and does not fail. Such tests are
// listed in test/flaky-tests.txt, so that the next run shows them until they are mended.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { listImporters } from './changed-tests.mjs';
import { ROOT } from './dist.mjs';

/** More flaky tests say that the machine or the change is at fault, so they count as failed. */
export const FLAKY_COUNT_MAX = 3;
/** When more files fail, a rule is broken, and running them again would only take time. */
const RERUN_COUNT_MAX = 10;
const FLAKY_LIST = join(ROOT, 'test/flaky-tests.txt');

/**
 * @param {import('./test-reporter.mjs').Results} first of the first run
 * @param {{ path: string, files: string[] }[]} processes of the first run, with the test files of each
 * @param {(path: string) => import('./test-reporter.mjs').Results | undefined} runAlone undefined if its process left no results
 * @returns {{ passed: number, failed: number, skipped: number, flaky: string[] }} counters of both runs
 */
export function rerunFailed(first, processes, runAlone) {
  const failures = first.tests.filter(({ status }) => status === 'failed');
  const pathsOf = (failure) => filesOf(failure, first.hasLateError, processes);
  const paths = [...new Set(failures.flatMap(pathsOf))];
  if (paths.length > RERUN_COUNT_MAX) {
    console.log(`\n${paths.length} test files failed. Up to ${RERUN_COUNT_MAX} would run again.`);
    return countTests(first.tests);
  }
  const again = new Map();
  const incomplete = new Set();
  for (const path of paths) {
    console.log(`\nOnce more, alone: ${relative(ROOT, path)}`);
    const results = runAlone(path);
    if (results === undefined || results.hasLateError || results.tests.some(({ isOfProcess }) => isOfProcess)) {
      incomplete.add(path);
    }
    for (const test of results?.tests ?? []) {
      if (again.get(keyOf(test))?.status !== 'failed') again.set(keyOf(test), test);
    }
  }
  const hasPassed = (failure) =>
    again.get(keyOf(failure))?.status === 'passed' ||
    (!again.has(keyOf(failure)) && !pathsOf(failure).some((path) => incomplete.has(path)));
  const flaky = failures.filter(hasPassed);
  const known = new Set(first.tests.map(keyOf));
  return {
    ...countTests([
      ...first.tests
        .filter((test) => !flaky.includes(test) || !test.isOfProcess)
        .map((test) => (flaky.includes(test) ? { ...test, status: 'passed' } : test)),
      // A process that ended early has not reported all of its tests.
      ...[...again.values()].filter((test) => !known.has(keyOf(test))),
    ]),
    flaky: flaky.filter(({ isOfSubtests }) => !isOfSubtests).map(keyOf),
  };
}

/** @param {import('./test-reporter.mjs').TestResult[]} tests */
export function countTests(tests) {
  const count = (status) => tests.filter((test) => test.status === status && !test.isSuite).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped'), flaky: [] };
}

const keyOf = ({ file, title }) => `${toSource(file)} › ${title}`;

/** The test files to run again because of a failure. */
function filesOf({ file, isOfProcess }, hasLateError, processes) {
  if (isOfProcess) return [file];
  const files = processes.flatMap((each) => each.files);
  const importers = listImporters(toSource(file));
  const own = files.filter((each) => toSource(each) === toSource(file));
  const found = own.length > 0 ? own : files.filter((each) => importers.has(toSource(each)));
  // The error may be of another file of the same process.
  return hasLateError
    ? processes.filter((each) => each.files.some((path) => found.includes(path))).map(({ path }) => path)
    : found;
}

/** The path of the source of a compiled file, from the root. */
const toSource = (path) =>
  relative(ROOT, path)
    .replace(/^dist\//, '')
    .replace(/\.js$/, '.ts');

/** Adds tests to the list, and returns all that are on it. */
export function listFlaky(found) {
  const text = existsSync(FLAKY_LIST) ? readFileSync(FLAKY_LIST, 'utf8') : '';
  const listed = text.split('\n').filter((line) => line.includes(' › '));
  const added = found.filter((line) => !listed.includes(line));
  if (added.length > 0) writeFileSync(FLAKY_LIST, `${text.trimEnd()}\n${added.join('\n')}\n`);
  return [...listed, ...added];
}
