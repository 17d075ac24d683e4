import type { Skeleton } from '../../src/web/pages/trace/tree/span-tree.ts';

export interface GivenSpan {
  /** Index of the parent; -1 of a root. */
  readonly parent: number;
  readonly start: number;
  readonly end: number;
  readonly isError?: boolean;
}

/** The skeleton of a trace as the server tells it. */
export const toSkeleton = (spans: readonly GivenSpan[]): Skeleton => ({
  startTime: null,
  rowIds: spans.map((_, index) => index),
  parents: spans.map(({ parent }) => parent),
  names: ['span'],
  nameIndices: spans.map(() => 0),
  spanKinds: ['chain'],
  spanKindIndices: spans.map(() => 0),
  errors: spans.flatMap(({ isError }, index) => (isError ? index : [])),
  offsetsMs: spans.map(({ start }) => start),
  latenciesMs: spans.map(({ start, end }) => end - start),
  tokenCounts: spans.map(() => 0),
  cumulativeTokenCounts: spans.map(() => 0),
});
