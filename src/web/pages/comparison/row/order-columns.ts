import type { Compared } from '../compared.ts';
import type { WholeRun } from './whole-run.ts';

/** Mean score of a name over the repetitions of each experiment. */
const meanOf = (runs: readonly WholeRun[], name: string): number => {
  const scores = runs.flatMap(({ annotations }) =>
    annotations.edges.flatMap(({ node }) => (node.name === name && node.score !== null ? [node.score] : [])),
  );
  return scores.length === 0 ? Number.NEGATIVE_INFINITY : scores.reduce((sum, each) => sum + each, 0) / scores.length;
};

/** Experiments by their score on a name, best first. Those without a score are last. */
export function sortByScore(
  compared: readonly Compared[],
  runsOf: (experimentId: string) => readonly WholeRun[],
  name: string,
  isLowerBetter: boolean,
): readonly Compared[] {
  const sign = isLowerBetter ? -1 : 1;
  const scored = compared.map((each) => ({ each, score: meanOf(runsOf(each.id), name) }));
  return scored
    .sort((a, b) =>
      a.score === b.score || !Number.isFinite(a.score) || !Number.isFinite(b.score)
        ? Number(Number.isFinite(b.score)) - Number(Number.isFinite(a.score))
        : sign * (b.score - a.score),
    )
    .map(({ each }) => each);
}

/**
 * The same items in an order that a seed determines, so that a reload keeps it. FNV-1a seeds a xorshift generator, which
 * shuffles by Fisher and Yates.
 */
export function shuffled<Item>(items: readonly Item[], seed: string): readonly Item[] {
  let state = 0x811c9dc5;
  for (const char of seed) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 0x01000193);
  state = (state ^ (state >>> 15)) >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const all = [...items];
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(next() * (at + 1));
    [all[at], all[other]] = [all[other]!, all[at]!];
  }
  return all;
}

/** Experiments without their names, colors and order. */
export function toBlind(compared: readonly Compared[], seed: string): readonly Compared[] {
  return shuffled(compared, seed).map((each, index) => ({
    ...each,
    letter: String(index + 1),
    color: '--muted',
    name: `Answer ${index + 1}`,
    experiment: undefined,
    isBase: false,
  }));
}
