import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import {
  afterScroll,
  BODY_PX_MAX,
  type ScrollArea,
  type ScrollPosition,
  scrollToTop,
  settle,
} from './scaled-scroll.ts';
import { OVERSCAN, type VisibleRows } from './use-visible-rows.ts';

interface ScaledRows extends VisibleRows {
  /** Distance in pixels that rows are moved up, because the element is lower than all rows. */
  readonly shiftPx: number;
  /** Height of the element that contains the rows. */
  readonly bodyPx: number;
  /** Scrolls as little as possible until a row is visible. */
  readonly scrollToRow: (index: number) => void;
}

/** Pause after which the scroll position is corrected, without visible movement. */
const SETTLE_MS = 250;
const HEAD_PX = 28;

/** Returns the rows to render in a scrolling element for any number of rows of the same height, in pixels. */
export function useScaledRows(ref: RefObject<HTMLElement | null>, rowCount: number, rowHeight: number): ScaledRows {
  const rowsPx = rowCount * rowHeight;
  const bodyPx = Math.min(rowsPx, BODY_PX_MAX);
  const [shown, setShown] = useState<VisibleRows & { readonly shiftPx: number }>(() => ({
    first: 0,
    end: Math.min(rowCount, Math.ceil(window.innerHeight / rowHeight)),
    shiftPx: 0,
  }));
  const position = useRef<ScrollPosition>({ scrollTop: 0, top: 0 });

  const readArea = useCallback(
    (element: HTMLElement): ScrollArea => ({
      scrollPx: element.scrollHeight,
      contentPx: element.scrollHeight - bodyPx + rowsPx,
      viewPx: element.clientHeight,
    }),
    [bodyPx, rowsPx],
  );
  const show = useCallback(
    (element: HTMLElement, next: ScrollPosition) => {
      position.current = next;
      const { top } = next;
      const first = Math.max(0, Math.floor(top / rowHeight) - OVERSCAN);
      const end = Math.min(rowCount, Math.ceil((top + element.clientHeight) / rowHeight) + OVERSCAN);
      const shiftPx = next.top - next.scrollTop;
      setShown((before) =>
        before.first === first && before.end === end && before.shiftPx === shiftPx ? before : { first, end, shiftPx },
      );
    },
    [rowCount, rowHeight],
  );
  /** Scrolls the element to a position that has been computed. */
  const move = useCallback(
    (element: HTMLElement, next: ScrollPosition) => {
      element.scrollTop = next.scrollTop;
      show(element, { ...next, scrollTop: element.scrollTop });
    },
    [show],
  );

  useLayoutEffect(() => {
    const element = ref.current;
    if (!element || rowCount === 0) return;
    const read = () => show(element, afterScroll(position.current, element.scrollTop, readArea(element)));
    const correct = () => {
      const area = readArea(element);
      const next = settle(position.current, area);
      if (Math.abs(next.scrollTop - element.scrollTop) > area.viewPx) move(element, next);
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onScroll = () => {
      read();
      clearTimeout(timer);
      timer = setTimeout(correct, SETTLE_MS);
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [ref, rowCount, readArea, show, move]);

  // Another density keeps the first row.
  const heightBefore = useRef(rowHeight);
  useEffect(() => {
    const element = ref.current;
    const scale = rowHeight / heightBefore.current;
    heightBefore.current = rowHeight;
    if (element && scale !== 1) {
      move(element, settle({ scrollTop: 0, top: position.current.top * scale }, readArea(element)));
    }
  }, [ref, rowHeight, readArea, move]);

  const scrollToRow = useCallback(
    (index: number) => {
      const element = ref.current;
      if (!element) return;
      const { top } = position.current;
      const rowTop = index * rowHeight;
      const topMin = rowTop + rowHeight + HEAD_PX - element.clientHeight;
      const next = rowTop < top ? rowTop : Math.max(top, topMin);
      if (next !== top) move(element, scrollToTop(position.current, next, readArea(element)));
    },
    [ref, rowHeight, readArea, move],
  );
  return { ...shown, end: Math.min(shown.end, rowCount), bodyPx, scrollToRow };
}
