import { useSyncExternalStore } from 'react';

/** Choices of the user, stored in this browser. */
export interface Preferences {
  readonly theme: 'light' | 'dark' | 'system';
  readonly density: 'compact' | 'roomy';
  /** IANA name, or `local` for the browser's. */
  readonly timeZone: string;
  readonly isNavOpen: boolean;
  /** Key of the relative range that the user chose last. */
  readonly timeRangeKey: string;
  readonly isLive: boolean;
  /** Project whose dashboards the user opened last. Empty for none. */
  readonly dashboardProject: string;
  readonly projectsView: 'grid' | 'table';
  readonly codeLanguage: 'typescript' | 'python' | 'curl';
  readonly textView: 'text' | 'markdown';
  readonly showsTreeFigures: boolean;
  readonly showsCriticalPath: boolean;
  /** Opens the next row without an annotation after each annotation. */
  readonly annotatesInQueue: boolean;
  /** Where a click on a table row opens the trace. */
  readonly tracePlace: 'page' | 'drawer';
}

const DEFAULTS: Preferences = {
  theme: 'system',
  density: 'compact',
  timeZone: 'local',
  isNavOpen: true,
  timeRangeKey: '7d',
  isLive: true,
  dashboardProject: '',
  projectsView: 'grid',
  codeLanguage: 'python',
  textView: 'text',
  showsTreeFigures: true,
  showsCriticalPath: true,
  annotatesInQueue: false,
  tracePlace: 'page',
};

const STORAGE_KEY = 'spandrel.preferences';
const listeners = new Set<() => void>();
let current: Preferences = read();

function read(): Preferences {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<Preferences>) };
  } catch {
    return DEFAULTS;
  }
}

// Follows changes in other tabs of the browser.
window.addEventListener('storage', ({ key }) => {
  if (key !== STORAGE_KEY) return;
  current = read();
  for (const listener of listeners) listener();
});

export const getPreferences = (): Preferences => current;

export function setPreference<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void {
  if (current[name] === value) return;
  current = { ...current, [name]: value };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(current));
  } catch {
    // Storage may be full or forbidden. The choice then lasts until the user leaves the page.
  }
  for (const listener of listeners) listener();
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => current,
  );
}
