import { useMemo, useSyncExternalStore } from 'react';
import { appPath, appUrl } from './app-url.ts';

export interface Location {
  /** Inside of the interface; begins with a slash. */
  readonly path: string;
  readonly search: URLSearchParams;
}

const listeners = new Set<() => void>();
window.addEventListener('popstate', notify);

function notify(): void {
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export function useLocation(): Location {
  const href = useSyncExternalStore(subscribe, () => window.location.pathname + window.location.search);
  return useMemo(() => {
    const url = new URL(href, window.location.origin);
    return { path: appPath(url.pathname), search: url.searchParams };
  }, [href]);
}

/** Goes to a path of the interface, which may have a query. */
export function navigate(to: string, { replaces = false } = {}): void {
  const url = appUrl(to);
  if (replaces) window.history.replaceState(null, '', url);
  else window.history.pushState(null, '', url);
  notify();
}

/** The current place with other query parameters; undefined or null removes one. */
export function withSearch(changes: Readonly<Record<string, string | null | undefined>>): string {
  const search = new URLSearchParams(window.location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined) search.delete(name);
    else search.set(name, value);
  }
  const text = search.toString();
  return appPath(window.location.pathname) + (text === '' ? '' : `?${text}`);
}

/** Changes the query of the current place. */
export function setSearch(
  changes: Readonly<Record<string, string | null | undefined>>,
  options: { readonly replaces?: boolean } = {},
): void {
  navigate(withSearch(changes), { replaces: options.replaces ?? true });
}
