import type { SpanFilter } from '../../filter/spans/span-filter.ts';
import type { FacetGrain } from './grain.ts';
import type { TimeRange } from './query-terms.ts';
import type { ReadOptions } from './read-options.ts';

/** Fields with facets, in display order. */
export const FACET_FIELDS = ['status', 'errorInTrace', 'kind', 'name', 'model', 'user', 'session', 'metadata'] as const;

export type FacetField = (typeof FACET_FIELDS)[number];

/** Facets of the spans that the filter selects: those that start in the range or, with a grain, those of its rows. */
export interface FacetQuery extends TimeRange {
  readonly projectId: number;
  readonly filter?: SpanFilter | undefined;
  readonly grain: FacetGrain;
  /** Maximum number of values per facet. */
  readonly limit: number;
  readonly metadataKeyLimit: number;
}

export interface SpanFacet {
  readonly field: FacetField;
  /** Top-level key of the metadata; null for other fields. */
  readonly key: string | null;
  /** Values by descending count, then by value. */
  readonly values: readonly { readonly value: string; readonly isText: boolean; readonly count: number }[];
}

export interface SpanFacets {
  /** Number of inspected rows of the grain, which the counts refer to. */
  readonly rowCount: number;
  /** Whether older rows may exist that were not inspected. */
  readonly isNewestOnly: boolean;
  readonly facets: readonly SpanFacet[];
}

/** Reads of facets. `SpanStoreReader` states what all reads have in common. */
export interface FacetReader {
  /** Values of the newest matching spans, of at most `FACET_SPAN_COUNT_MAX` spans. */
  findFacets(query: FacetQuery, options?: ReadOptions): Promise<SpanFacets>;
}
