import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { DATABASE_FILE, quotedPath } from './open-database.ts';
import { SCHEMA_VERSION, SESSION_TABLE, SPAN_TABLE, TRACE_TABLE } from './schema.ts';
import { queryRows } from './sql.ts';

export interface SpanStoreCheck {
  readonly spanCount: number;
  readonly traceCount: number;
  readonly sessionCount: number;
  /** Journal position of the last checkpoint: what came after it is in the journal only. */
  readonly position: number;
  readonly problems: readonly string[];
}

/**
 * Reads every column of a database that no server has open, which checks DuckDB's checksums, and compares its tables
 * with each other. Changes nothing.
 *
 * @throws {Error} when there is none, or it does not open at all.
 */
export async function verifySpanStore(dir: string): Promise<SpanStoreCheck> {
  const path = join(dir, DATABASE_FILE);
  if (!existsSync(path)) throw new Error(`There is no ${path}`);
  const instance = await DuckDBInstance.create(':memory:', { temp_directory: join(dir, 'temp') });
  try {
    const connection = await instance.connect();
    await connection.run(`ATTACH ${quotedPath(path)} AS store (READ_ONLY)`);
    return await verify(connection);
  } finally {
    instance.closeSync();
  }
}

async function verify(connection: DuckDBConnection): Promise<SpanStoreCheck> {
  const [position] = await queryRows(
    connection,
    'SELECT schema_version, applied, next_span_row_id, next_trace_row_id, next_session_row_id FROM store.position',
  );
  if (!position) throw new Error('it has no position');
  const [version, applied, ...nextRowIds] = position.map(Number);
  if (version !== SCHEMA_VERSION) throw new Error(`its tables have version ${version}, not ${SCHEMA_VERSION}`);
  const problems: string[] = [];
  const counts: number[] = [];
  for (const [index, { table, columns }] of TABLES.entries()) {
    const check = await readTable(connection, table, columns);
    counts.push(check.rowCount);
    if (check.rowIdCount < check.rowCount)
      problems.push(`${table}: ${check.rowCount - check.rowIdCount} row ids stand twice`);
    if (check.rowIdMax >= (nextRowIds[index] ?? 0)) {
      problems.push(`${table}: row id ${check.rowIdMax} is in use and would be given again`);
    }
  }
  for (const { what, sql } of COMPARISONS) {
    const [[count] = [0]] = await queryRows(connection, sql);
    if (Number(count) > 0) problems.push(`${count} ${what}`);
  }
  const [spanCount = 0, traceCount = 0, sessionCount = 0] = counts;
  return { spanCount, traceCount, sessionCount, position: applied ?? 0, problems };
}

const names = (columns: readonly { readonly name: string }[]) => columns.map(({ name }) => name);

const TABLES = [
  { table: 'spans', columns: names(SPAN_TABLE) },
  { table: 'traces', columns: names(TRACE_TABLE) },
  { table: 'sessions', columns: names(SESSION_TABLE) },
] as const;

/** The hash of all columns makes DuckDB read and decompress every one of them. */
async function readTable(connection: DuckDBConnection, table: string, columns: readonly string[]) {
  const [[rowCount, rowIdCount, rowIdMax] = []] = await queryRows(
    connection,
    `SELECT count(*), count(DISTINCT row_id), coalesce(max(row_id), 0), bit_xor(hash(${columns.join(', ')})) FROM store.${table}`,
  );
  return { rowCount: Number(rowCount), rowIdCount: Number(rowIdCount), rowIdMax: Number(rowIdMax) };
}

/** Each counts rows that must not be. */
const COMPARISONS = [
  {
    what: 'spans belong to no trace',
    sql: 'SELECT count(*) FROM store.spans s ANTI JOIN store.traces t ON s.trace_row_id = t.row_id',
  },
  {
    what: 'spans are stored twice',
    sql: `SELECT coalesce(sum(copies - 1), 0) FROM (SELECT count(*) AS copies FROM store.spans
      GROUP BY trace_row_id, span_id, span_id_text HAVING count(*) > 1)`,
  },
  {
    what: 'traces do not agree with their spans',
    sql: `SELECT count(*) FROM store.traces t LEFT JOIN (
        SELECT trace_row_id, count(*) AS span_count, min(start_ns) AS start_ns, max(end_ns) AS end_ns,
          min(row_id) AS first_row_id, max(row_id) AS last_row_id
        FROM store.spans GROUP BY trace_row_id
      ) s ON s.trace_row_id = t.row_id
      WHERE s.span_count IS DISTINCT FROM t.span_count OR s.start_ns <> t.start_ns OR s.end_ns <> t.end_ns
        OR s.first_row_id < t.first_span_row_id OR s.last_row_id > t.last_span_row_id`,
  },
  {
    what: 'traces belong to a session that is missing',
    sql: `SELECT count(*) FROM store.traces t ANTI JOIN store.sessions s ON t.session_row_id = s.row_id
      WHERE t.session_row_id IS NOT NULL`,
  },
  {
    what: 'sessions do not agree with their traces',
    sql: `SELECT count(*) FROM store.sessions s LEFT JOIN (
        SELECT session_row_id, count(*) AS trace_count FROM store.traces GROUP BY session_row_id
      ) t ON t.session_row_id = s.row_id WHERE coalesce(t.trace_count, 0) <> s.trace_count`,
  },
  {
    what: 'traces are stored twice',
    sql: `SELECT coalesce(sum(copies - 1), 0) FROM (SELECT count(*) AS copies FROM store.traces
      GROUP BY trace_id_high, trace_id_low, trace_id_text HAVING count(*) > 1)`,
  },
] as const;
