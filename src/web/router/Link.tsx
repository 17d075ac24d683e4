import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react';
import { appUrl } from './app-url.ts';
import { carryRange } from './carried-range.ts';
import { navigate, subscribeToLocation } from './location.ts';

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** A path of the interface. */
  readonly to: string;
}

/** Link within the interface. It is an `a` element, so users can open it in another tab. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const path = useSyncExternalStore(subscribeToLocation, () => carryRange(to));
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(path);
  };
  return <a href={appUrl(path)} onClick={follow} {...rest} />;
}
