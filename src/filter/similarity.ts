/** Minimum similarity of a name for a "did you mean" hint. */
const SIMILARITY_MIN = 0.75;

/** Number of compared characters per text. The time of the search grows faster than the product of the lengths. */
const CHARS_MAX = 200;

/** The most similar candidate, if it is similar enough. */
export function mostSimilar(name: string, candidates: readonly string[]): string | undefined {
  let best: { candidate: string; similarity: number } | undefined;
  for (const candidate of candidates) {
    const similarity = similarityOf(name, candidate);
    if (similarity > (best?.similarity ?? SIMILARITY_MIN)) best = { candidate, similarity };
  }
  return best?.candidate;
}

/**
 * Twice the number of matching characters divided by the number of all characters: 1 for equal texts, 0 if nothing
 * matches.
 */
export function similarityOf(a: string, b: string): number {
  const length = a.length + b.length;
  return length === 0 ? 1 : (2 * countMatches(a.slice(0, CHARS_MAX), b.slice(0, CHARS_MAX))) / length;
}

/** Ratcliff and Obershelp: the longest common substring, and then the same to its left and right. */
function countMatches(a: string, b: string): number {
  const { startA, startB, length } = longestCommonRun(a, b);
  if (length === 0) return 0;
  return (
    length +
    countMatches(a.slice(0, startA), b.slice(0, startB)) +
    countMatches(a.slice(startA + length), b.slice(startB + length))
  );
}

function longestCommonRun(a: string, b: string): { startA: number; startB: number; length: number } {
  let best = { startA: 0, startB: 0, length: 0 };
  let runs = new Array<number>(b.length).fill(0);
  for (let i = 0; i < a.length; i++) {
    const next = new Array<number>(b.length).fill(0);
    for (let j = 0; j < b.length; j++) {
      if (a[i] !== b[j]) continue;
      const length = (runs[j - 1] ?? 0) + 1;
      next[j] = length;
      if (length > best.length) best = { startA: i - length + 1, startB: j - length + 1, length };
    }
    runs = next;
  }
  return best;
}
