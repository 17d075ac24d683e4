/**
 * Maximum height of a table body in pixels. Browsers cut elements off at 17.8 million (Firefox) or 33.5 million pixels
 * (Chromium, Safari), and positions near that limit are rounded to whole pixels.
 */
export const BODY_PX_MAX = 8_000_000;

/** Sizes in pixels. */
export interface ScrollArea {
  /** Height of all rows with header and footer, as if elements had no maximum height. */
  readonly contentPx: number;
  /** Height of the scrolled elements. */
  readonly scrollPx: number;
  /** Height of the visible part. */
  readonly viewPx: number;
}

/** Position in pixels: `scrollTop` in the scrolled element, `top` in the rows. They differ if the element is scaled. */
export interface ScrollPosition {
  readonly scrollTop: number;
  readonly top: number;
}

const topMax = ({ contentPx, viewPx }: ScrollArea): number => Math.max(0, contentPx - viewPx);
const scrollTopMax = ({ scrollPx, viewPx }: ScrollArea): number => Math.max(0, scrollPx - viewPx);
const clamp = (value: number, max: number): number => Math.min(max, Math.max(0, value));

/** Movement in views up to which rows move as far as the element, so that the wheel and keys skip no row. */
const STEP_VIEWS_MAX = 3;

const isStep = (px: number, { viewPx }: ScrollArea): boolean => Math.abs(px) <= STEP_VIEWS_MAX * viewPx;

/** Position after the element was scrolled. A long way, such as with the scrollbar, is scaled to the rows. */
export function afterScroll(before: ScrollPosition, scrollTop: number, area: ScrollArea): ScrollPosition {
  const [max, end] = [scrollTopMax(area), topMax(area)];
  const moved = scrollTop - before.scrollTop;
  if (scrollTop <= 0 || max === 0) return { scrollTop, top: 0 };
  if (scrollTop >= max - 1) return { scrollTop, top: end };
  return { scrollTop, top: clamp(isStep(moved, area) ? before.top + moved : (scrollTop / max) * end, end) };
}

/** Position whose rows start at `top`. */
export function scrollToTop(before: ScrollPosition, top: number, area: ScrollArea): ScrollPosition {
  const end = topMax(area);
  const next = clamp(top, end);
  const scrollTop = before.scrollTop + next - before.top;
  if (isStep(next - before.top, area) && scrollTop > 0 && scrollTop < scrollTopMax(area) - 1) {
    return { scrollTop, top: next };
  }
  return settle({ scrollTop, top: next }, area);
}

/**
 * Same rows at their scaled position. Steps of the wheel move the element too far or not far enough, so that it would
 * reach its end before the last row.
 */
export function settle({ top }: ScrollPosition, area: ScrollArea): ScrollPosition {
  const end = topMax(area);
  return { top, scrollTop: end === 0 ? 0 : Math.round((top / end) * scrollTopMax(area)) };
}
