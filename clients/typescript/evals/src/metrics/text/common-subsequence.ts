import { InputError } from '../../errors.ts';
import { countBits } from '../bits.ts';
import { SUBSEQUENCE_TOKENS_MAX } from '../limits.ts';

/**
 * Length of the longest common subsequence of two lists of tokens, by bit vectors of 32 rows (Hyyrö 2004).
 *
 * @throws {InputError} when a list has more than `SUBSEQUENCE_TOKENS_MAX` tokens
 */
export function commonSubsequenceLength(first: readonly string[], second: readonly string[]): number {
  const longest = Math.max(first.length, second.length);
  if (longest > SUBSEQUENCE_TOKENS_MAX) {
    throw new InputError(
      `Expected texts of at most ${SUBSEQUENCE_TOKENS_MAX} words, received ${longest}. Compare shorter parts.`,
    );
  }
  const [short, long] = first.length <= second.length ? [first, second] : [second, first];
  if (short.length === 0) return 0;
  return short.length <= 32 ? lengthInOneWord(short, long) : lengthInWords(short, long);
}

function lengthInOneWord(short: readonly string[], long: readonly string[]): number {
  const rows = new Map<string, number>();
  for (let row = 0; row < short.length; row++) {
    const token = short[row] as string;
    rows.set(token, (rows.get(token) ?? 0) | (1 << row));
  }
  // A bit is 0 where the row is longer than the row above.
  let same = -1;
  for (const token of long) {
    const matches = rows.get(token);
    if (matches === undefined) continue;
    const kept = same & matches;
    same = (same + kept) | (same - kept);
  }
  const unused = short.length === 32 ? 0 : -1 << short.length;
  return countBits(~(same | unused));
}

function lengthInWords(short: readonly string[], long: readonly string[]): number {
  const wordCount = (short.length + 31) >>> 5;
  const rows = new Map<string, Int32Array>();
  for (let row = 0; row < short.length; row++) {
    const token = short[row] as string;
    let bits = rows.get(token);
    if (!bits) {
      bits = new Int32Array(wordCount);
      rows.set(token, bits);
    }
    bits[row >>> 5] = (bits[row >>> 5] as number) | (1 << (row & 31));
  }
  const same = new Int32Array(wordCount).fill(-1);
  for (const token of long) {
    const matches = rows.get(token);
    if (!matches) continue;
    let carry = 0;
    for (let word = 0; word < wordCount; word++) {
      const before = same[word] as number;
      const kept = before & (matches[word] as number);
      const sum = (before >>> 0) + (kept >>> 0) + carry;
      carry = sum > 0xffffffff ? 1 : 0;
      same[word] = sum | 0 | (before & ~(matches[word] as number));
    }
  }
  const rest = short.length & 31;
  if (rest !== 0) same[wordCount - 1] = (same[wordCount - 1] as number) | (-1 << rest);
  let length = 0;
  for (const bits of same) length += countBits(~bits);
  return length;
}
