import type { UploadPlan, UploadResult } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import { authorColumn } from '../access/author.ts';
import type { Db } from '../database/database.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import { collectUpload, type UploadRows } from './collect-upload.ts';
import { findLatestVersion, type LockedDataset } from './dataset-versions.ts';
import { allowLongStatements, datasetNameTaken } from './datasets.ts';
import { pairUpload } from './pair-upload.ts';
import { countChanges, planUpload } from './upload-plan.ts';
import { writeNewDataset } from './write-new-dataset.ts';
import { type UploadChanges, writeUpload } from './write-upload.ts';

// Table: datasets. The rows of an upload pass through the temporary tables of collect-upload.ts and pair-upload.ts.

export interface ExampleUpload extends UploadRows, UploadChanges {
  readonly name: string;
  /** Description of the dataset if the upload creates it. */
  readonly description: string | null;
  /** Metadata of the dataset if the upload creates it, as the text of a JSON object. */
  readonly metadata?: string;
  /** The dataset to change, and the version that the caller has seen. Absent: the dataset of the name. */
  readonly target?: UploadTarget | undefined;
  /** Whether no example has an ID, a split or a span. Such a new dataset is written without a temporary table. */
  readonly isPlain?: boolean;
  /** Decides by the plan whether it is written. Absent: it is. */
  readonly confirm?: ((plan: UploadPlan) => boolean) | undefined;
}

export interface UploadTarget {
  readonly datasetRowId: number;
  /** Another latest version rejects the upload. Undefined accepts every version, null only a dataset without versions. */
  readonly versionRowId?: number | null | undefined;
}

/**
 * Adds the examples of an upload to a dataset, which is created when it is absent, in one transaction. They are
 * collected in a temporary table first, so that the dataset is locked only for the writing, and writers of one dataset
 * create versions one after the other. The examples of a new dataset may be written at once, because
 * only an upload of the same name waits for it. An upload that changes no content creates no version, unless there is none.
 *
 * An incoming example is matched with the stored example that its ID names. One without an ID is matched with the first
 * example of the same content that no ID has named.
 *
 * @returns Undefined if the plan was not confirmed. Nothing is changed then.
 * @throws {SpandrelError} `DATASET_NOT_FOUND`, `DATASET_CHANGED` for a target; `DATASET_NAME_TAKEN`; `DATASET_EXAMPLES_UNKNOWN` for global IDs that the latest version does not
 *   hold; `DATASET_UPLOAD_INVALID` for an ID that occurs twice.
 */
export async function uploadExamples<Upload extends ExampleUpload>(
  db: Db,
  upload: Upload,
): Promise<UploadResult | (Upload extends { readonly confirm: object } ? undefined : never)> {
  const name = toPostgresText(upload.name);
  try {
    return await db.transaction().execute(async (tx) => {
      await allowLongStatements(tx);
      if (upload.action === 'create') await rejectTaken(tx, name);
      if (upload.isPlain && !upload.target && !upload.confirm) {
        const datasetId = await insertDataset(tx, { ...upload, name });
        if (datasetId !== undefined) return writeNewDataset(tx, datasetId, upload);
      }
      const { rowCount, hasSplits } = await collectUpload(tx, upload);
      const dataset = upload.target ? await lockTarget(tx, upload.target) : await lockOrMake(tx, { ...upload, name });
      await pairUpload(tx, dataset);
      const counts = await countChanges(tx, dataset, rowCount, upload);
      if (upload.confirm && !upload.confirm(await planUpload(tx, dataset, counts))) throw new Unconfirmed();
      return writeUpload(tx, dataset, counts, { ...upload, hasSplits });
    });
  } catch (error) {
    // The type of the result says that only an upload with `confirm` gets here.
    if (error instanceof Unconfirmed) return undefined as never;
    throw error;
  }
}

/** Rolls back a transaction whose plan was not confirmed. */
class Unconfirmed extends Error {}

/** An early check, before a long upload is read; the unique index decides. */
async function rejectTaken(tx: Db, name: string): Promise<void> {
  const taken = await tx.selectFrom('datasets').select('id').where('name', '=', name).executeTakeFirst();
  if (taken) throw datasetNameTaken(name);
}

/** Locks an existing dataset until the transaction ends. */
async function lockTarget(tx: Db, { datasetRowId, versionRowId }: UploadTarget): Promise<LockedDataset> {
  const found = await tx
    .selectFrom('datasets')
    .select('id')
    .where('id', '=', datasetRowId)
    .forUpdate()
    .executeTakeFirst();
  if (!found) throw new SpandrelError('DATASET_NOT_FOUND', 'The dataset was deleted');
  const latest = await findLatestVersion(tx, found.id);
  if (versionRowId !== undefined && (latest?.id ?? null) !== versionRowId) {
    throw new SpandrelError('DATASET_CHANGED', 'The dataset has a newer version than the one that the plan is for');
  }
  return { id: found.id, latest };
}

/** Row id of the dataset. Undefined if its name is in use. */
async function insertDataset(tx: Db, upload: DatasetFields): Promise<number | undefined> {
  const made = await tx
    .insertInto('datasets')
    .values({
      name: upload.name,
      description: upload.description === null ? null : toPostgresText(upload.description),
      ...(upload.metadata !== undefined && { metadata: upload.metadata }),
      user_id: authorColumn(upload.userId),
    })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst();
  return made?.id;
}

type DatasetFields = Pick<ExampleUpload, 'name' | 'description' | 'metadata' | 'userId'>;

/** Locks the dataset until the transaction ends. Creates it when it is absent. */
async function lockOrMake(tx: Db, upload: DatasetFields & Pick<ExampleUpload, 'action'>): Promise<LockedDataset> {
  for (;;) {
    const madeId = await insertDataset(tx, upload);
    if (madeId !== undefined) return { id: madeId, latest: undefined };
    if (upload.action === 'create') throw datasetNameTaken(upload.name);
    const found = await tx
      .selectFrom('datasets')
      .select('id')
      .where('name', '=', upload.name)
      .forUpdate()
      .executeTakeFirst();
    // Otherwise it was deleted in between.
    if (found) return { id: found.id, latest: await findLatestVersion(tx, found.id) };
  }
}
