import { useRef } from 'react';
import type { ProjectFiguresVariables } from './generated/project.ts';
import type { DataTab } from './project-tabs.ts';

/** What a row of a table stands for. */
export type Grain = ProjectFiguresVariables['grain'];

/** Which rows a tab is about. Its header, its histogram, its values and its table all ask for these. */
export interface RowScope {
  readonly grain: Grain;
  /** Of spans, or of sessions where rows are sessions; or nothing. */
  readonly filter: string;
}

/** The scope of a tab, as the address has it. Charts are of traces. */
export function readRowScope(tab: DataTab, search: URLSearchParams): RowScope {
  if (tab === 'sessions') return { grain: 'sessions', filter: search.get('sessionFilterCondition') ?? '' };
  const filter = search.get('spanFilterCondition') ?? '';
  if (tab !== 'spans') return { grain: 'traces', filter };
  return { grain: search.get('spans') === 'all' ? 'spans' : 'rootSpans', filter };
}

/** The filter as variables of a query. */
export function toFilters({ grain, filter }: RowScope): {
  readonly filterCondition: string | null;
  readonly sessionFilterCondition: string | null;
} {
  const given = filter === '' ? null : filter;
  const isOfSessions = grain === 'sessions';
  return { filterCondition: isOfSessions ? null : given, sessionFilterCondition: isOfSessions ? given : null };
}

/** Whether what is shown is of another scope than this one, and not only of an earlier moment. */
export function useOutdated({ grain, filter }: RowScope, isStale: boolean): boolean {
  const key = `${grain} ${filter}`;
  const shown = useRef(key);
  if (!isStale) shown.current = key;
  return shown.current !== key;
}
