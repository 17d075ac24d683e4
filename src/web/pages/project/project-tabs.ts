import { readStored, useStoredState } from '../../preferences/stored-state.ts';

export const TABS = [
  { id: 'spans', label: 'Spans' },
  { id: 'traces', label: 'Traces' },
  { id: 'sessions', label: 'Sessions' },
  { id: 'metrics', label: 'Metrics' },
  { id: 'evaluators', label: 'Evaluators' },
  { id: 'config', label: 'Config' },
] as const;

export type ProjectTab = (typeof TABS)[number]['id'];
/** Tabs that show the data of a project. */
export type DataTab = Exclude<ProjectTab, 'config' | 'evaluators'>;

export const isDataTab = (value: unknown): value is DataTab =>
  value !== 'config' && value !== 'evaluators' && TABS.some(({ id }) => id === value);

/** Default tab of a project in this browser. */
export const useFirstTab = (projectId: string) => useStoredState(place(projectId), FIRST, isDataTab);
export const readFirstTab = (projectId: string): DataTab => readStored(place(projectId), FIRST, isDataTab);

const place = (projectId: string): string => `tab.${projectId}`;
const FIRST: DataTab = 'spans';
