import { useMemo, useSyncExternalStore } from 'react';
import { appPath, appUrl } from './app-url.ts';
import { carryRange } from './carried-range.ts';
import { isLeaveAsked, isReturnAsked } from './leave-guard.ts';

export interface Location {
  /** Path within the interface. Starts with a slash. */
  readonly path: string;
  readonly search: URLSearchParams;
}

const listeners = new Set<() => void>();
window.addEventListener('popstate', () => {
  if (!isReturnAsked((href) => open(new URL(href), false))) notify();
});

function notify(): void {
  for (const listener of listeners) listener();
}

/** Calls the listener whenever the address changes. */
export const subscribeToLocation = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export function useLocation(): Location {
  const href = useSyncExternalStore(subscribeToLocation, () => window.location.pathname + window.location.search);
  return useMemo(() => {
    const url = new URL(href, window.location.origin);
    return { path: appPath(url.pathname), search: url.searchParams };
  }, [href]);
}

/** State of a history entry that was opened from another page of the interface. */
const FROM_INSIDE = 'fromInside';

/** Whether going back leads to a page of the interface. */
export const canGoBack = (): boolean => window.history.state === FROM_INSIDE;

/**
 * Opens a path of the interface, which may have a query. It adds a step to the browser history, unless it replaces the
 * current step or the address is the current one.
 */
export function navigate(to: string, { replaces = false } = {}): void {
  const url = new URL(appUrl(carryRange(to)), window.location.origin);
  if (!isLeaveAsked(url, () => open(url, replaces))) open(url, replaces);
}

function open(url: URL, replaces: boolean): void {
  if (replaces || isHere(url)) window.history.replaceState(window.history.state, '', url);
  else window.history.pushState(FROM_INSIDE, '', url);
  notify();
}

function isHere({ pathname, searchParams }: URL): boolean {
  const { location } = window;
  return pathname === location.pathname && `${searchParams}` === `${new URLSearchParams(location.search)}`;
}

/** New query parameters. A list repeats its parameter. Undefined or null removes a parameter. */
type SearchChanges = Readonly<Record<string, string | readonly string[] | null | undefined>>;

/** The current address with other query parameters. */
export function withSearch(changes: SearchChanges): string {
  const search = new URLSearchParams(window.location.search);
  for (const [name, value] of Object.entries(changes)) {
    search.delete(name);
    if (typeof value === 'string') search.set(name, value);
    else for (const item of value ?? []) search.append(name, item);
  }
  const text = search.toString();
  return appPath(window.location.pathname) + (text === '' ? '' : `?${text}`);
}

/**
 * Changes the query of the current address. Back undoes the change, unless `replaces` is set, which is meant for text
 * that changes with each key and for selections within a page.
 */
export function setSearch(changes: SearchChanges, options: { readonly replaces?: boolean } = {}): void {
  navigate(withSearch(changes), options);
}
