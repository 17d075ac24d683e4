import { expectPresent } from '../../base/expect-present.ts';
import { authorOf } from '../../model/access/caller.ts';
import type { VersionNote } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import { RowError } from '../../model/row-error.ts';
import type { Ports } from '../ports.ts';
import type { ExampleObjects } from './content-hash.ts';
import { toExampleContent } from './example-content.ts';
import { readStoredObject } from './json-object.ts';

/** A given object replaces that of the example. */
export interface ExamplePatch extends Partial<ExampleObjects> {
  readonly rowId: number;
}

/**
 * Revises examples of one dataset, as a new version.
 *
 * @returns The row id of the dataset.
 * @throws {SpandrelError} `QUERY_INVALID`, `DATASET_EXAMPLE_NOT_FOUND`
 */
export async function patchExamples(
  ports: Pick<Ports, 'datasets' | 'caller'>,
  patches: readonly ExamplePatch[],
  datasetRowId: number | undefined,
  note: VersionNote,
): Promise<number> {
  if (patches.length === 0) reject('Must provide examples to patch.');
  const byExample = new Map(patches.map((patch) => [patch.rowId, patch]));
  if (byExample.size < patches.length) reject('Must provide only one patch per example.');
  if (patches.some(({ input, output, metadata }) => !input && !output && !metadata)) {
    reject('Must provide a change in each patch.');
  }
  const owner = await findDatasetOf(ports, [...byExample.keys()], datasetRowId);
  await ports.datasets.patchExamples(
    owner,
    [...byExample.keys()],
    (rowId, content) => {
      const patch: Partial<ExampleObjects> = byExample.get(rowId) ?? {};
      return toExampleContent({
        input: patch.input ?? readStoredObject(content.input),
        output: patch.output ?? readStoredObject(content.output),
        metadata: patch.metadata ?? readStoredObject(content.metadata),
      });
    },
    { ...note, userId: authorOf(ports.caller) },
  );
  return owner;
}

/** Deletes examples from one dataset, as a new version. @returns as `patchExamples` @throws as `patchExamples` */
export async function deleteExamples(
  ports: Pick<Ports, 'datasets' | 'caller'>,
  exampleRowIds: readonly number[],
  datasetRowId: number | undefined,
  note: VersionNote,
): Promise<number> {
  const rowIds = [...new Set(exampleRowIds)];
  if (rowIds.length === 0) reject('Must provide examples to delete.');
  const owner = await findDatasetOf(ports, rowIds, datasetRowId);
  await ports.datasets.deleteExamples(owner, rowIds, { ...note, userId: authorOf(ports.caller) });
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
    throw new RowError(
      'DATASET_EXAMPLE_NOT_FOUND',
      'DatasetExample',
      [absent],
      (id) => `Dataset examples not found: ${id}`,
    );
  }
  const owners = new Set(Array.from(examples.values(), ({ datasetRowId }) => datasetRowId));
  if (expectedRowId !== undefined) owners.add(expectedRowId);
  if (owners.size > 1) reject('Examples must come from the same dataset.');
  const [owner] = owners;
  return expectPresent(owner, 'examples or the caller name a dataset');
}

function reject(message: string): never {
  throw new SpandrelError('QUERY_INVALID', message);
}
