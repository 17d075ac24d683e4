// Chooses the test files of a run. They are named by their path below test/, without its suffix.
import { findBase, findChangedTests, git } from './changed-tests.mjs';
import { estimateSeconds, isFirstTier, quarterOf, quarterOfCommit } from './test-tiers.mjs';

/** For the tests of the second tier that a change concerns, in CI. */
const CONCERNED_SECONDS_MAX = 100;

/**
 * @param {string[]} all names of all test files
 * @param {'first' | 'all' | 'changed' | 'ci'} scope
 * @returns {string[]}
 */
export function chooseTests(all, scope) {
  if (scope === 'all') return all;
  if (scope === 'changed') return chooseChanged(all);
  const first = all.filter(isFirstTier);
  if (scope === 'ci') return [...first, ...chooseForCi(all.filter((name) => !isFirstTier(name)))];
  console.log(`The first tier: ${first.length} of ${all.length} test files. npm run test:all runs all.`);
  return first;
}

function chooseChanged(all) {
  const { names, changed } = findConcerned(all);
  console.log(`${changed.length} changed files concern ${names.length} of ${all.length} test files.`);
  console.log(
    'Tests that start the whole server are among them only when they or their helpers changed: run npm test, too.',
  );
  return names;
}

/** Of the second tier: a quarter, and the tests that the change concerns, as far as CI has the time. */
function chooseForCi(second) {
  const quarter = Number(process.env.TEST_QUARTER ?? quarterOfCommit(Number(git('rev-list', '--count', 'HEAD')[0])));
  const inQuarter = second.filter((name) => quarterOf(name) === quarter);
  const base = findBase();
  const { names, changed } = findConcerned(second, base);
  const chosen = [];
  const leftOut = [];
  let seconds = 0;
  for (const name of names.filter((each) => !inQuarter.includes(each))) {
    const isWithin = seconds + estimateSeconds(name) <= CONCERNED_SECONDS_MAX;
    if (isWithin) seconds += estimateSeconds(name);
    (isWithin ? chosen : leftOut).push(name);
  }
  console.log(
    `Beside the first tier, quarter ${quarter + 1} of 4 of the second: ${inQuarter.length} of ${second.length} test files.`,
  );
  console.log(
    `The change since ${git('log', '-1', '--format=%h of %ci', base)[0]} has ${changed.length} files, which concern ${names.length} test files of the second tier.`,
  );
  console.log(`${chosen.length} of them run besides the quarter: ${chosen.join(' ')}`);
  if (leftOut.length > 0) {
    console.log(
      `${leftOut.length} would take longer than ${CONCERNED_SECONDS_MAX} s and wait for their quarter: ${leftOut.join(' ')}`,
    );
  }
  return [...inQuarter, ...chosen];
}

function findConcerned(all, base) {
  const { tests, changed } = findChangedTests(base);
  const names = tests.map((path) => path.replace(/^test\//, '').replace(/\.test\.ts$/, ''));
  return { names: names.filter((name) => all.includes(name)), changed };
}
