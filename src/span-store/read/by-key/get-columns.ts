import type { ColumnQuery, RowColumns, RowReader } from '../../contract/rows.ts';
import { findAnnotationsByRowIds, findAnnotationsOfTargets } from '../annotations/find-annotations.ts';
import { findCosts, findCostsOfTypes } from '../costs/find-costs.ts';
import type { ReadContext, ReadsOf } from '../read-context.ts';
import { findSpanRows } from '../rows/read-span-rows.ts';
import { findSpanBodies } from '../rows/read-spans.ts';
import { findSessionDetails, findSessionsByRowIds } from '../sessions/list-sessions.ts';
import { findSpanSums } from '../traces/find-span-sums.ts';
import { findSpansOfTraces } from '../traces/find-spans-of-traces.ts';
import {
  findErrorTypesOfTraces,
  findRootSpanIds,
  findTracesByRowIds,
  findUsersOfSessions,
  findUsersOfTraces,
} from '../traces/find-trace-details.ts';
import { findTraceSkeletons } from '../traces/find-trace-skeletons.ts';
import { findTracesOfSessions } from '../traces/find-traces.ts';
import { findByIds } from './find-by-ids.ts';
import { findProjects } from './find-projects.ts';

type ReadColumn<Value> = (context: ReadContext, rowIds: readonly number[]) => Promise<Map<number, Value>>;

const COLUMN_READS: {
  readonly [Of in keyof RowColumns]: {
    readonly [Column in keyof RowColumns[Of]]: ReadColumn<RowColumns[Of][Column]>;
  };
} = {
  spans: {
    row: findSpanRows,
    body: findSpanBodies,
    costs: (context, rowIds) => findCosts(context, 'spans', rowIds),
    tokenTypes: (context, rowIds) => findCostsOfTypes(context, 'spans', rowIds),
    annotations: (context, rowIds) => findAnnotationsOfTargets(context, 'span', rowIds),
    projects: (context, rowIds) => findProjects(context, 'spans', rowIds),
  },
  traces: {
    row: findTracesByRowIds,
    rootSpanId: findRootSpanIds,
    user: findUsersOfTraces,
    errorTypes: findErrorTypesOfTraces,
    spans: findSpansOfTraces,
    sums: findSpanSums,
    skeleton: findTraceSkeletons,
    costs: (context, rowIds) => findCosts(context, 'traces', rowIds),
    tokenTypes: (context, rowIds) => findCostsOfTypes(context, 'traces', rowIds),
    annotations: (context, rowIds) => findAnnotationsOfTargets(context, 'trace', rowIds),
    projects: (context, rowIds) => findProjects(context, 'traces', rowIds),
  },
  sessions: {
    row: findSessionsByRowIds,
    details: findSessionDetails,
    user: findUsersOfSessions,
    traces: findTracesOfSessions,
    costs: (context, rowIds) => findCosts(context, 'sessions', rowIds),
    tokenTypes: (context, rowIds) => findCostsOfTypes(context, 'sessions', rowIds),
    annotations: (context, rowIds) => findAnnotationsOfTargets(context, 'session', rowIds),
    projects: (context, rowIds) => findProjects(context, 'sessions', rowIds),
  },
  annotations: {
    row: findAnnotationsByRowIds,
    projects: (context, rowIds) => findProjects(context, 'annotations', rowIds),
  },
  documents: {
    annotations: (context, rowIds) => findAnnotationsOfTargets(context, 'document', rowIds),
  },
};

function get(context: ReadContext, { of, column, rowIds }: ColumnQuery): Promise<Map<number, unknown>> {
  const read = (COLUMN_READS[of] as Readonly<Record<string, ReadColumn<unknown>>>)[column];
  if (!read) throw new Error(`${of} have no column ${column}`);
  return read(context, rowIds);
}

/** Implementations of `RowReader`. */
export const ROW_READS = { get, findByIds } as unknown as ReadsOf<RowReader>;
