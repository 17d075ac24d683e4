import type { SpanCosts } from './tree/span-costs.ts';
import type { SpanTree } from './tree/span-tree.ts';

/** What each way to look at a trace is given. */
export interface PaneProps {
  readonly tree: SpanTree;
  /** Undefined while they are not known, and where nothing has a price. */
  readonly costs: SpanCosts | undefined;
  /** Index of the span that is shown beside. */
  readonly selected: number;
  readonly onSelect: (index: number) => void;
}
