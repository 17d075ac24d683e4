/** A line, or the part of stacked bars, over the bins of a chart. */
export interface ChartSeries {
  readonly id: string;
  readonly label: string;
  /** A custom property of the design tokens. */
  readonly color: `--${string}`;
  /** One for each bin; null where there is nothing to tell. */
  readonly values: readonly (number | null)[];
  readonly isOffAtFirst?: boolean;
}

/** What the bins of a chart share. */
export interface ChartBins {
  /** Starts, in ms. */
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
] as const;

/** A colour that stays with a name, on every page and in each theme. */
export function colorOf(name: string): `--${string}` {
  let hash = 0;
  for (const char of name) hash = (hash * 31 + char.codePointAt(0)!) | 0;
  return COLORS[Math.abs(hash) % COLORS.length]!;
}
