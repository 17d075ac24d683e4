import { formatCount, formatFloat, formatLatency, formatSmallCost, MISSING } from '../../format/numbers.ts';
import type { Panel } from './panel.ts';

/** For example `2.4 %`. */
export function formatShare(share: number | null | undefined): string {
  if (share === null || share === undefined) return MISSING;
  const percent = 100 * share;
  return `${percent !== 0 && Math.abs(percent) < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
}

/** How the values of a panel are written. */
export function formatOf({ metric, aggregates: [aggregate] }: Panel): (value: number | null | undefined) => string {
  if (aggregate === 'count') return formatCount;
  switch (metric) {
    case 'latency':
      return formatLatency;
    case 'cost':
      return formatSmallCost;
    case 'errorRate':
      return formatShare;
    case 'annotation':
      return formatFloat;
    default:
      return formatCount;
  }
}

export interface ValueChange {
  readonly text: string;
  readonly direction: 'up' | 'down' | 'same';
  /** Whether less is better. */
  readonly isBad: boolean;
}

/** Difference to the previous range. Undefined if it has no meaning. */
export function changeOf({ metric }: Panel, value: number | null, previous: number | null): ValueChange | undefined {
  if (value === null || previous === null) return undefined;
  const difference = value - previous;
  const direction = difference === 0 ? 'same' : difference > 0 ? 'up' : 'down';
  const isBad = direction === 'up' && ['errors', 'errorRate', 'latency', 'cost'].includes(metric);
  // A share of a share is misread, so points of percent are shown.
  if (metric === 'errorRate') {
    return { text: `${Math.abs(100 * difference).toFixed(1)} points`, direction, isBad };
  }
  if (previous === 0) return undefined;
  const percent = Math.abs((100 * difference) / previous);
  return { text: `${percent >= 10 ? Math.round(percent) : percent.toFixed(1)} %`, direction, isBad };
}
