import type { ProjectsOfRowsQuery } from '../../../span-store/contract/projects.ts';
import type { ReadOptions } from '../../../span-store/contract/read-options.ts';
import type { SpanStoreReader } from '../../../span-store/contract/span-store.ts';
import type { ProjectAccess } from '../project-access.ts';
import type { VisibleRows } from '../visible-rows.ts';

/** What the reads of a caller share. */
export interface Guard {
  readonly reader: SpanStoreReader;
  readonly access: ProjectAccess;
  readonly rows: VisibleRows;
}

/** No project has this row id. */
export const NO_PROJECT = -1;

type Argument<Name extends keyof SpanStoreReader> = SpanStoreReader[Name] extends (
  argument: infer Argument,
  options?: ReadOptions,
) => unknown
  ? Argument
  : never;
type ReadsWith<Wanted> = {
  [Name in keyof SpanStoreReader]: Argument<Name> extends Wanted ? Name : never;
}[keyof SpanStoreReader];

/** Reads of one project. A hidden project is read as one that does not exist. */
export const READS_OF_PROJECT = {
  findSpans: true,
  listSpans: true,
  listSpanColumns: true,
  listRootSpans: true,
  findTraces: true,
  findSessions: true,
  listSessions: true,
  findAnnotations: true,
  countAnnotations: true,
  countMatchingAnnotations: true,
  sumUpAnnotations: true,
  findDocumentScores: true,
  findFacets: true,
  findSpanMetric: true,
  writeParquet: true,
} as const satisfies Record<ReadsWith<{ readonly projectId: number }>, true>;

/** Reads of rows by their row ids. Hidden rows are left out, like rows that are not stored. */
export const READS_OF_ROWS = {
  findSpanRows: 'spans',
  findSpanBodies: 'spans',
  findTracesByRowIds: 'traces',
  findTracesOfSessions: 'sessions',
  findSpansOfTraces: 'traces',
  findSpanSums: 'traces',
  findTraceSkeletons: 'traces',
  findRootSpanIds: 'traces',
  findUsersOfTraces: 'traces',
  findErrorTypesOfTraces: 'traces',
  findSessionsByRowIds: 'sessions',
  findSessionDetails: 'sessions',
  findUsersOfSessions: 'sessions',
  findAnnotationsByRowIds: 'annotations',
  measureSpans: 'projects',
} as const satisfies Record<
  Exclude<ReadsWith<readonly number[]>, 'findStoredSpanIds' | 'findTraceRowIds' | 'openParquet' | 'openTable'>,
  ProjectsOfRowsQuery['of'] | 'projects'
>;

export type ReadOfProject = keyof typeof READS_OF_PROJECT;
export type ReadOfRows = keyof typeof READS_OF_ROWS;
export type Guarded = Pick<SpanStoreReader, ReadOfProject | ReadOfRows>;
type AnyRead = (argument: never, options?: ReadOptions) => unknown;

/** A read of one project, or of rows by their row ids. */
export function guardedRead<Name extends keyof Guarded>(guard: Guard, name: Name): Guarded[Name] {
  const read = Object.hasOwn(READS_OF_PROJECT, name)
    ? readOfProject(guard, name as ReadOfProject)
    : readOfRows(guard, name as ReadOfRows);
  return read as unknown as Guarded[Name];
}

function readOfProject({ reader, access }: Guard, name: ReadOfProject) {
  return (query: { readonly projectId: number }, options?: ReadOptions) => {
    const isShown = access.reachesAll || access.canRead(query.projectId);
    return (reader[name] as AnyRead)((isShown ? query : { ...query, projectId: NO_PROJECT }) as never, options);
  };
}

function readOfRows({ reader, access, rows }: Guard, name: ReadOfRows) {
  const kind = READS_OF_ROWS[name];
  return async (rowIds: readonly number[], options?: ReadOptions) => {
    if (access.reachesAll) return (reader[name] as AnyRead)(rowIds as never, options);
    const shown =
      kind === 'projects' ? rowIds.filter((rowId) => access.canRead(rowId)) : await rows.filter(kind, rowIds, options);
    if (shown.length === 0 && rowIds.length > 0) return new Map();
    const found = await (reader[name] as AnyRead)(shown as never, options);
    // A sample of all projects may be measured.
    if (name === 'measureSpans') {
      const sizes = found as Map<number, unknown>;
      for (const projectId of sizes.keys()) if (!access.canRead(projectId)) sizes.delete(projectId);
    }
    return found;
  };
}
