import type { FacetReader } from '../../contract/facets.ts';
import type { ReadsOf } from '../read-context.ts';
import { findFacets } from './find-facets.ts';

/** Implementations of `FacetReader`. */
export const FACET_READS: ReadsOf<FacetReader> = {
  findFacets,
};
