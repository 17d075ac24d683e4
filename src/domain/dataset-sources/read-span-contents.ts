import { expectPresent } from '../../base/expect-present.ts';
import type { NewExample } from '../../model/dataset.ts';
import type { SpanMapping } from '../../model/dataset-source.ts';
import { SPAN_EXAMPLE_BATCH_COUNT } from '../../model/limits/datasets.ts';
import { toNewExample } from '../datasets/add-examples.ts';
import { annotationsOfSpans, type UserIdText } from '../datasets/span-example.ts';
import type { Ports } from '../ports.ts';
import { type MappedExample, mapSpan } from './map-span.ts';

/** Ports that reading spans needs. */
export type SpanParts = Pick<Ports, 'spans' | 'users' | 'caller'>;

/** Examples by row id of the span, in the given order. @throws {SpandrelError} `SPAN_NOT_FOUND` */
export async function readMappedSpans(
  ports: SpanParts,
  rowIds: readonly number[],
  mapping: SpanMapping,
  userIdText: UserIdText,
): Promise<Map<number, MappedExample>> {
  const found = ports.spans.get({ of: 'spans', column: 'row', rowIds });
  const [annotations, rows, bodies] = await Promise.all([
    annotationsOfSpans(ports, rowIds, userIdText, found),
    found,
    ports.spans.get({ of: 'spans', column: 'body', rowIds }),
  ]);
  const get = <Value>(values: ReadonlyMap<number, Value>, id: number) =>
    expectPresent(values.get(id), 'the span is stored');
  return new Map(
    rowIds.map((id) => [
      id,
      mapSpan({ row: get(rows, id), body: get(bodies, id), annotations: annotations.get(id) }, mapping),
    ]),
  );
}

/** Reads the examples of many spans in batches. @throws {SpandrelError} like `readMappedSpans`; the reason of the signal */
export async function* readExampleBatches(
  ports: SpanParts,
  rowIds: readonly number[],
  mapping: SpanMapping,
  userIdText: UserIdText,
  { signal, onProgress }: BatchOptions,
): AsyncGenerator<NewExample[]> {
  const read = (start: number) => {
    const batch = rowIds.slice(start, start + SPAN_EXAMPLE_BATCH_COUNT);
    const reading = batch.length === 0 ? undefined : readMappedSpans(ports, batch, mapping, userIdText);
    // The generator may end before it awaits the next batch.
    reading?.catch(() => undefined);
    return reading;
  };
  // A batch is read while the previous one is written.
  for (let start = 0, reading = read(0); reading; ) {
    const examples = toExamples(await reading);
    signal?.throwIfAborted();
    start += SPAN_EXAMPLE_BATCH_COUNT;
    reading = read(start);
    yield examples;
    onProgress?.(Math.min(start, rowIds.length));
  }
}

export interface BatchOptions {
  /** Ends the work, and then nothing is written. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of spans that have been read. */
  readonly onProgress?: ((count: number) => void) | undefined;
}

export const toExamples = (mapped: ReadonlyMap<number, MappedExample>): NewExample[] =>
  Array.from(mapped, ([spanRowId, objects]) => toNewExample(objects, null, spanRowId));
