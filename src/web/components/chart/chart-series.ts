/** A line, or one segment of stacked bars. */
export interface ChartSeries {
  readonly id: string;
  readonly label: string;
  /** Custom property of the design tokens. */
  readonly color: `--${string}`;
  /** One value per bin. Null if there is no value. */
  readonly values: readonly (number | null)[];
  readonly isOffAtFirst?: boolean;
}

/** Bins of a chart. */
export interface ChartBins {
  /** Start times in ms. */
  readonly starts: readonly number[];
  readonly widthMs: number;
}

const COLORS = [
  '--kind-retriever',
  '--accent-fill',
  '--kind-llm',
  '--kind-tool',
  '--kind-embedding',
  '--kind-evaluator',
  '--kind-prompt',
  '--kind-chain',
  '--kind-guardrail',
  '--ok',
] as const;

/**
 * Colors for names that are shown together. No two names share a color until all colors are in use. The hash of a name
 * chooses its color, which is the same on every page unless an earlier name beside it has the color already.
 */
export function distinctColors(names: readonly string[]): ReadonlyMap<string, `--${string}`> {
  const colors = new Map<string, `--${string}`>();
  let free = new Set<number>();
  for (const name of [...new Set(names)].sort()) {
    if (free.size === 0) free = new Set(COLORS.keys());
    let index = hashOf(name) % COLORS.length;
    while (!free.has(index)) index = (index + 1) % COLORS.length;
    free.delete(index);
    colors.set(name, COLORS[index]!);
  }
  return colors;
}

/** 32-bit FNV-1a hash, mixed so that the last bits depend on every letter. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const char of name) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
