import type { CompareSidesData } from './generated/compare.ts';

/** A trace that is compared. */
export type TraceSide = Extract<CompareSidesData['sides'][number], { readonly __typename: 'Trace' }>;
