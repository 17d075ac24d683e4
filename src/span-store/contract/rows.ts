import type { Annotation, AnnotationTarget } from '../../model/annotations/annotation.ts';
import type { SpanBody, SpanRow, SpanSummary } from '../../model/spans/span.ts';
import type { Session } from '../../model/traces/session.ts';
import type { SpanSums } from '../../model/traces/span-sums.ts';
import type { Trace } from '../../model/traces/trace.ts';
import type { TraceSkeleton } from '../../model/traces/trace-skeleton.ts';
import type { Costs, CostsOfType } from './costs.ts';
import type { ReadOptions } from './read-options.ts';
import type { SessionDetails } from './sessions.ts';
import type { ErrorTypeCount } from './traces.ts';

/** Columns that each kind of row has. A row without a value of the column is absent from a result. */
interface CommonColumns {
  /** Costs of the row, or of all its spans. */
  readonly costs: Costs;
  readonly tokenTypes: CostsOfType[];
  /** In the order of their row ids. */
  readonly annotations: Annotation[];
  /**
   * Row ids of projects, each once. A session has its own project and those of its traces, because its traces may be in other
   * projects.
   */
  readonly projects: number[];
}

/** Values of the columns of rows. */
export interface RowColumns {
  readonly spans: CommonColumns & {
    readonly row: SpanRow;
    readonly body: SpanBody;
  };
  readonly traces: CommonColumns & {
    readonly row: Trace;
    /** Row id of the span without a parent ID that starts first, then the newest. */
    readonly rootSpanId: number;
    /** `user.id` of the earliest span that has one. */
    readonly user: string;
    /** Exceptions of the failed spans. */
    readonly errorTypes: ErrorTypeCount[];
    /** Spans in the order of start time and row id, with cumulative values. */
    readonly spans: SpanSummary[];
    /** Aggregates of the spans with their descendants. */
    readonly sums: SpanSums;
    /** The spans in columns. */
    readonly skeleton: TraceSkeleton;
  };
  readonly sessions: CommonColumns & {
    readonly row: Session;
    readonly details: SessionDetails;
    readonly user: string;
    /** Traces in the order of start time. */
    readonly traces: Trace[];
  };
  readonly annotations: { readonly row: Annotation } & Pick<CommonColumns, 'projects'>;
  /** Documents of spans. The row ids are those of the spans. */
  readonly documents: Pick<CommonColumns, 'annotations'>;
}

export type RowKind = keyof RowColumns;

export interface ColumnQuery<Of extends RowKind = RowKind, Column extends keyof RowColumns[Of] = keyof RowColumns[Of]> {
  readonly of: Of;
  readonly column: Column;
  readonly rowIds: readonly number[];
}

/** A stored row by the ID that its application gave it. */
export interface StoredId {
  /** The requested ID. */
  readonly id: string;
  readonly rowId: number;
  /** Absent for sessions. */
  readonly traceId?: string;
}

/** Row ids by ID; of several spans with one ID, the newest. */
export const toRowIds = (found: readonly StoredId[]): Map<string, number> =>
  new Map(found.map(({ id, rowId }) => [id, rowId]));

/** Rows that an annotation can annotate. */
export const ROWS_OF_TARGET = {
  span: 'spans',
  document: 'documents',
  trace: 'traces',
  session: 'sessions',
} as const satisfies Record<AnnotationTarget, RowKind>;

/** Reads of rows by their row ids. `SpanStoreReader` states what all reads have in common. */
export interface RowReader {
  /** One column of rows, by row id. Rows that are not stored are absent. */
  get<Of extends RowKind, Column extends keyof RowColumns[Of]>(
    query: ColumnQuery<Of, Column>,
    options?: ReadOptions,
  ): Promise<Map<number, RowColumns[Of][Column]>>;
  /**
   * The stored rows with these IDs, in any project, by row id. Spans of several traces may have one ID.
   */
  findByIds(
    query: { readonly of: 'spans' | 'traces' | 'sessions'; readonly ids: readonly string[] },
    options?: ReadOptions,
  ): Promise<StoredId[]>;
}
