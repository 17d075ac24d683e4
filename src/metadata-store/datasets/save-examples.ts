import { sql } from 'kysely';
import type { Authored } from '../../model/access/author.ts';
import type { ExampleContent, NewExample, VersionNote } from '../../model/dataset.ts';
import type { ExampleConflict, ExamplePatchAt, Revise, SavedExamples } from '../../model/example-rows.ts';
import type { Db } from '../database/database.ts';
import { currentRevisions, insertExamples, insertRevisions, newVersion } from './change-examples.ts';
import { insertTombstones, type LockedDataset } from './dataset-versions.ts';

// Tables: dataset_versions, dataset_examples, dataset_example_revisions, dataset_split_examples.

export interface ExampleChanges {
  /** Examples to revise, each once. */
  readonly patches: readonly ExamplePatchAt[];
  readonly revise: Revise;
  /** Examples to delete, none of which is revised. */
  readonly deleted: readonly ExamplePatchAt[];
  readonly added: readonly NewExample[];
}

/**
 * Revises, deletes and adds examples in one new version. If an example has another revision than the one on which its
 * change is based, or was deleted, nothing is written.
 *
 * @throws {SpandrelError} `DATASET_NOT_FOUND`, `DATASET_EXAMPLE_ID_TAKEN`
 */
export async function saveExamples(
  db: Db,
  datasetRowId: number,
  { patches, revise, deleted, added }: ExampleChanges,
  note: VersionNote & Authored,
): Promise<SavedExamples> {
  let conflicts: readonly ExampleConflict[] = [];
  const version = await newVersion(
    db,
    datasetRowId,
    note,
    added.length - deleted.length,
    async (tx, dataset, rowId) => {
      conflicts = await findConflicts(tx, dataset, [...patches, ...deleted]);
      if (conflicts.length > 0) throw new Conflicted();
      const { rows } = await sql<ExampleContent & { revision_id: number; example_id: number }>`
      select r.id as revision_id, r.dataset_example_id as example_id, r.input::text as input, r.output::text as output,
        r.metadata::text as metadata ${currentRevisions(
          dataset,
          patches.map(({ rowId: id }) => id),
        )}
      order by r.dataset_example_id
    `.execute(tx);
      await insertRevisions(
        tx,
        dataset.id,
        rowId,
        rows.map((row) => ({ ...row, content: revise(row.example_id, row) })),
      );
      if (deleted.length > 0) {
        // The temporary table exists only now: deleted examples are no longer current.
        await sql`
        create temporary table deleted_examples on commit drop as select r.id, r.dataset_example_id, r.content_hash
        ${currentRevisions(
          dataset,
          deleted.map(({ rowId: id }) => id),
        )}
      `.execute(tx);
        await insertTombstones(tx, dataset.id, rowId, sql`deleted_examples`);
      }
      if (added.length > 0) await insertExamples(tx, dataset.id, rowId, added);
      return rowId;
    },
  ).catch((error: unknown) => {
    if (error instanceof Conflicted) return undefined;
    throw error;
  });
  return version === undefined ? { conflicts } : { conflicts: [], versionRowId: version };
}

/** Ends the transaction without a change. */
class Conflicted extends Error {}

async function findConflicts(
  tx: Db,
  dataset: LockedDataset,
  wanted: readonly ExamplePatchAt[],
): Promise<ExampleConflict[]> {
  const { rows } = await sql<{
    id: number;
    revision_id: number | null;
    version_id: number | null;
    kind: string | null;
    created_at: Date;
    input: string;
    output: string;
    metadata: string;
  }>`
    select wanted.id, r.id as revision_id, r.dataset_version_id as version_id, r.revision_kind as kind, r.created_at,
      r.input::text as input, r.output::text as output, r.metadata::text as metadata
    from unnest(
      ${wanted.map(({ rowId }) => rowId)}::bigint[],
      ${wanted.map(({ revisionRowId }) => revisionRowId ?? null)}::bigint[]
    ) as wanted (id, revision_id)
    left join dataset_example_revisions r on r.dataset_id = ${dataset.id} and r.dataset_example_id = wanted.id
      and r.until_version_id is null
    where r.id is null or r.revision_kind = 'DELETE' or r.id <> wanted.revision_id
    order by wanted.id
  `.execute(tx);
  return rows.map(({ id, revision_id, version_id, kind, created_at, input, output, metadata }) => ({
    rowId: id,
    content:
      revision_id === null || kind === 'DELETE'
        ? undefined
        : { input, output, metadata, revisionRowId: revision_id, updatedAt: created_at },
    versionRowId: version_id ?? dataset.latest?.id ?? 0,
  }));
}
