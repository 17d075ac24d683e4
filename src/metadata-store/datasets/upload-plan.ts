import { type RawBuilder, sql } from 'kysely';
import { expectPresent } from '../../base/expect-present.ts';
import type { SampleContent, UploadAction, UploadPlan, UploadSample } from '../../model/dataset.ts';
import { UPLOAD_SAMPLE_CHARS_MAX, UPLOAD_SAMPLE_COUNT_MAX } from '../../model/limits/datasets.ts';
import type { Db } from '../database/database.ts';
import { current, type LockedDataset } from './dataset-versions.ts';

// Temporary tables of an upload: upload_rows (received examples), upload_pairs (those that the latest version has).

/** Numbers of examples that an upload adds, changes, deletes and finds as they are. */
export interface ChangeCounts {
  readonly created: number;
  readonly patched: number;
  readonly deleted: number;
  readonly unchanged: number;
}

export async function countChanges(
  tx: Db,
  { latest }: LockedDataset,
  rowCount: number,
  { action }: { readonly action: UploadAction },
): Promise<ChangeCounts> {
  const { rows } = await sql<{ paired: number; patched: number }>`
    select count(*) as paired, count(*) filter (where not is_same) as patched from upload_pairs
  `.execute(tx);
  const { paired, patched } = expectPresent(rows[0], 'an aggregate returns one row');
  const deleted = action === 'update' && latest ? latest.example_count - paired : 0;
  return { created: rowCount - paired, patched, deleted, unchanged: paired - patched };
}

/** The counts with the first examples of each kind. */
export async function planUpload(tx: Db, dataset: LockedDataset, counts: ChangeCounts): Promise<UploadPlan> {
  const { created, patched, deleted, unchanged } = counts;
  return {
    createdCount: created,
    changedCount: patched,
    deletedCount: deleted,
    unchangedCount: unchanged,
    created: created === 0 ? [] : await sampleCreated(tx),
    changed: patched === 0 ? [] : await sampleChanged(tx),
    deleted: deleted === 0 ? [] : await sampleDeleted(tx, dataset),
  };
}

interface SampleRow extends SampleContent {
  readonly externalId: string | null;
  readonly rowId: number | null;
  readonly oldInput: string;
  readonly oldOutput: string;
  readonly oldMetadata: string;
}

const contentOf = (table: string): RawBuilder<unknown> =>
  sql.join(
    (['input', 'output', 'metadata'] as const).map(
      (name) =>
        sql`left(${sql.ref(`${table}.${name}`)}::text, ${UPLOAD_SAMPLE_CHARS_MAX}::integer) as ${sql.ref(name)}`,
    ),
  );

async function sampleCreated(tx: Db): Promise<UploadSample[]> {
  const { rows } = await sql<SampleRow>`
    select given_id as "externalId", ${contentOf('u')} from upload_rows u
    where not exists (select from upload_pairs p where p.ordinal = u.ordinal)
    order by ordinal limit ${UPLOAD_SAMPLE_COUNT_MAX}
  `.execute(tx);
  return rows.map((row) => ({ externalId: row.externalId, rowId: null, before: null, after: toContent(row) }));
}

async function sampleChanged(tx: Db): Promise<UploadSample[]> {
  const old = (name: string, as: string) =>
    sql`left(${sql.ref(`r.${name}`)}::text, ${UPLOAD_SAMPLE_CHARS_MAX}::integer) as ${sql.ref(as)}`;
  const { rows } = await sql<SampleRow>`
    select e.external_id as "externalId", e.id as "rowId", ${contentOf('u')},
      ${old('input', 'oldInput')}, ${old('output', 'oldOutput')}, ${old('metadata', 'oldMetadata')}
    from upload_pairs p
    join upload_rows u using (ordinal)
    join dataset_example_revisions r on r.id = p.revision_id
    join dataset_examples e on e.id = p.example_id
    where not p.is_same order by p.ordinal limit ${UPLOAD_SAMPLE_COUNT_MAX}
  `.execute(tx);
  return rows.map((row) => ({
    externalId: row.externalId,
    rowId: row.rowId,
    before: { input: row.oldInput, output: row.oldOutput, metadata: row.oldMetadata },
    after: toContent(row),
  }));
}

async function sampleDeleted(tx: Db, dataset: LockedDataset): Promise<UploadSample[]> {
  const { rows } = await sql<SampleRow>`
    select e.external_id as "externalId", e.id as "rowId", ${contentOf('r')} from ${current(dataset)} c
    join dataset_example_revisions r using (id)
    join dataset_examples e on e.id = c.dataset_example_id
    where not exists (select from upload_pairs p where p.example_id = c.dataset_example_id)
    order by e.id limit ${UPLOAD_SAMPLE_COUNT_MAX}
  `.execute(tx);
  return rows.map((row) => ({ externalId: row.externalId, rowId: row.rowId, before: toContent(row), after: null }));
}

const toContent = ({ input, output, metadata }: SampleContent): SampleContent => ({ input, output, metadata });
