import type { SpanRow } from '../../../model/spans/span.ts';
import type { Loaders } from '../loaders.ts';
import type { FieldInfo } from '../node-fields.ts';
import { isSilent } from './span.ts';

/** Reads the data that a field needs for all spans at once. */
type Ahead = (spans: readonly SpanRow[], loaders: Loaders) => Promise<void>;

const sums: Ahead = (spans, { spanSums }) => spanSums.loadAhead(spans.map(({ traceRowId }) => traceRowId));
const traces: Ahead = (spans, loaders) => loaders.traces.loadAhead(spans.map(({ traceRowId }) => traceRowId));
const bodies: Ahead = (spans, { spanBodies }) => spanBodies.loadAhead(spans.map(({ rowId }) => rowId));
/** Previews of spans without an input or output value are read from the attributes. */
const bodiesOfSilent: Ahead = (spans, { spanBodies }) =>
  spanBodies.loadAhead(spans.filter(isSilent).map(({ rowId }) => rowId));
const annotations: Ahead = (spans, { annotationsOf }) => annotationsOf.span.loadAhead(spans.map(({ rowId }) => rowId));

/** Only spans of kind LLM have costs. */
const costs: Ahead = (spans, { costsOf }) => {
  const priced: number[] = [];
  for (const { rowId, spanKind } of spans) {
    if (spanKind === 'LLM') priced.push(rowId);
    else costsOf.spans.prime(rowId, undefined);
  }
  return costsOf.spans.loadAhead(priced);
};

/** Reads that fields of a span need in addition to its row. */
const AHEAD: ReadonlyMap<string, Ahead> = new Map([
  ['cumulativeTokenCountTotal', sums],
  ['cumulativeTokenCountPrompt', sums],
  ['cumulativeTokenCountCompletion', sums],
  ['propagatedStatusCode', sums],
  ['numChildSpans', sums],
  ['spanAnnotations', annotations],
  ['spanAnnotationSummaries', annotations],
  ['spanNotes', annotations],
  ['costSummary', costs],
  ['trace', traces],
  ['inputPreview', bodiesOfSilent],
  ['outputPreview', bodiesOfSilent],
  ['attributes', bodies],
  ['metadata', bodies],
  ['userId', bodies],
  ['numDocuments', bodies],
  ['tokenPromptDetails', bodies],
  ['events', bodies],
]);

/**
 * Reads the data for the requested fields of these spans, all at the same time. A promise per field and row would take
 * longer than the read, and so would its garbage collection.
 */
export async function readAhead(
  spans: readonly SpanRow[],
  info: FieldInfo | undefined,
  loaders: Loaders,
): Promise<void> {
  const wanted = new Set<Ahead>();
  for (const field of info?.nodeFields ?? []) {
    const ahead = AHEAD.get(field);
    if (ahead) wanted.add(ahead);
  }
  await Promise.all(Array.from(wanted, (ahead) => ahead(spans, loaders)));
}
