import { withSearch } from '../../router/location.ts';

export interface SpanPlace {
  /** A span filter; absent, all of them. */
  readonly filter?: string;
  readonly tab?: 'spans' | 'traces' | 'sessions';
  /** The slowest first, say. */
  readonly sort?: string;
  /** Times in ms; absent, the range of the page. */
  readonly from?: number;
  readonly to?: number;
}

/** Where the rows behind a figure are listed. */
export function placeOfRows(projectId: string, { filter, tab = 'spans', sort, from, to }: SpanPlace): string {
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
