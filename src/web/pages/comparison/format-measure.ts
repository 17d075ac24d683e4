import { formatScore } from '../../components/annotations/format-score.ts';
import { formatCount, formatLatency, formatSmallCost, MISSING } from '../../format/numbers.ts';
import type { Measure } from './compared.ts';

type Formatted = Pick<Measure, 'kind' | 'isBinary'>;

/** A value of a measure in its unit. Shares are percentages. */
export function formatMeasure({ kind, isBinary }: Formatted, value: number | null | undefined): string {
  if (value === null || value === undefined) return MISSING;
  switch (kind) {
    case 'LATENCY':
      return formatLatency(value);
    case 'TOKENS':
      return formatCount(value);
    case 'COST':
      return formatSmallCost(value);
    case 'ERROR_RATE':
      return formatPercent(value);
    case 'SCORE':
      return isBinary ? formatPercent(value) : formatScore(roundLarge(value));
  }
}

/** Keeps four digits of a large score, such as a number of characters. */
const roundLarge = (value: number): number =>
  Math.abs(value) < 10 ? value : Number(value.toFixed(Math.abs(value) < 1000 ? 1 : 0));

/** A difference with its sign. Differences of shares are percentage points. */
export function formatDifference(measure: Formatted, value: number | null | undefined): string {
  if (value === null || value === undefined) return MISSING;
  const isShare = measure.kind === 'ERROR_RATE' || (measure.kind === 'SCORE' && measure.isBinary);
  const size = Math.abs(value);
  const text = isShare ? `${trim(size * 100)} pts` : formatMeasure(measure, size);
  return text === formatZero(measure) ? text : `${value < 0 ? '−' : '+'}${text}`;
}

const formatZero = (measure: Formatted): string =>
  measure.kind === 'ERROR_RATE' || (measure.kind === 'SCORE' && measure.isBinary) ? '0 pts' : formatMeasure(measure, 0);

export const formatPercent = (share: number): string => `${trim(share * 100)} %`;

const trim = (value: number): string => String(Number(value.toFixed(Math.abs(value) < 10 ? 1 : 0)));

/** Whether a difference makes an experiment better than the baseline. Undefined if the measure has no better direction. */
export function isBetter({ direction }: Pick<Measure, 'direction'>, difference: number): boolean | undefined {
  if (direction === 'NONE' || difference === 0) return undefined;
  return direction === 'MAXIMIZE' ? difference > 0 : difference < 0;
}

/** Advice beside the name of a measure. */
export const directionText = ({ direction }: Pick<Measure, 'direction'>): string =>
  direction === 'MAXIMIZE' ? 'higher is better' : direction === 'MINIMIZE' ? 'lower is better' : '';
