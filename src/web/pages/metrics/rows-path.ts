import { withSearch } from '../../router/location.ts';

export interface RowsQuery {
  /** Span filter. All rows match if it is absent. */
  readonly filter?: string;
  readonly tab?: 'spans' | 'traces' | 'sessions';
  /** For example, slowest first. */
  readonly sort?: string;
  /** Bounds in ms. The range of the page if absent. */
  readonly from?: number;
  readonly to?: number;
}

/** Address of the table with the rows behind a figure. */
export function rowsPath(projectId: string, { filter, tab = 'spans', sort, from, to }: RowsQuery): string {
  const range =
    from === undefined || to === undefined
      ? {}
      : {
          timeRangeKey: null,
          timeRangeStart: new Date(from).toISOString(),
          timeRangeEnd: new Date(to).toISOString(),
        };
  const search = withSearch({
    ...range,
    spanFilterCondition: filter,
    spans: tab === 'spans' ? 'all' : null,
    sort,
  }).split('?')[1];
  return `/projects/${encodeURIComponent(projectId)}/${tab}${search === undefined ? '' : `?${search}`}`;
}
