// A reporter of node:test that prints what `spec` prints, without its counters, and writes counters and failures to TEST_RESULTS for
// test.mjs: after failed files have run again, the counters of this run are no longer true.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { spec } from 'node:test/reporters';

const COUNTER = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;
const LATE_ERROR = /asynchronous activity after the test ended/;

/**
 * @typedef {object} TestResult
 * @property {'passed' | 'failed' | 'skipped'} status
 * @property {string} file where the test is defined, which may be a suite that several test files share; or the test file whose
 *   process failed
 * @property {string} title titles of its suites and its own
 * @property {boolean} isSuite no counter has suites
 * @property {boolean} isOfSubtests it failed only because tests in it failed
 * @property {boolean} isOfProcess the process failed besides its tests, so that some of them may not have run
 *
 * @typedef {object} Results
 * @property {TestResult[]} tests
 * @property {boolean} hasLateError an error came after its test had ended, and nothing says of which file
 */

export default async function* report(events) {
  yield* Readable.from(record(events)).compose(new spec());
}

async function* record(events) {
  /** @type {Results} */
  const results = { tests: [], hasLateError: false };
  const titles = [];
  for await (const event of events) {
    const { type, data } = event;
    if (type === 'test:start') titles.splice(data.nesting, Number.POSITIVE_INFINITY, data.name);
    if (type === 'test:pass' || type === 'test:fail') results.tests.push(...toResults(type, data, titles));
    // Node does not report that a process ended early if some of its tests failed.
    if (type === 'test:complete' && isOfFile(data) && isKilled(data.details?.error))
      results.tests.push(failedProcess(data));
    if (type === 'test:diagnostic' && LATE_ERROR.test(data.message)) results.hasLateError = true;
    if (type !== 'test:diagnostic' || data.nesting > 0 || !COUNTER.test(data.message)) yield event;
  }
  writeFileSync(process.env.TEST_RESULTS, JSON.stringify(results));
}

function toResults(type, data, titles) {
  const { name, file, nesting, skip, todo, details } = data;
  if (isOfFile(data)) return type === 'test:fail' && !isKilled(details.error) ? [failedProcess(data)] : [];
  const isSkipped = skip !== undefined || todo !== undefined;
  const result = {
    status: isSkipped ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed',
    file,
    title: [...titles.slice(0, nesting), name].join(' › '),
    isSuite: details.type === 'suite',
    isOfSubtests: details.error?.failureType === 'subtestsFailed',
    isOfProcess: false,
  };
  return [result];
}

const failedProcess = ({ name }) => ({
  status: 'failed',
  file: resolve(name),
  title: 'its process',
  isSuite: false,
  isOfSubtests: false,
  isOfProcess: true,
});

/** The result of a process, which node:test reports as a test with the name of its file. */
const isOfFile = ({ name, file, nesting }) => nesting === 0 && file !== undefined && resolve(name) === resolve(file);

const isKilled = (error) => error?.signal != null || (error?.exitCode ?? 0) > 1;
