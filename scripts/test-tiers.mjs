// Which test files `npm test` runs (the first tier) and which only `npm run test:all` and CI run (the second).
import { createHash } from 'node:crypto';

/**
 * For a test file, the entry with the longest path that its path starts with holds: its tier, and about how many seconds of processor
 * time such a file takes. A new file needs no entry if that of its folder fits.
 *
 * The first tier checks every rule once, at the cheapest level that notices a break, and walks each page and each API of the built server
 * once. The second has the rest: pairs of levels that check the same rule, the other browser pages, published clients, crashes, benches.
 *
 * @type {Record<string, { tier: 1 | 2, seconds: number }>}
 */
const TIERS = {
  '': { tier: 1, seconds: 1 },
  'api/': { tier: 1, seconds: 4 },
  'clients/': { tier: 2, seconds: 20 },
  'e2e/': { tier: 2, seconds: 15 },
  'house/benches': { tier: 2, seconds: 150 },
  'web/': { tier: 2, seconds: 7 },
};
const QUARTER_COUNT = 4;

/** @param {string} path below test/, without its suffix */
const entryOf = (path) => {
  const [prefix] = Object.keys(TIERS)
    .filter((each) => path.startsWith(each))
    .sort((one, other) => other.length - one.length);
  return TIERS[prefix];
};

export const isFirstTier = (path) => entryOf(path).tier === 1;
export const estimateSeconds = (path) => entryOf(path).seconds;

/** The quarter of the second tier, from 0, to which a test file belongs. It does not depend on other files. */
export const quarterOf = (path) => createHash('sha256').update(path).digest()[0] % QUARTER_COUNT;
/** The quarter that CI runs for a commit. Four commits in a row have all four. */
export const quarterOfCommit = (commitCount) => commitCount % QUARTER_COUNT;
