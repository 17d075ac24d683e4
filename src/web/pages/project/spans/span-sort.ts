import type { SortState } from '../../../components/table/column.ts';
import type { ProjectSpansVariables } from '../generated/project.ts';

type SpanSort = NonNullable<ProjectSpansVariables['sort']>;

const COLUMNS =
  /^(tokenCostTotal|cumulativeTokenCostTotal|startTime|endTime|latencyMs|tokenCountTotal|cumulativeTokenCountTotal|tokenCountPrompt|tokenCountCompletion|traceLatencyMs|traceTokenCountTotal)$/;
const ANNOTATION = /^annotation:(label|score):(.+)$/s;

/** Parses `latencyMs:desc` or `annotation:score:helpful:asc` from the address. Undefined if invalid. */
export function readSort(text: string | null): SortState | undefined {
  const match = /^(.+):(asc|desc)$/s.exec(text ?? '');
  const [, col = '', dir] = match ?? [];
  return COLUMNS.test(col) || ANNOTATION.test(col) ? { col, dir: dir as SortState['dir'] } : undefined;
}

/** Converts a sort order for the API. Newest first by default. */
export function toSpanSort(sort: SortState | undefined): SpanSort {
  if (!sort) return { col: 'startTime', dir: 'desc' };
  const [, attr, name] = ANNOTATION.exec(sort.col) ?? [];
  if (name === undefined) return { col: sort.col as NonNullable<SpanSort['col']>, dir: sort.dir };
  return { evalResultKey: { name, attr: attr as 'label' | 'score' }, dir: sort.dir };
}
