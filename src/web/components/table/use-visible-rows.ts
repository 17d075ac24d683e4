import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';

export interface VisibleRows {
  readonly first: number;
  /** Index after the last row. */
  readonly end: number;
}

/** Rows above and below the visible ones, so that scrolling shows no gap. */
export const OVERSCAN = 12;
/** The first frame renders only visible rows. */
const OVERSCAN_DELAY_MS = 250;

/** Returns the rows to render in a scrolling element. All rows have the same height, in pixels. */
export function useVisibleRows(ref: RefObject<HTMLElement | null>, rowCount: number, rowHeight: number): VisibleRows {
  const [overscan, setOverscan] = useState(0);
  const virtualizer = useVirtualizer({
    count: rowCount,
    getScrollElement: () => ref.current,
    estimateSize: () => rowHeight,
    overscan,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    // Rows that scroll in may wait for the next frame, because rows beyond the visible ones are rendered already.
    useFlushSync: false,
    // The table and the tree set their scroll position themselves.
    scrollToFn: () => undefined,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: positions follow from the height
  useLayoutEffect(() => virtualizer.measure(), [rowHeight]);
  const hasRows = rowCount > 0;
  useEffect(() => {
    if (!hasRows) return;
    const timer = setTimeout(() => setOverscan(OVERSCAN), OVERSCAN_DELAY_MS);
    return () => clearTimeout(timer);
  }, [hasRows]);
  const items = virtualizer.getVirtualItems();
  return { first: items[0]?.index ?? 0, end: (items.at(-1)?.index ?? -1) + 1 };
}

/** Returns the height of a row in pixels, by density. A row that wraps has three lines. */
export function useRowHeight(density: string, isWrapped = false): number {
  const [height, setHeight] = useState(readRowHeight);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the density changes the style
  useEffect(() => setHeight(readRowHeight()), [density]);
  return isWrapped ? height + 2 * LINE_PX : height;
}

/** Line height of wrapped rows in the style sheet. */
export const LINE_PX = 18;

const readRowHeight = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row')) || 26;
