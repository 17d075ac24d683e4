export interface ScoreSeries {
  readonly name: string;
  /** Oldest first. */
  readonly scores: readonly number[];
}

interface Scored {
  readonly name: string;
  readonly score: number | null;
}

/** Scores by annotation name from the annotations of runs, oldest run first. A line needs two scores. */
export function scoreSeries(runs: readonly (readonly Scored[])[]): readonly ScoreSeries[] {
  const byName = new Map<string, number[]>();
  for (const { name, score } of runs.flat()) {
    if (score === null || !Number.isFinite(score)) continue;
    const scores = byName.get(name);
    if (scores) scores.push(score);
    else byName.set(name, [score]);
  }
  return Array.from(byName, ([name, scores]) => ({ name, scores })).filter(({ scores }) => scores.length > 1);
}

/** Points of a line in a box of this size, with a margin for the width of the line. */
export function linePoints(scores: readonly number[], width: number, height: number): string {
  const [least, greatest] = [Math.min(0, ...scores), Math.max(1, ...scores)];
  return scores
    .map((score, index) => {
      const x = 2 + (index / Math.max(1, scores.length - 1)) * (width - 4);
      const y = 2 + (1 - (score - least) / (greatest - least)) * (height - 4);
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}
