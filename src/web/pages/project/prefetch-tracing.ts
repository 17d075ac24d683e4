import { prefetchQuery } from '../../data/use-query.ts';
import { prefetchRows } from '../../data/use-rows.ts';
import { getPreferences } from '../../preferences/preferences.ts';
import type { RouteParams } from '../../router/match-route.ts';
import { readRange } from '../../time-range/time-range.ts';
import { traceHead } from '../trace/generated/trace.ts';
import { readColumnChoice } from './column-choice.ts';
import { projectHead } from './generated/project.ts';
import { readFirstTab } from './project-tabs.ts';
import { readSpans, spanListKey, toSpanList } from './spans/span-list.ts';

/** Reads the first data of a project's table or of a trace. */
export function prefetchTracing(
  { projectId = '', tab = readFirstTab(projectId), traceId }: RouteParams,
  search: URLSearchParams,
): void {
  if (tab !== 'spans' && tab !== 'traces') return;
  if (traceId !== undefined) {
    prefetchQuery(traceHead, { projectId, traceId });
    if (getPreferences().tracePlace === 'page') return;
  }
  const list = toSpanList(
    { projectId, tab, range: readRange(search), choice: readColumnChoice(projectId, tab) },
    search,
  );
  prefetchRows(spanListKey(list), (signal) => readSpans(list, undefined, signal));
  prefetchQuery(projectHead, { id: projectId });
}
