import { sql } from 'kysely';
import { expectPresent } from '../../base/expect-present.ts';
import type { NewExample } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import { copyRows, toCopyText } from '../database/copy-rows.ts';
import type { Db } from '../database/database.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import { CONTENT_COLUMNS, toContentFields } from './copy-content.ts';

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
 * one, in the order of the rows. Postgres writes rows while the next ones are read.
 */
export async function collectRows(tx: Db, { examples }: Pick<UploadRows, 'examples'>): Promise<CollectedRows> {
  const sequence = await findExampleSequence(tx);
  await sql`
    create temporary table upload_rows (
      ordinal bigint, new_id bigint default nextval(${sql.lit(sequence)}::regclass), given_id text, example_id bigint,
      input text, output text, metadata text, content_hash bytea, span_row_id bigint, splits text, line integer,
      is_revived boolean default false
    ) on commit drop
  `.execute(tx);
  const collected = { rowCount: 0, hasSplits: false };
  await copyRows(tx, `upload_rows (${COLLECTED_COLUMNS})`, toLines(examples, collected));
  // The long texts are in no condition.
  await sql`analyze upload_rows (ordinal, given_id, example_id, content_hash)`.execute(tx);
  return collected;
}

const COLLECTED_COLUMNS = `ordinal, given_id, example_id, ${CONTENT_COLUMNS}, span_row_id, splits, line`;
const NULL = toCopyText(null);

async function findExampleSequence(tx: Db): Promise<string> {
  const { rows } = await sql<{ sequence: string }>`
    select pg_get_serial_sequence('dataset_examples', 'id') as sequence
  `.execute(tx);
  return expectPresent(rows[0], 'the table has a sequence').sequence;
}

async function* toLines(
  batches: UploadRows['examples'],
  collected: { rowCount: number; hasSplits: boolean },
): AsyncGenerator<string> {
  for await (const batch of batches) {
    let lines = '';
    for (const { id, exampleRowId, spanRowId, splits, line, ...content } of batch) {
      const names = splits.length === 0 ? null : JSON.stringify(splits.map(toPostgresText));
      collected.rowCount++;
      collected.hasSplits ||= names !== null;
      lines += `${collected.rowCount}\t${toCopyText(id === null ? null : toPostgresText(id))}\t${exampleRowId ?? NULL}\t${toContentFields(content)}\t${spanRowId ?? NULL}\t${toCopyText(names)}\t${line ?? NULL}\n`;
    }
    yield lines;
  }
}

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
