import type { SpanDetailsData } from '../generated/trace.ts';

/** Everything about one span. */
export type SpanDetails = Extract<SpanDetailsData['node'], { readonly __typename: 'Span' }>;
