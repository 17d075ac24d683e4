import type { SpanDetailsData } from '../generated/trace.ts';

/** All data of a span. */
export type SpanDetails = Extract<SpanDetailsData['node'], { readonly __typename: 'Span' }>;
