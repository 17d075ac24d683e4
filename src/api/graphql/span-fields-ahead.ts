import type { SpanRow } from '../../model/span.ts';
import type { BatchLoader } from './batch-loader.ts';
import type { Loaders } from './loaders.ts';
import type { FieldInfo } from './node-fields.ts';

type Ahead = readonly [key: 'rowId' | 'traceRowId', loader: (loaders: Loaders) => BatchLoader<number, unknown>];

const SUMS: Ahead = ['traceRowId', ({ spanSums }) => spanSums];
const BODIES: Ahead = ['rowId', ({ spanBodies }) => spanBodies];
const ANNOTATIONS: Ahead = ['rowId', ({ annotationsOf }) => annotationsOf.span];

/** What fields of a span read beside its row. */
const AHEAD: ReadonlyMap<string, Ahead> = new Map([
  ['cumulativeTokenCountTotal', SUMS],
  ['cumulativeTokenCountPrompt', SUMS],
  ['cumulativeTokenCountCompletion', SUMS],
  ['propagatedStatusCode', SUMS],
  ['numChildSpans', SUMS],
  ['spanAnnotations', ANNOTATIONS],
  ['spanAnnotationSummaries', ANNOTATIONS],
  ['spanNotes', ANNOTATIONS],
  ['costSummary', ['rowId', ({ costsOf }) => costsOf.spans]],
  ['trace', ['traceRowId', ({ traces }) => traces]],
  ['attributes', BODIES],
  ['metadata', BODIES],
  ['userId', BODIES],
  ['numDocuments', BODIES],
  ['tokenPromptDetails', BODIES],
  ['events', BODIES],
]);

/**
 * Reads what the fields that are asked of these spans need, all at the same time. Fields then find it there: a promise a
 * field and row takes longer than the reading, and so does clearing the promises away.
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
  await Promise.all(Array.from(wanted, ([key, loader]) => loader(loaders).loadAhead(spans.map((span) => span[key]))));
}
