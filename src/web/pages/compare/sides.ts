import type { CompareSidesData } from './generated/compare.ts';

/** A trace on one side of the comparison. */
export type TraceSide = Extract<CompareSidesData['sides'][number], { readonly __typename: 'Trace' }>;
