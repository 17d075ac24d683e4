import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Folding, SpanTree, TreeRow } from './span-tree.ts';

interface Growth {
  readonly tree: SpanTree;
  readonly rows: readonly TreeRow[];
  readonly selected: number;
  readonly rowHeight: number;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly setFolding: (change: (folding: Folding) => Folding) => void;
}

/**
 * When the tree has grown, the line at the top of the view stays where it is, though others have come above it. Whoever is
 * at the very top stays there, and sees what comes.
 */
export function useGrowth({ tree, rows, selected, rowHeight, scroller, setFolding }: Growth): void {
  const shown = useRef({ tree, rows });
  /** Line at the top of the view, and how far above the view it begins, while a new tree is folded. */
  const anchor = useRef<{ readonly key: string; readonly above: number }>(undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    const { tree: treeBefore, rows: rowsBefore } = shown.current;
    if (tree !== treeBefore) {
      const top = element?.scrollTop ?? 0;
      const row = rowsBefore[Math.floor(top / rowHeight)];
      anchor.current = top > 0 && row ? { key: row.key, above: top % rowHeight } : undefined;
      setFolding((folding) => tree.keepInSight(rowsBefore, selected, folding));
    }
    shown.current = { tree, rows };
    if (!element || !anchor.current) return;
    const { key, above } = anchor.current;
    const at = rows.findIndex((row) => row.key === key);
    if (at >= 0) element.scrollTop = at * rowHeight + above;
    // The folding has been done with the rows after those that brought the tree.
    if (tree === treeBefore) anchor.current = undefined;
  }, [tree, rows, selected, rowHeight, scroller, setFolding]);
}
