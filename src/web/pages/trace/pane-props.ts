import type { SpanCosts } from './tree/span-costs.ts';
import type { SpanTree } from './tree/span-tree.ts';

/** Properties of each view of a trace. */
export interface PaneProps {
  readonly tree: SpanTree;
  /** Undefined until they are known, and if no span has a price. */
  readonly costs: SpanCosts | undefined;
  /** Index of the selected span. */
  readonly selected: number;
  readonly onSelect: (index: number) => void;
}
