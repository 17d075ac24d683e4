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

/** What an upload has collected. */
export interface CollectedRows {
  readonly rowCount: number;
  /** Whether any row has splits. */
  readonly hasSplits: boolean;
}

/**
 * Creates and fills the temporary table `upload_rows`; `ordinal` counts from 1. `new_id` is the row id of the example if it is a new
 * one, in the order of the rows. The next batch is read while one is written.
 */
export async function collectRows(tx: Db, { examples }: Pick<UploadRows, 'examples'>): Promise<CollectedRows> {
  await sql`
    create temporary table upload_rows (
      ordinal bigint, new_id bigint, given_id text, example_id bigint, input text, output text, metadata text,
      content_hash bytea, span_row_id bigint, splits text, line integer, is_revived boolean default false
    ) on commit drop
  `.execute(tx);
  let rowCount = 0;
  let hasSplits = false;
  let writing: Promise<unknown> = Promise.resolve();
  try {
    for await (const batch of examples) {
      await writing;
      hasSplits ||= batch.some(({ splits }) => splits.length > 0);
      writing = insertRows(tx, batch, rowCount);
      // Thrown when it is awaited.
      writing.catch(() => {});
      rowCount += batch.length;
    }
  } finally {
    await writing;
  }
  // The long texts are in no condition.
  await sql`analyze upload_rows (ordinal, given_id, example_id, content_hash)`.execute(tx);
  return { rowCount, hasSplits };
}

/** @param count Number of rows before these. */
function insertRows(tx: Db, batch: readonly NewExample[], count: number): Promise<unknown> {
  const column = <Value>(value: (example: NewExample) => Value | null) => {
    const values = batch.map(value);
    return values.every((one) => one === null) ? null : values;
  };
  // The result is in the order of the arrays, the shorter ones of which are filled with nulls.
  return sql`
    insert into upload_rows (ordinal, new_id, given_id, example_id, input, output, metadata, content_hash, span_row_id, splits, line)
    select ${count}::bigint + ordinality,
      nextval((select pg_get_serial_sequence('dataset_examples', 'id')::regclass)),
      given_id, example_id, input, output, metadata, decode(hash, 'hex'), span_row_id, splits, line
    from unnest(
      ${column(({ id }) => (id === null ? null : toPostgresText(id)))}::text[],
      ${column(({ exampleRowId }) => exampleRowId ?? null)}::bigint[],
      string_to_array(${toJsonLines(batch, 'input')}::text, E'\n'),
      string_to_array(${toJsonLines(batch, 'output')}::text, E'\n'),
      string_to_array(${toJsonLines(batch, 'metadata')}::text, E'\n'),
      string_to_array(${batch.map(({ hash }) => hash.toString('hex')).join('\n')}::text, E'\n'),
      ${column(({ spanRowId }) => spanRowId)}::bigint[],
      ${column(({ splits }) => (splits.length === 0 ? null : JSON.stringify(splits.map(toPostgresText))))}::text[],
      ${column(({ line }) => line ?? null)}::integer[]
    ) with ordinality as r (given_id, example_id, input, output, metadata, hash, span_row_id, splits, line, ordinality)
  `.execute(tx);
}

/** One text for a column: both sides write and read an array several times as slowly. A line break in JSON is only a blank. */
const toJsonLines = (batch: readonly NewExample[], name: 'input' | 'output' | 'metadata'): string =>
  batch.map((example) => example[name].replaceAll('\n', ' ')).join('\n');

/** Collects the rows of an upload. @throws {SpandrelError} `DATASET_UPLOAD_INVALID` */
export async function collectUpload(tx: Db, upload: UploadRows): Promise<CollectedRows> {
  const collected = await collectRows(tx, upload);
  const { rowCount, hasSplits } = collected;
  if (upload.onRepeatedId) {
    return { rowCount: rowCount - (await leaveOutRepeated(tx, upload.onRepeatedId)), hasSplits };
  }
  const { rows } = await sql<{ id: string }>`
    select given_id as id from upload_rows where given_id is not null group by given_id having count(*) > 1
    order by min(ordinal) limit 1
  `.execute(tx);
  if (rows[0]) throw new SpandrelError('DATASET_UPLOAD_INVALID', `Duplicate example_id in request: '${rows[0].id}'`);
  return collected;
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
