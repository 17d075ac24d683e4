import { askEarly } from '../../data/early-answers.ts';
import { send } from '../../data/request.ts';
import { queryKey } from '../../data/use-query.ts';
import { getPreferences } from '../../preferences/preferences.ts';
import type { RouteParams } from '../../router/match-route.ts';
import { readRange } from '../../time-range/time-range.ts';
import { traceHead } from '../trace/generated/trace.ts';
import { readColumnChoice } from './column-choice.ts';
import { projectHead } from './generated/project.ts';
import { readFirstTab } from './project-tabs.ts';
import { readSpans, spanListKey, toSpanList } from './span-list.ts';

/** Asks for what a project's table, or a trace, will want first. */
export function askEarlyForTracing(
  { projectId = '', tab = readFirstTab(projectId), traceId }: RouteParams,
  search: URLSearchParams,
): void {
  if (tab !== 'spans' && tab !== 'traces') return;
  if (traceId !== undefined) {
    const variables = { projectId, traceId };
    askEarly(queryKey(traceHead, variables), () => send(traceHead, variables));
    if (getPreferences().tracePlace === 'page') return;
  }
  const list = toSpanList(
    { projectId, tab, range: readRange(search), choice: readColumnChoice(projectId, tab) },
    search,
  );
  askEarly(spanListKey(list), () => readSpans(list));
  askEarly(queryKey(projectHead, { id: projectId }), () => send(projectHead, { id: projectId }));
}
