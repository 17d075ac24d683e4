/** The candidate that differs from a word by at most a third of its letters. Undefined when none does. */
export function findNearest(word: string, candidates: readonly string[]): string | undefined {
  // A word of this length is no typing error.
  if (word.length > 60) return undefined;
  const scored = candidates
    .map((candidate) => ({ candidate, distance: distanceOf(word, candidate) }))
    .sort((left, right) => left.distance - right.distance);
  const [best] = scored;
  return best && best.distance <= Math.max(1, Math.floor(word.length / 3)) ? best.candidate : undefined;
}

/** Letters to insert, remove or replace. */
function distanceOf(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
