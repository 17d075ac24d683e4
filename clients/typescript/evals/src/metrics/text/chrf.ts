/** Longest n-gram of characters, and the weight of recall. */
const SIZE_MAX = 6;
const BETA = 2;

/**
 * chrF (Popović 2015), from 0 to 1: F-score of character n-grams with recall weighted twice, without white space. Sizes for
 * which a text is too short do not count. 1 for two empty texts.
 */
export function chrf(output: string, expected: string): number {
  const [written, reference] = [withoutSpace(output), withoutSpace(expected)];
  if (written.length === 0 && reference.length === 0) return 1;
  let precision = 0;
  let recall = 0;
  let sizeCount = 0;
  for (let size = 1; size <= Math.min(SIZE_MAX, written.length, reference.length); size++) {
    const shared = countShared(written, reference, size);
    precision += shared / (written.length - size + 1);
    recall += shared / (reference.length - size + 1);
    sizeCount++;
  }
  if (precision + recall === 0) return 0;
  precision /= sizeCount;
  recall /= sizeCount;
  return ((1 + BETA * BETA) * precision * recall) / (BETA * BETA * precision + recall);
}

/** Characters of Unicode other than white space. */
function withoutSpace(text: string): string[] {
  return Array.from(text.replace(/\p{White_Space}+/gu, ''));
}

function countShared(first: readonly string[], second: readonly string[], size: number): number {
  const counts = new Map<string, number>();
  for (let start = 0; start + size <= second.length; start++) {
    const ngram = second.slice(start, start + size).join('');
    counts.set(ngram, (counts.get(ngram) ?? 0) + 1);
  }
  let shared = 0;
  for (let start = 0; start + size <= first.length; start++) {
    const ngram = first.slice(start, start + size).join('');
    const left = counts.get(ngram) ?? 0;
    if (left > 0) {
      shared++;
      counts.set(ngram, left - 1);
    }
  }
  return shared;
}
