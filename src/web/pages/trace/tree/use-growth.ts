import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Expansion, SpanTree, TreeRow } from './span-tree.ts';

interface Growth {
  readonly tree: SpanTree;
  readonly rows: readonly TreeRow[];
  readonly selected: number;
  readonly rowHeight: number;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly setExpansion: (change: (expansion: Expansion) => Expansion) => void;
}

/**
 * Keeps the first visible line in place when the tree grows, even if new lines are above it. At the top of the tree the
 * scroll position stays 0, so that new spans are visible.
 */
export function useGrowth({ tree, rows, selected, rowHeight, scroller, setExpansion }: Growth): void {
  const shown = useRef({ tree, rows });
  /** First visible line and the height of its hidden part, while a new tree is folded. */
  const anchor = useRef<{ readonly key: string; readonly above: number }>(undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    const { tree: treeBefore, rows: rowsBefore } = shown.current;
    if (tree !== treeBefore) {
      const top = element?.scrollTop ?? 0;
      const row = rowsBefore[Math.floor(top / rowHeight)];
      anchor.current = top > 0 && row ? { key: row.key, above: top % rowHeight } : undefined;
      setExpansion((expansion) => tree.keepInSight(rowsBefore, selected, expansion));
    }
    shown.current = { tree, rows };
    if (!element || !anchor.current) return;
    const { key, above } = anchor.current;
    const at = rows.findIndex((row) => row.key === key);
    if (at >= 0) element.scrollTop = at * rowHeight + above;
    // The expansion is complete with the first rows after the rows of the new tree.
    if (tree === treeBefore) anchor.current = undefined;
  }, [tree, rows, selected, rowHeight, scroller, setExpansion]);
}
