import type { ExactJson } from '../../../base/exact-json.ts';
import { parseExactJson } from '../../../base/parse-exact-json.ts';
import { authorOf } from '../../../model/access/caller.ts';
import type { ExampleContent, HashedContent, VersionNote } from '../../../model/dataset.ts';
import { SpandrelError } from '../../../model/errors.ts';
import type { CellPath, ExampleField, ExamplePatchAt, SavedExamples } from '../../../model/example-rows.ts';
import { EXAMPLE_SELECTION_COUNT_MAX } from '../../../model/limits/examples.ts';
import { BODY_JSON_DEPTH_MAX } from '../../../model/limits/reads.ts';
import type { Ports } from '../../ports.ts';
import { toNewExample } from '../add-examples.ts';
import type { ExampleObjects } from '../content-hash.ts';
import { toExampleContent } from '../example-content.ts';
import { checkJsonObject, readStoredObject } from '../json-object.ts';
import { withValueAt } from './cell-path.ts';

/** Changes that a user has collected and saves together. Texts are JSON, with numbers as they are stored. */
export interface CollectedChanges {
  /** Fields that are replaced. Each example occurs once. */
  readonly patches: readonly (ExamplePatchAt & { readonly fields: Partial<Readonly<Record<ExampleField, string>>> })[];
  /** Values that several examples get at a path, in this order and after the patches. */
  readonly values: readonly { readonly rowIds: readonly number[]; readonly path: CellPath; readonly value: string }[];
  readonly deleted: readonly ExamplePatchAt[];
  readonly added: readonly (Readonly<Record<ExampleField, string>> & { readonly externalId: string | null })[];
}

/**
 * Saves changes as one new version. If another user has changed or deleted one of the examples, nothing is written, and
 * the result has the current contents.
 *
 * @throws {SpandrelError} `QUERY_INVALID`, `DATASET_NOT_FOUND`, `DATASET_EXAMPLE_ID_TAKEN`
 */
export async function saveExamples(
  ports: Pick<Ports, 'datasets' | 'caller'>,
  datasetRowId: number,
  { patches, values, deleted, added }: CollectedChanges,
  note: VersionNote,
): Promise<SavedExamples> {
  const deletedIds = new Set(deleted.map(({ rowId }) => rowId));
  const fields = new Map(
    patches
      .map(({ rowId, fields: texts }) => [rowId, parseFields(texts)] as const)
      .filter(([id]) => !deletedIds.has(id)),
  );
  if (fields.size < patches.filter(({ rowId }) => !deletedIds.has(rowId)).length) {
    reject('Each example may have one patch.');
  }
  const settings = values.map(({ rowIds, path, value }) => ({
    rowIds: new Set(rowIds),
    path,
    value: parse('the value', value),
  }));
  const revisions = new Map(patches.map(({ rowId, revisionRowId }) => [rowId, revisionRowId]));
  const revisedIds = new Set([...fields.keys(), ...settings.flatMap(({ rowIds }) => [...rowIds])]);
  for (const rowId of deletedIds) revisedIds.delete(rowId);
  const count = revisedIds.size + deletedIds.size + added.length;
  if (count === 0) reject('There are no changes to save.');
  if (count > EXAMPLE_SELECTION_COUNT_MAX) {
    reject(`At most ${EXAMPLE_SELECTION_COUNT_MAX} examples may change at once, but received ${count}.`);
  }
  const revise = (rowId: number, content: ExampleContent): HashedContent => {
    const objects: Record<ExampleField, ExampleObjects[ExampleField]> = {
      input: readStoredObject(content.input),
      output: readStoredObject(content.output),
      metadata: readStoredObject(content.metadata),
      ...fields.get(rowId),
    };
    for (const { rowIds, path, value } of settings) {
      if (rowIds.has(rowId)) objects[path.field] = withValueAt(objects[path.field], path.keys, value);
    }
    return toExampleContent(objects);
  };
  return ports.datasets.saveExamples(
    datasetRowId,
    {
      patches: Array.from(revisedIds, (rowId) => ({ rowId, revisionRowId: revisions.get(rowId) })),
      revise,
      deleted: [...new Map(deleted.map((each) => [each.rowId, each])).values()],
      added: added.map(({ externalId, input, output, metadata }) =>
        toNewExample(
          {
            input: checkJsonObject('input', parse('input', input)),
            output: checkJsonObject('output', parse('output', output)),
            metadata: checkJsonObject('metadata', parse('metadata', metadata)),
          },
          externalId,
          null,
        ),
      ),
    },
    { ...note, userId: authorOf(ports.caller) },
  );
}

function parseFields(texts: Partial<Readonly<Record<ExampleField, string>>>): Partial<ExampleObjects> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, checkJsonObject(name, parse(name, text))]),
  );
}

function parse(what: string, text: string): ExactJson {
  try {
    return parseExactJson(text, { depthMax: BODY_JSON_DEPTH_MAX });
  } catch (error) {
    throw new SpandrelError('QUERY_INVALID', `${what} is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

function reject(message: string): never {
  throw new SpandrelError('QUERY_INVALID', message);
}
