/** Words and numbers of a text in lower case: runs of letters and digits of any script. */
export function tokenize(text: string): string[] {
  return text.toLowerCase().match(TOKEN) ?? [];
}

const TOKEN = /[\p{L}\p{N}]+/gu;

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
