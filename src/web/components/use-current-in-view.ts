import { type RefObject, useEffect, useRef } from 'react';

/**
 * For a list of links in a row: the current one is scrolled into view, because it may be out of sight in a narrow window.
 *
 * @param state Changes whenever another link is current, or the links have another width.
 */
export function useCurrentInView(state: string): RefObject<HTMLElement | null> {
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state says when to scroll
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [state]);
  return nav;
}
