import type { SpanFilter } from '../../filter/spans/span-filter.ts';
import type { FacetGrain } from './grain.ts';
import type { TimeRange } from './query-terms.ts';
import type { ReadOptions } from './read-options.ts';

/** What spans can be told apart by, in the order in which it is shown. */
export const FACET_FIELDS = ['status', 'kind', 'name', 'model', 'user', 'session', 'metadata'] as const;

export type FacetField = (typeof FACET_FIELDS)[number];

/** Facets of the spans that the filter selects: those that start in the range or, with a grain, those of its rows. */
export interface FacetQuery extends TimeRange {
  readonly projectId: number;
  readonly filter?: SpanFilter | undefined;
  readonly grain: FacetGrain;
  /** Values of one facet. */
  readonly limit: number;
  readonly metadataKeyLimit: number;
}

export interface SpanFacet {
  readonly field: FacetField;
  /** Of the metadata, at its top; else null. */
  readonly key: string | null;
  /** By falling count, then value. */
  readonly values: readonly { readonly value: string; readonly isText: boolean; readonly count: number }[];
}

export interface SpanFacets {
  /** Number of inspected rows of the grain, which the counts refer to. */
  readonly rowCount: number;
  /** Whether there may be older ones that were not. */
  readonly isNewestOnly: boolean;
  readonly facets: readonly SpanFacet[];
}

/** Reads of facets. `SpanStoreReader` states what all reads have in common. */
export interface FacetReader {
  /** What values the newest spans have that match, at most `FACET_SPAN_COUNT_MAX` of them. */
  findFacets(query: FacetQuery, options?: ReadOptions): Promise<SpanFacets>;
}
