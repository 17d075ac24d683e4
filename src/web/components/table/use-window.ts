import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

export interface RowWindow {
  readonly first: number;
  /** Just after the last. */
  readonly end: number;
}

/** Rows drawn beyond what can be seen, so that scrolling shows no gap. */
const OVERSCAN = 12;
/** The window moves by so many rows, so that most scroll events change nothing, and none draws many rows at once. */
const STEP = 4;
/** The first frame waits for the rows in sight alone. */
const OVERSCAN_DELAY_MS = 250;

/** Which rows of one height can be seen in a scrolling element, below a head of so many pixels. */
export function useRowWindow(ref: RefObject<HTMLElement | null>, rowCount: number, rowHeight: number): RowWindow {
  const [seen, setSeen] = useState(() => ({ first: 0, end: Math.ceil(window.innerHeight / rowHeight) }));
  const overscan = useRef(0);
  const measure = useCallback(() => {
    const element = ref.current;
    if (!element) return;
    const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - overscan.current);
    const end = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight) + overscan.current;
    const next = { first: first - (first % STEP), end: end + (STEP - (end % STEP)) };
    setSeen((current) => (current.first === next.first && current.end === next.end ? current : next));
  }, [ref, rowHeight]);
  const measureBeyond = useCallback(() => {
    overscan.current = OVERSCAN;
    measure();
  }, [measure]);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    measure();
    element.addEventListener('scroll', measureBeyond, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', measureBeyond);
      observer.disconnect();
    };
  }, [ref, measure, measureBeyond]);
  const hasRows = rowCount > 0;
  useEffect(() => {
    if (!hasRows) return;
    const timer = setTimeout(measureBeyond, OVERSCAN_DELAY_MS);
    return () => clearTimeout(timer);
  }, [hasRows, measureBeyond]);
  return { first: Math.min(seen.first, rowCount), end: Math.min(seen.end, rowCount) };
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
