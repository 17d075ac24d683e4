import { type RefObject, useCallback, useEffect, useState } from 'react';

export interface RowWindow {
  readonly first: number;
  /** Just after the last. */
  readonly end: number;
}

/** Rows drawn beyond what can be seen, so that scrolling shows no gap. */
const OVERSCAN = 12;

/** Which rows of one height can be seen in a scrolling element, below a head of so many pixels. */
export function useRowWindow(
  ref: RefObject<HTMLElement | null>,
  rowCount: number,
  rowHeight: number,
): RowWindow & { readonly measure: () => void } {
  const [seen, setSeen] = useState({ first: 0, end: 60 });
  const measure = useCallback(() => {
    const element = ref.current;
    if (!element) return;
    const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - OVERSCAN);
    const end = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight) + OVERSCAN;
    // In steps, so that most scroll events change nothing.
    const next = { first: first - (first % 8), end: end + (8 - (end % 8)) };
    setSeen((current) => (current.first === next.first && current.end === next.end ? current : next));
  }, [ref, rowHeight]);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    measure();
    element.addEventListener('scroll', measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', measure);
      observer.disconnect();
    };
  }, [ref, measure]);
  return { first: Math.min(seen.first, rowCount), end: Math.min(seen.end, rowCount), measure };
}

/** Height of a row as the density has it, or of one that wraps to three lines. */
export function useRowHeight(density: string, isWrapped = false): number {
  const [height, setHeight] = useState(readRowHeight);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the density changes what the style says
  useEffect(() => setHeight(readRowHeight()), [density]);
  return isWrapped ? height + 2 * LINE_PX : height;
}

/** As the style of wrapped rows has it. */
export const LINE_PX = 18;

const readRowHeight = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row')) || 26;
