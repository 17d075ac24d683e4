/** Names more alike than this are worth asking "did you mean". */
const SIMILARITY_MIN = 0.75;

/** The candidate most like `name`, if it is alike enough. */
export function mostSimilar(name: string, candidates: readonly string[]): string | undefined {
  let best: { candidate: string; similarity: number } | undefined;
  for (const candidate of candidates) {
    const similarity = similarityOf(name, candidate);
    if (similarity > (best?.similarity ?? SIMILARITY_MIN)) best = { candidate, similarity };
  }
  return best?.candidate;
}

/** Twice the number of matching characters over all characters: 1 for equal texts, 0 for those with nothing in common. */
export function similarityOf(a: string, b: string): number {
  const length = a.length + b.length;
  // Names that differ much in length cannot reach it, and the search below takes time by the product of the lengths.
  if (length === 0) return 1;
  const bound = (2 * Math.min(a.length, b.length)) / length;
  return bound <= SIMILARITY_MIN ? 0 : (2 * countMatches(a, b)) / length;
}

/** Ratcliff and Obershelp: the longest common run, and then the same to its left and to its right. */
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
