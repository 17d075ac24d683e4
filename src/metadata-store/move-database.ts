import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { Registry } from 'prom-client';
import { expectPresent } from '../base/expect-present.ts';
import type { Log } from '../base/log.ts';
import { USER_FEEDBACK } from '../model/annotations/annotation-config.ts';
import { DEFAULT_PROJECT_NAME } from '../model/projects/project.ts';
import { TABLE_NAMES } from './database/database.ts';
import { parseDatabaseUrl } from './database/database-url.ts';
import { clientConfig, type Endpoint, quoteIdentifier } from './database/pool.ts';
import { prepareTables } from './database/prepare-tables.ts';
import { reachDatabase } from './database/reach-database.ts';
import { openEmbeddedPostgres } from './embedded/embedded-postgres.ts';

export interface MoveOptions {
  /** Schema of the tables, in both databases. */
  readonly schema?: string;
  readonly log: Log;
  /** Receives a line of text for the user after each step. */
  readonly onProgress: (line: string) => void;
}

type TableName = (typeof TABLE_NAMES)[number];

/**
 * Copies the metadata to another Postgres: migrates both databases, then copies table by table in one transaction,
 * compares the row counts, and sets the sequences, so that no row id is allocated twice. The source stays unchanged.
 * Rows that a server writes to it during the copy are not copied.
 *
 * @param source A data directory, whose embedded Postgres is started for the copy, or a URL.
 * @throws {Error} when a server runs on the source directory, or the target holds rows other than the default project;
 *   then, as after any failure, the target has no new rows.
 */
export async function moveDatabase(source: string, targetUrl: string, options: MoveOptions): Promise<void> {
  const { log, schema } = options;
  const isUrl = source.includes('://');
  const address = parseDatabaseUrl(targetUrl);
  const target = await reachDatabase(address, { log, clientName: CLIENT_NAME });
  const embedded = isUrl ? undefined : await openEmbeddedPostgres({ dataDir: source, log, registry: new Registry() });
  try {
    const origin =
      embedded?.endpoint ?? (await reachDatabase(parseDatabaseUrl(source), { log, clientName: CLIENT_NAME }));
    for (const endpoint of [origin, target]) {
      await prepareTables(endpoint, { log, schema, clientName: CLIENT_NAME, migrate: true });
    }
    options.onProgress('Both databases are up to date');
    await withTransaction(origin, 'begin isolation level repeatable read read only', schema, (reader) =>
      withTransaction(target, 'begin', schema, (writer) => copyAll(reader, writer, options)),
    );
    options.onProgress(`Moved. Set SERVICE_SQL_DATABASE_URL to ${address.masked} (with its password) from now on`);
  } finally {
    await embedded?.close();
  }
}

const CLIENT_NAME = 'spandrel db move';

async function copyAll(reader: Client, writer: Client, { onProgress }: MoveOptions): Promise<void> {
  for (const table of TABLE_NAMES) await writer.query(`lock table ${quoteIdentifier(table)} in exclusive mode`);
  await clearSeedRows(writer);
  for (const table of TABLE_NAMES) {
    const rowCount = await copyTable(reader, writer, table);
    await copySequences(reader, writer, table);
    onProgress(`${table}: ${rowCount} ${rowCount === 1 ? 'row' : 'rows'}`);
  }
}

/** Deletes the rows that migrations and the first start have inserted into the target. */
async function clearSeedRows(writer: Client): Promise<void> {
  await writer.query('delete from projects where name = $1 and id = 1', [DEFAULT_PROJECT_NAME]);
  // A trigger has recorded the deletion, and may have recorded the insertion.
  await writer.query("delete from credential_changes where kind = 'project'");
  await writer.query('delete from annotation_configs where name = $1 and id = 1', [USER_FEEDBACK.name]);
  // A server that was started on the target has become its owner and has added the built-in models and evaluators.
  await writer.query('delete from generative_models where is_built_in');
  await writer.query("delete from evaluators where kind = 'BUILTIN'");
  await writer.query('delete from sandbox_configs where id <= 2 and updated_at = created_at');
  await writer.query(
    'delete from sandbox_providers where backend_type not in (select backend_type from sandbox_configs)',
  );
  await writer.query('delete from installation');
  for (const table of TABLE_NAMES) {
    const rowCount = await countRows(writer, table);
    if (rowCount > 0) {
      throw new Error(
        `The target database is not empty: ${table} has ${rowCount} rows. Move to an empty database, or to another schema with SERVICE_SQL_DATABASE_SCHEMA.`,
      );
    }
  }
}

/** Text instead of binary, because it is the same in every version of Postgres. */
async function copyTable(reader: Client, writer: Client, table: TableName): Promise<number> {
  const columns = (await columnsOf(reader, table)).map(quoteIdentifier).join(', ');
  const name = quoteIdentifier(table);
  await pipeline(
    reader.query(copyTo(`copy ${name} (${columns}) to stdout`)),
    writer.query(copyFrom(`copy ${name} (${columns}) from stdin`)),
  );
  const [sent, arrived] = [await countRows(reader, table), await countRows(writer, table)];
  if (sent !== arrived)
    throw new Error(`${table}: ${sent} rows were sent, and ${arrived} arrived. Nothing was changed.`);
  return arrived;
}

async function columnsOf(client: Client, table: TableName): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [quoteIdentifier(table)],
  );
  return rows.map(({ name }) => name);
}

/** Continues the source's sequences, not the largest row id: row ids of deleted rows are never reused. */
async function copySequences(reader: Client, writer: Client, table: TableName): Promise<void> {
  for (const column of await columnsOf(reader, table)) {
    const arguments_ = [quoteIdentifier(table), column];
    const { rows } = await reader.query<{ sequence: string | null }>(
      'select pg_get_serial_sequence($1, $2) as sequence',
      arguments_,
    );
    const sequence = rows[0]?.sequence;
    if (!sequence) continue;
    const { rows: state } = await reader.query<{ last_value: number; is_called: boolean }>(
      `select last_value, is_called from ${sequence}`,
    );
    const { last_value, is_called } = expectPresent(state[0], 'a sequence has one row');
    await writer.query('select setval(pg_get_serial_sequence($1, $2), $3, $4)', [...arguments_, last_value, is_called]);
  }
}

async function countRows(client: Client, table: TableName): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`select count(*) from ${quoteIdentifier(table)}`);
  return expectPresent(rows[0], 'an aggregate returns one row').count;
}

/** Commits when the work resolves, rolls back when it throws. */
async function withTransaction(
  endpoint: Endpoint,
  begin: string,
  schema: string | undefined,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const client = new Client(clientConfig(endpoint, { clientName: CLIENT_NAME }));
  // An error of the connection fails the running statement.
  client.on('error', () => {});
  await client.connect();
  try {
    if (schema !== undefined) await client.query(`set search_path = ${quoteIdentifier(schema)}`);
    await client.query(begin);
    await work(client);
    await client.query('commit');
  } finally {
    // Closing a connection rolls back uncommitted work.
    await client.end().catch(() => {});
  }
}
