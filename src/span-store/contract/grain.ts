/**
 * What a row of a table represents.
 *
 * - `spans`: a span that starts in the range and that the filter selects.
 * - `rootSpans`: a trace that starts in the range and whose root span, orphans too, the filter selects.
 * - `traces`: a trace that starts in the range and of which the filter selects any span.
 * - `sessions`: a session that overlaps the range and that the session filter selects.
 */
export type Grain = 'spans' | TraceGrain | 'sessions';

/** Grains whose rows are traces, each shown as its root span. */
export type TraceGrain = 'rootSpans' | 'traces';

export type FacetGrain = Exclude<Grain, 'sessions'>;
