import { sql } from 'kysely';
import type { NewExample } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Db } from '../database/database.ts';
import { toPostgresText } from '../database/postgres-text.ts';

// Table: upload_rows, which is temporary.

export interface UploadRows {
  /** In batches that fit into one statement. An error that it throws rolls back the upload. */
  readonly examples: AsyncIterable<readonly NewExample[]> | Iterable<readonly NewExample[]>;
  /**
   * Receives the lines of rows whose ID an earlier row has. These rows are left out then. Absent: such an ID rejects the upload.
   */
  readonly onRepeatedId?: ((line: number, id: string) => void) | undefined;
}

/** Creates and fills the temporary table `upload_rows`; `ordinal` counts from 1. */
export async function collectRows(tx: Db, { examples }: Pick<UploadRows, 'examples'>): Promise<number> {
  await sql`
    create temporary table upload_rows (
      ordinal bigint, given_id text, example_id bigint, input text, output text, metadata text,
      content_hash bytea, span_row_id bigint, splits text, line integer
    ) on commit drop
  `.execute(tx);
  let rowCount = 0;
  for await (const batch of examples) {
    const first = rowCount + 1;
    rowCount += batch.length;
    const column = <Value>(value: (example: NewExample) => Value) => batch.map(value);
    await sql`
      insert into upload_rows
      select * from unnest(
        ${batch.map((_, index) => first + index)}::bigint[],
        ${column(({ id }) => (id === null ? null : toPostgresText(id)))}::text[],
        ${column(({ exampleRowId }) => exampleRowId ?? null)}::bigint[],
        ${column(({ input }) => input)}::text[],
        ${column(({ output }) => output)}::text[],
        ${column(({ metadata }) => metadata)}::text[],
        ${column(({ hash }) => hash)}::bytea[],
        ${column(({ spanRowId }) => spanRowId)}::bigint[],
        ${column(({ splits }) => (splits.length === 0 ? null : JSON.stringify(splits.map(toPostgresText))))}::text[],
        ${column(({ line }) => line ?? null)}::integer[]
      )
    `.execute(tx);
  }
  await sql`analyze upload_rows`.execute(tx);
  return rowCount;
}

/** Collects the rows of an upload. Returns their number. @throws {SpandrelError} `DATASET_UPLOAD_INVALID` */
export async function collectUpload(tx: Db, upload: UploadRows): Promise<number> {
  const rowCount = await collectRows(tx, upload);
  if (upload.onRepeatedId) return rowCount - (await leaveOutRepeated(tx, upload.onRepeatedId));
  const { rows } = await sql<{ id: string }>`
    select given_id as id from upload_rows where given_id is not null group by given_id having count(*) > 1
    order by min(ordinal) limit 1
  `.execute(tx);
  if (rows[0]) throw new SpandrelError('DATASET_UPLOAD_INVALID', `Duplicate example_id in request: '${rows[0].id}'`);
  return rowCount;
}

/** Deletes rows whose ID an earlier row has. Returns their number. */
async function leaveOutRepeated(tx: Db, onRepeatedId: NonNullable<UploadRows['onRepeatedId']>): Promise<number> {
  const { rows } = await sql<{ id: string; line: number }>`
    delete from upload_rows where ordinal in (
      select ordinal from (
        select ordinal, row_number() over (partition by given_id order by ordinal) as place
        from upload_rows where given_id is not null
      ) placed where place > 1
    ) returning given_id as id, line
  `.execute(tx);
  rows.sort((a, b) => a.line - b.line);
  for (const { id, line } of rows) onRepeatedId(line, id);
  return rows.length;
}
