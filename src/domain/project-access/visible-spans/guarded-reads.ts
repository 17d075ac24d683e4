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
  aggregateAnnotations: true,
  findDocumentScores: true,
  findFacets: true,
  findSpanMetric: true,
  writeParquet: true,
} as const satisfies Record<ReadsWith<{ readonly projectId: number }>, true>;

export type ReadOfProject = keyof typeof READS_OF_PROJECT;
export type Guarded = Pick<SpanStoreReader, ReadOfProject>;
type AnyRead = (argument: never, options?: ReadOptions) => unknown;

/** A read of one project. */
export const guardedRead = <Name extends keyof Guarded>({ reader, access }: Guard, name: Name): Guarded[Name] =>
  ((query: { readonly projectId: number }, options?: ReadOptions) => {
    const isShown = access.reachesAll || access.canRead(query.projectId);
    return (reader[name] as AnyRead)((isShown ? query : { ...query, projectId: NO_PROJECT }) as never, options);
  }) as unknown as Guarded[Name];
