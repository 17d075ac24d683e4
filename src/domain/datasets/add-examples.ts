import { authorOf } from '../../model/access/caller.ts';
import type { NewExample, VersionNote } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Ports } from '../ports.ts';
import { datasetUnknown } from './change-dataset.ts';
import type { ExampleObjects } from './content-hash.ts';
import { toExampleContent } from './example-content.ts';
import { annotationsOfSpans, readSpanExamples, type UserIdText } from './span-example.ts';
import { checkIndexed } from './upload-invalid.ts';

/** An example that a user has written, possibly based on a span. */
export interface WrittenExample extends ExampleObjects {
  readonly externalId: string | null;
  readonly spanRowId: number | null;
}

/**
 * Adds examples as a new version. An example of a span gets the span's annotations in its metadata.
 *
 * @throws {SpandrelError} `DATASET_NOT_FOUND`, `SPAN_NOT_FOUND`; `DATASET_EXAMPLE_ID_TAKEN` for an ID that occurs twice or
 *   that the dataset has
 */
export async function addExamples(
  ports: Pick<Ports, 'datasets' | 'spans' | 'users' | 'caller'>,
  datasetRowId: number,
  examples: readonly WrittenExample[],
  note: VersionNote,
  userIdText: UserIdText,
): Promise<void> {
  rejectRepeated(examples.flatMap(({ externalId }) => externalId ?? []));
  const spanRowIds = examples.flatMap(({ spanRowId }) => spanRowId ?? []);
  const annotations = await annotationsOfSpans(ports, spanRowIds, userIdText);
  const incoming = examples.map(({ externalId, spanRowId, ...objects }) => {
    const ofSpan = spanRowId === null ? undefined : annotations.get(spanRowId);
    const metadata = ofSpan ? { ...objects.metadata, annotations: ofSpan } : objects.metadata;
    return toNewExample({ ...objects, metadata }, externalId, spanRowId);
  });
  await ports.datasets.addExamples(datasetRowId, incoming, { ...note, userId: authorOf(ports.caller) });
}

/** Adds an example for each of these spans, as a new version. @throws {SpandrelError} `DATASET_NOT_FOUND`, `SPAN_NOT_FOUND` */
export async function addSpans(
  ports: Pick<Ports, 'datasets' | 'spans' | 'users' | 'caller'>,
  datasetRowId: number,
  spanRowIds: readonly number[],
  note: VersionNote,
  userIdText: UserIdText,
): Promise<void> {
  if (!(await ports.datasets.find({ rowId: datasetRowId }))) datasetUnknown(datasetRowId);
  const examples = await readSpanExamples(ports, [...new Set(spanRowIds)], userIdText);
  const incoming = Array.from(examples, ([spanRowId, objects]) => toNewExample(objects, null, spanRowId));
  await ports.datasets.addExamples(datasetRowId, incoming, { ...note, userId: authorOf(ports.caller) });
}

function rejectRepeated(ids: readonly string[]): void {
  const known = new Set<string>();
  const twice = ids.filter((id) => known.size === known.add(id).size);
  if (twice.length === 0) return;
  const message = `Examples with the same ID in the request: ${[...new Set(twice)].slice(0, 100).join(', ')}`;
  throw new SpandrelError('DATASET_EXAMPLE_ID_TAKEN', message);
}

/** An example in no split. @throws {SpandrelError} `DATASET_UPLOAD_INVALID` for an ID that is too long for an index */
export const toNewExample = (
  objects: ExampleObjects,
  externalId: string | null,
  spanRowId: number | null,
): NewExample => ({
  ...toExampleContent(objects),
  id: externalId === null ? null : checkIndexed('an example id', externalId),
  spanRowId,
  splits: [],
});
