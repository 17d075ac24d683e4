import { useState } from 'react';
import type { ProjectFiguresVariables } from './generated/project.ts';
import type { DataTab } from './project-tabs.ts';

/** What a row of a table represents. */
export type Grain = ProjectFiguresVariables['grain'];

/** Rows of a tab. Its header, histogram, values and table all query these rows. */
export interface RowScope {
  readonly grain: Grain;
  /** Span filter, or session filter when rows are sessions. May be empty. */
  readonly filter: string;
}

/** Reads the scope of a tab from the address. Charts show traces. */
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

/** Whether the shown data belongs to another scope, and is not only older. */
export function useOutdated({ grain, filter }: RowScope, isStale: boolean): boolean {
  const key = `${grain} ${filter}`;
  const [shown, setShown] = useState(key);
  if (!isStale && shown !== key) setShown(key);
  return isStale && shown !== key;
}
