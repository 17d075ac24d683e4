import type { Page } from '../../model/page.ts';
import type { Session } from '../../model/traces/session.ts';
import type { EntityFilter } from '../../filter/entities/entity-filter.ts';
import type { AnnotationSort, ListPosition, TimeRange } from './query-terms.ts';
import type { ReadOptions } from './read-options.ts';

export interface SessionQuery {
  readonly projectId: number;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly fromRowId?: number;
}

export type SessionSortColumn = 'startTime' | 'endTime' | 'tokensTotal' | 'traceCount' | 'cost';

/** Sessions that overlap the range. */
export interface SessionListQuery extends TimeRange {
  readonly projectId: number;
  readonly filter?: EntityFilter | undefined;
  readonly sort?: SessionSortColumn | AnnotationSort | undefined;
  readonly order: 'asc' | 'desc';
  readonly after?: ListPosition | undefined;
  readonly limit: number;
}

export interface SessionListPage {
  readonly items: readonly { readonly session: Session; readonly at: ListPosition }[];
  readonly nextAfter?: ListPosition;
}

/** Details of a session besides its aggregates. */
export interface SessionDetails {
  /** Spans of the session's first input and last output. */
  readonly firstInputSpanRowId: number | null;
  readonly lastOutputSpanRowId: number | null;
  /** Traces with at least one failed span. */
  readonly failedTraceCount: number;
}

/** Reads of sessions. `SpanStoreReader` states what all reads have in common. */
export interface SessionReader {
  /** One page of sessions by row id. */
  findSessions(query: SessionQuery, options?: ReadOptions): Promise<Page<Session>>;
  /** One page of sessions in any order. Pages neither skip nor repeat a session. */
  listSessions(query: SessionListQuery, options?: ReadOptions): Promise<SessionListPage>;
}
