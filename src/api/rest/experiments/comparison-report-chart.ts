import type { ComparisonMeasure } from '../../../domain/domain.ts';

const WIDTH = 200;
const HEIGHT = 20;
const MARGIN = 6;

type Difference = ComparisonMeasure['values'][number]['difference'];

/** Draws the differences of a measure with their intervals as inline SVG, each for the row of a table, on one axis. */
export function intervalCharts({ values }: Pick<ComparisonMeasure, 'values'>): (difference: Difference) => string {
  const bounds = values.flatMap(({ difference }) => [difference?.low ?? 0, difference?.high ?? 0]);
  const [low, high] = [Math.min(0, ...bounds), Math.max(0, ...bounds)];
  const toX = (value: number) => {
    const share = high === low ? 0.5 : (value - low) / (high - low);
    return (MARGIN + share * (WIDTH - 2 * MARGIN)).toFixed(1);
  };
  return (difference) => {
    if (difference === null || difference.mean === null || difference.low === null || difference.high === null) {
      return '';
    }
    const y = HEIGHT / 2;
    const zero = `<line class="zero" x1="${toX(0)}" x2="${toX(0)}" y1="0" y2="${HEIGHT}"/>`;
    const range = `<line x1="${toX(difference.low)}" x2="${toX(difference.high)}" y1="${y}" y2="${y}"/>`;
    const mean = `<circle cx="${toX(difference.mean)}" cy="${y}" r="4"/>`;
    // The sentence beside it says the same.
    return `<svg class="${difference.verdict.toLowerCase()}" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">${zero}${range}${mean}</svg>`;
  };
}
