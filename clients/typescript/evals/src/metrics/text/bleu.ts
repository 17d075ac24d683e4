import { countNgrams, countShared, tokenize } from './tokens.ts';

/** Longest n-gram. */
const SIZE_MAX = 4;

/**
 * BLEU of one text (Papineni 2002), from 0 to 1, with one added to the counts of longer n-grams (Lin and Och 2004), so that a
 * short text without a common four-gram is not 0. Two texts without words are equal.
 */
export function bleu(output: string, expected: string): number {
  const [words, reference] = [tokenize(output), tokenize(expected)];
  if (words.length === 0 || reference.length === 0) return words.length === reference.length ? 1 : 0;
  let logs = 0;
  for (let size = 1; size <= SIZE_MAX; size++) {
    const shared = countShared(countNgrams(words, size), countNgrams(reference, size));
    const total = Math.max(0, words.length - size + 1);
    if (size === 1 && shared === 0) return 0;
    logs += size === 1 ? Math.log(shared / total) : Math.log((shared + 1) / (total + 1));
  }
  const penalty = words.length >= reference.length ? 0 : 1 - reference.length / words.length;
  return Math.exp(penalty + logs / SIZE_MAX);
}
