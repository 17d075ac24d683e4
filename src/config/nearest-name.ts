/**
 * The candidate with the fewest edits (insertion, deletion, replacement, swap of neighbors) from `name`, unless there
 * are too many.
 */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const editCountMax = Math.max(1, Math.min(4, Math.floor(name.length / 3)));
  let nearest: { candidate: string; editCount: number } | undefined;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) > editCountMax) continue;
    const editCount = countEdits(name, candidate);
    if (editCount <= editCountMax && editCount < (nearest?.editCount ?? Infinity)) nearest = { candidate, editCount };
  }
  return nearest?.candidate;
}

/** Optimal string alignment distance. */
function countEdits(from: string, to: string): number {
  let twoBack: number[] = [];
  let oneBack = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (oneBack[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      let least = Math.min((oneBack[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, replaced);
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwap) least = Math.min(least, (twoBack[column - 2] ?? 0) + 1);
      current.push(least);
    }
    twoBack = oneBack;
    oneBack = current;
  }
  return oneBack[to.length] ?? 0;
}
