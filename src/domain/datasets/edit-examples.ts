import { type ExactJsonObject, toExactJsonText } from '../../base/exact-json.ts';
import type { HashedContent, NewExample, VersionNote } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import { toGlobalId } from '../../model/global-id.ts';
import type { Ports } from '../ports.ts';
import { contentHash, type ExampleObjects } from './content-hash.ts';
import { datasetUnknown } from './edit-dataset.ts';
import { readStoredObject } from './json-object.ts';
import { annotationsOfSpans, readSpanExamples } from './span-example.ts';
import { checkIndexed } from './upload-invalid.ts';

/** An example that somebody wrote, perhaps after a span. */
export interface WrittenExample extends ExampleObjects {
  readonly externalId: string | null;
  readonly spanRowId: number | null;
}

/** What is given replaces what the example holds. */
export interface ExamplePatch extends Partial<ExampleObjects> {
  readonly rowId: number;
}

/**
 * Adds examples as a new version. One that is made after a span gets the span's annotations into its metadata.
 *
 * @throws {SpandrelError} `DATASET_NOT_FOUND`, `SPAN_NOT_FOUND`; `DATASET_EXAMPLE_ID_TAKEN` for ids that come twice or
 *   that the dataset has
 */
export async function addExamples(
  { datasets, spans }: Pick<Ports, 'datasets' | 'spans'>,
  datasetRowId: number,
  examples: readonly WrittenExample[],
  note: VersionNote,
): Promise<void> {
  refuseTwice(examples.flatMap(({ externalId }) => externalId ?? []));
  const annotations = await annotationsOfSpans(
    spans,
    examples.flatMap(({ spanRowId }) => spanRowId ?? []),
  );
  const incoming = examples.map(({ externalId, spanRowId, ...objects }) =>
    toNewExample(
      spanRowId === null
        ? objects
        : { ...objects, metadata: { ...objects.metadata, annotations: annotations.get(spanRowId)! } },
      externalId,
      spanRowId,
    ),
  );
  await datasets.addExamples(datasetRowId, incoming, note);
}

/** Adds an example for each of these spans, as a new version. @throws {SpandrelError} `DATASET_NOT_FOUND`, `SPAN_NOT_FOUND` */
export async function addSpans(
  ports: Pick<Ports, 'datasets' | 'spans'>,
  datasetRowId: number,
  spanRowIds: readonly number[],
  note: VersionNote,
): Promise<void> {
  if (!(await ports.datasets.find({ rowId: datasetRowId }))) datasetUnknown(datasetRowId);
  const examples = await readSpanExamples(ports.spans, [...new Set(spanRowIds)]);
  const incoming = Array.from(examples, ([spanRowId, objects]) => toNewExample(objects, null, spanRowId));
  await ports.datasets.addExamples(datasetRowId, incoming, note);
}

/**
 * Revises examples of one dataset, as a new version.
 *
 * @returns The row id of the dataset.
 * @throws {SpandrelError} `QUERY_INVALID`, `DATASET_EXAMPLE_NOT_FOUND`
 */
export async function patchExamples(
  ports: Pick<Ports, 'datasets'>,
  patches: readonly ExamplePatch[],
  datasetRowId: number | undefined,
  note: VersionNote,
): Promise<number> {
  if (patches.length === 0) refuse('Must provide examples to patch.');
  const byExample = new Map(patches.map((patch) => [patch.rowId, patch]));
  if (byExample.size < patches.length) refuse('Must provide only one patch per example.');
  if (patches.some(({ input, output, metadata }) => !input && !output && !metadata)) {
    refuse('Must provide a change in each patch.');
  }
  const owner = await findDatasetOf(ports, [...byExample.keys()], datasetRowId);
  await ports.datasets.patchExamples(
    owner,
    [...byExample.keys()],
    (rowId, content) => {
      const patch = byExample.get(rowId)!;
      return toContent({
        input: patch.input ?? readStoredObject(content.input),
        output: patch.output ?? readStoredObject(content.output),
        metadata: patch.metadata ?? readStoredObject(content.metadata),
      });
    },
    note,
  );
  return owner;
}

/** Takes examples out of one dataset, as a new version. @returns as `patchExamples` @throws as `patchExamples` */
export async function deleteExamples(
  ports: Pick<Ports, 'datasets'>,
  exampleRowIds: readonly number[],
  datasetRowId: number | undefined,
  note: VersionNote,
): Promise<number> {
  const rowIds = [...new Set(exampleRowIds)];
  if (rowIds.length === 0) refuse('Must provide examples to delete.');
  const owner = await findDatasetOf(ports, rowIds, datasetRowId);
  await ports.datasets.deleteExamples(owner, rowIds, note);
  return owner;
}

async function findDatasetOf(
  { datasets }: Pick<Ports, 'datasets'>,
  exampleRowIds: readonly number[],
  expectedRowId: number | undefined,
): Promise<number> {
  const examples = await datasets.findExamplesByRowIds(exampleRowIds);
  const absent = exampleRowIds.find((rowId) => !examples.has(rowId));
  if (absent !== undefined) {
    const id = toGlobalId('DatasetExample', absent);
    throw new SpandrelError('DATASET_EXAMPLE_NOT_FOUND', `Dataset examples not found: ${id}`);
  }
  const owners = new Set(Array.from(examples.values(), ({ datasetRowId }) => datasetRowId));
  if (expectedRowId !== undefined) owners.add(expectedRowId);
  if (owners.size > 1) refuse('Examples must come from the same dataset.');
  return [...owners][0]!;
}

function refuseTwice(ids: readonly string[]): void {
  const known = new Set<string>();
  const twice = ids.filter((id) => known.size === known.add(id).size);
  if (twice.length === 0) return;
  const message = `Examples with the same ID in the request: ${[...new Set(twice)].slice(0, 100).join(', ')}`;
  throw new SpandrelError('DATASET_EXAMPLE_ID_TAKEN', message);
}

/** As it is written; in no split. @throws {SpandrelError} `DATASET_UPLOAD_INVALID` for an id that no index takes */
export const toNewExample = (
  objects: ExampleObjects,
  externalId: string | null,
  spanRowId: number | null,
): NewExample => ({
  ...toContent(objects),
  id: externalId === null ? null : checkIndexed('an example id', externalId),
  spanRowId,
  splits: [],
});

const toContent = (objects: ExampleObjects): HashedContent => {
  const text = (object: ExactJsonObject) => toExactJsonText(object);
  const { input, output, metadata } = objects;
  return { input: text(input), output: text(output), metadata: text(metadata), hash: contentHash(objects) };
};

function refuse(message: string): never {
  throw new SpandrelError('QUERY_INVALID', message);
}
