/**
 * Words of a text in lower case: runs of letters and digits. A character of Chinese or Japanese is a word of its own, because
 * these languages do not separate words.
 */
export function tokenize(text: string): string[] {
  const lower = text.toLowerCase();
  return lower.match(UNSEPARATED.test(lower) ? WORD_OR_CHARACTER : WORD) ?? [];
}

const UNSEPARATED = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]/;
const WORD = /[\p{L}\p{N}]+/gu;
const WORD_OR_CHARACTER =
  /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]|(?:(?![\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff])[\p{L}\p{N}])+/gu;

/** How often each run of `size` tokens occurs. Tokens contain no space. */
export function countNgrams(tokens: readonly string[], size: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let start = 0; start + size <= tokens.length; start++) {
    let ngram = tokens[start] as string;
    for (let offset = 1; offset < size; offset++) ngram += ` ${tokens[start + offset]}`;
    counts.set(ngram, (counts.get(ngram) ?? 0) + 1);
  }
  return counts;
}

/** Number of n-grams that both have: of each, the smaller of its two counts. */
export function countShared(first: ReadonlyMap<string, number>, second: ReadonlyMap<string, number>): number {
  let shared = 0;
  for (const [ngram, count] of first) shared += Math.min(count, second.get(ngram) ?? 0);
  return shared;
}
