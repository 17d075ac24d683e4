import type { SpanStoreReader } from '../contract/span-store.ts';

/** Reads that the store thread alone answers, in the order of the contract. Both sides of the thread go by this list. */
export const READ_NAMES = [
  'findSpans',
  'findTraces',
  'findSpansOfTraces',
  'findSpanSums',
  'findTraceSkeletons',
  'listSpansOfTrace',
  'findSessions',
  'findSession',
  'findTracesOfSessions',
  'findSpanRowId',
  'findTraceRowId',
  'findTraceRowIds',
  'findStoredSpanIds',
  'listSpans',
  'listRootSpans',
  'listSessions',
  'findSpanRows',
  'findSpanBodies',
  'findTracesByRowIds',
  'findSessionsByRowIds',
  'findSessionDetails',
  'findRootSpanIds',
  'findUsersOfTraces',
  'findUsersOfSessions',
  'findErrorTypesOfTraces',
  'sumUpProjects',
  'countSpansByDay',
  'measureSpans',
  'countSpans',
  'sumUpTraces',
  'sumUpSessions',
  'findQuantiles',
  'sumUpRows',
  'findFacets',
  'binSpans',
  'binRows',
  'binTraces',
  'binTraceLatencies',
  'findAnnotations',
  'findAnnotationsByRowIds',
  'findAnnotationsOfTargets',
  'findWrittenAnnotations',
  'countAnnotations',
  'countMatchingAnnotations',
  'sumUpAnnotations',
  'findDocumentScores',
  'findTargets',
  'findCosts',
  'findCostsOfTypes',
  'sumUpCosts',
  'sumUpModels',
  'findCostsOfTypesOfModels',
  'binCosts',
] as const satisfies readonly (keyof SpanStoreReader)[];

export type ReadName = (typeof READ_NAMES)[number];

/** What each is asked, and what it finds. */
export type ReadArgument<Name extends ReadName> = Parameters<SpanStoreReader[Name]>[0];
export type ReadResult<Name extends ReadName> = Awaited<ReturnType<SpanStoreReader[Name]>>;

/** Reads that write or read a file, of which the thread answers a part: it is told where the file is. */
export type FileReadName = 'writeParquet' | 'openParquet' | 'readParquet';
