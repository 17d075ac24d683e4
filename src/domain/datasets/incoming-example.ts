import type { ExactJson } from '../../base/exact-json.ts';
import type { NewExample } from '../../model/dataset.ts';
import { DATASET_BATCH_CHARS, DATASET_BATCH_ROW_COUNT } from '../../model/limits/datasets.ts';
import { type RowReader, toRowIds } from '../../span-store/contract/rows.ts';
import type { ExampleObjects } from './content-hash.ts';
import { toExampleContent } from './example-content.ts';
import { checkIndexed, typeName, uploadInvalid } from './upload-invalid.ts';

/** An example as it was read from a body or a file. */
export interface IncomingExample extends ExampleObjects {
  readonly id: string | null;
  /** Span ID of OpenTelemetry in hex. */
  readonly spanId: string | null;
  readonly splits: readonly string[];
  /** Line of the file. Absent for a body of JSON. */
  readonly line?: number | undefined;
}

/** Row id of the example that an ID of an upload names. Undefined for an external ID. */
export type ExampleRowIdOf = (id: string) => number | undefined;

/** Examples in groups, because an asynchronous step for each of them would take longer than the rest of its reading. */
export type ExampleGroups = AsyncIterable<Iterable<IncomingExample>> | Iterable<Iterable<IncomingExample>>;

/**
 * Batches of a limited size, with the row ids of the spans of the examples. A span that is not stored is omitted.
 */
export async function* toBatches(
  groups: ExampleGroups,
  spans: Pick<RowReader, 'findByIds'>,
  exampleRowIdOf: ExampleRowIdOf,
): AsyncGenerator<NewExample[]> {
  let batch: { example: NewExample; spanId: string | null }[] = [];
  let chars = 0;
  for await (const examples of groups) {
    for (const incoming of examples) {
      const example = toNewExample(incoming, exampleRowIdOf);
      batch.push({ example, spanId: incoming.spanId });
      chars += example.input.length + example.output.length + example.metadata.length;
      for (const name of example.splits) chars += name.length;
      if (batch.length < DATASET_BATCH_ROW_COUNT && chars < DATASET_BATCH_CHARS) continue;
      yield await linkSpans(batch, spans);
      batch = [];
      chars = 0;
    }
  }
  if (batch.length > 0) yield linkSpans(batch, spans);
}

async function linkSpans(
  batch: readonly { readonly example: NewExample; readonly spanId: string | null }[],
  spans: Pick<RowReader, 'findByIds'>,
): Promise<NewExample[]> {
  const spanIds = [...new Set(batch.flatMap(({ spanId }) => spanId ?? []))];
  if (spanIds.length === 0) return batch.map(({ example }) => example);
  const rowIds = toRowIds(await spans.findByIds({ of: 'spans', ids: spanIds }));
  return batch.map(({ example, spanId }) => ({
    ...example,
    spanRowId: spanId === null ? null : (rowIds.get(spanId) ?? null),
  }));
}

/** Lists the fields, because a spread of objects takes several microseconds. */
function toNewExample(incoming: IncomingExample, exampleRowIdOf: ExampleRowIdOf): NewExample {
  const { id, splits, line } = incoming;
  const { input, output, metadata, hash } = toExampleContent(incoming);
  return {
    input,
    output,
    metadata,
    hash,
    id: id === null ? null : checkIndexed('an example_id', id),
    exampleRowId: id === null ? null : (exampleRowIdOf(id) ?? null),
    spanRowId: null,
    splits,
    line,
  };
}

/** Names of splits from received values, which may be null: trimmed, without empty and repeated ones. */
export function toSplitNames(values: readonly ExactJson[]): string[] {
  const names = new Set<string>();
  for (const value of values) {
    if (value === null) continue;
    if (typeof value !== 'string') {
      throw uploadInvalid(`Split value must be a string or None, got ${typeName(value)}`);
    }
    const name = value.trim();
    if (name !== '') names.add(checkIndexed('the name of a split', name));
  }
  return [...names];
}
