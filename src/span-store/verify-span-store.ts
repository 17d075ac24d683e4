import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SPAN_COST_PICO_MAX } from '../model/limits/models.ts';
import type { MetadataRowIds } from './contract/span-store.ts';
import {
  ANNOTATIONS,
  PENDING_ANNOTATIONS,
  SESSION_TARGET,
  SPAN_TARGETS,
  TRACE_TARGET,
} from './duckdb/annotation-rows.ts';
import { costsDiffer, SUM_OF_SPAN_COSTS } from './duckdb/cost-sums.ts';
import { readMetadataRowIds } from './duckdb/metadata-row-ids.ts';
import { openReadOnly } from './duckdb/open-database.ts';
import type { NextRowIds } from './duckdb/position.ts';
import { BLOCK_FILTER_TABLE, COST_DETAIL_TABLE, LONG_TEXT_TABLE, SCHEMA_VERSION, SPAN_TABLE } from './duckdb/schema.ts';
import { SESSIONS } from './duckdb/session-rows.ts';
import { type Connection, queryRows } from './duckdb/sql.ts';
import { DATABASE_FILE, ROW_IDS_FILE } from './duckdb/store-files.ts';
import { TRACES } from './duckdb/trace-rows.ts';
import { leftOfSessions } from './write/delete/delete-spans.ts';

export interface SpanStoreCheck {
  readonly spanCount: number;
  readonly traceCount: number;
  readonly sessionCount: number;
  /** Journal position of the last checkpoint. Only the journal contains later entries. */
  readonly position: number;
  /** Newest span row id at `position`. 0 before the first span. */
  readonly newestSpanRowId: number;
  readonly metadata: MetadataRowIds;
  readonly problems: readonly string[];
}

/**
 * Reads every column of a database that no server has open, which checks DuckDB's checksums, and compares its tables
 * with each other and with the row id file beside it. It changes nothing. Data that is too large for memory is written
 * to `scratchDir`.
 *
 * @throws {Error} when there is none, or it does not open at all.
 */
export async function verifySpanStore(dir: string, scratchDir: string = join(dir, 'temp')): Promise<SpanStoreCheck> {
  const path = join(dir, DATABASE_FILE);
  if (!existsSync(path)) throw new Error(`There is no ${path}`);
  const database = await openReadOnly(path, scratchDir);
  try {
    const connection = await database.connect();
    const { nextRowIds, ...check } = await verify(connection);
    return { ...check, problems: [...check.problems, ...verifyRowIdsFile(dir, nextRowIds)] };
  } finally {
    database.closeSync();
  }
}

async function verify(connection: Connection): Promise<SpanStoreCheck & { readonly nextRowIds: NextRowIds }> {
  const [position] = await queryRows(
    connection,
    'SELECT schema_version, applied, next_span_row_id, next_trace_row_id, next_session_row_id, next_annotation_row_id FROM store.position',
  );
  if (!position) throw new Error('it has no position');
  const [version, applied, ...nextRowIds] = position.map(Number);
  if (version !== SCHEMA_VERSION) throw new Error(`its tables have version ${version}, not ${SCHEMA_VERSION}`);
  const problems: string[] = [];
  const counts: number[] = [];
  for (const [index, { table, columns }] of TABLES.entries()) {
    const check = await readTable(connection, table, 'row_id', columns);
    counts.push(check.rowCount);
    if (check.rowIdCount < check.rowCount)
      problems.push(`${table}: ${check.rowCount - check.rowIdCount} row ids occur twice`);
    if (check.rowIdMax >= (nextRowIds[index] ?? 0)) {
      problems.push(`${table}: row id ${check.rowIdMax} is in use but would be allocated again`);
    }
  }
  await readTable(connection, 'pending_annotations', 'row_id', names(PENDING_ANNOTATIONS.columns));
  await readTable(connection, 'long_texts', 'span_row_id', names(LONG_TEXT_TABLE));
  await readTable(connection, 'cost_details', 'span_row_id', names(COST_DETAIL_TABLE));
  await readTable(connection, 'block_filters', 'block', names(BLOCK_FILTER_TABLE));
  for (const { what, sql } of COMPARISONS) {
    const [[count] = [0]] = await queryRows(connection, sql);
    if (Number(count) > 0) problems.push(`${count} ${what}`);
  }
  const [spanCount = 0, traceCount = 0, sessionCount = 0] = counts;
  const [span = 1, trace = 1, session = 1, annotation = 1] = nextRowIds;
  return {
    spanCount,
    traceCount,
    sessionCount,
    position: applied ?? 0,
    newestSpanRowId: span - 1,
    metadata: await readMetadataRowIds(connection),
    nextRowIds: { span, trace, session, annotation },
    problems,
  };
}

/** The row id file is written before each checkpoint, so it is never older than the database. */
function verifyRowIdsFile(dir: string, nextRowIds: NextRowIds): string[] {
  const path = join(dir, ROW_IDS_FILE);
  if (!existsSync(path)) {
    return nextRowIds.span > 1
      ? [`there is no ${ROW_IDS_FILE}, which prevents a recreated store from allocating row ids again`]
      : [];
  }
  let recorded: Partial<NextRowIds>;
  try {
    recorded = JSON.parse(readFileSync(path, 'utf8')) as Partial<NextRowIds>;
  } catch (error) {
    return [`${ROW_IDS_FILE} cannot be read: ${(error as Error).message}`];
  }
  return Object.entries(nextRowIds).flatMap(([what, next]) => {
    const value = recorded?.[what as keyof NextRowIds];
    if (value === undefined || !Number.isSafeInteger(value)) return [`${ROW_IDS_FILE} has no row id of a ${what}`];
    return value < next
      ? [`${ROW_IDS_FILE} is older than the database: its next ${what} is ${value}, not ${next}`]
      : [];
  });
}

const names = (columns: readonly { readonly name: string }[]) => columns.map(({ name }) => name);

const TABLES = [
  { table: 'spans', columns: names(SPAN_TABLE) },
  { table: 'traces', columns: names(TRACES.columns) },
  { table: 'sessions', columns: names(SESSIONS.columns) },
  { table: 'annotations', columns: names(ANNOTATIONS.columns) },
] as const;

/** The hash of all columns makes DuckDB read and decompress every one of them. */
async function readTable(connection: Connection, table: string, key: string, columns: readonly string[]) {
  const [[rowCount, rowIdCount, rowIdMax] = []] = await queryRows(
    connection,
    `SELECT count(*), count(DISTINCT ${key}), coalesce(max(${key}), 0), bit_xor(hash(${columns.join(', ')})) FROM store.${table}`,
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
    what: 'traces differ from the rollup of their spans',
    sql: `SELECT count(*) FROM store.traces t LEFT JOIN (
        SELECT trace_row_id, count(*) AS span_count, count_if(status_code = 2) AS error_count,
          coalesce(sum(tokens_prompt), 0) AS tokens_prompt, coalesce(sum(tokens_completion), 0) AS tokens_completion,
          min(start_ns) AS start_ns, max(end_ns) AS end_ns, min(row_id) AS first_row_id, max(row_id) AS last_row_id,
          min(project_id) AS least_project_id, max(project_id) AS greatest_project_id, ${SUM_OF_SPAN_COSTS}
        FROM store.spans GROUP BY trace_row_id
      ) s ON s.trace_row_id = t.row_id
      WHERE s.span_count IS DISTINCT FROM t.span_count OR s.error_count <> t.error_count
        OR s.tokens_prompt <> t.tokens_prompt OR s.tokens_completion <> t.tokens_completion
        OR s.start_ns <> t.start_ns OR s.end_ns <> t.end_ns
        OR s.first_row_id < t.first_span_row_id OR s.last_row_id > t.last_span_row_id
        OR ${costsDiffer('s', 't')}
        OR s.least_project_id <> t.project_id OR s.greatest_project_id <> t.project_id`,
  },
  {
    what: 'traces belong to a session that is missing',
    sql: `SELECT count(*) FROM store.traces t ANTI JOIN store.sessions s ON t.session_row_id = s.row_id
      WHERE t.session_row_id IS NOT NULL`,
  },
  {
    what: 'sessions differ from the rollup of their traces',
    sql: `SELECT count(*) FROM store.sessions s JOIN (${leftOfSessions('SELECT row_id FROM store.sessions')}) l
      ON s.row_id = l.session_row_id
      WHERE s.trace_count <> l.trace_count OR s.error_count <> l.error_count OR s.tokens_prompt <> l.tokens_prompt
        OR s.tokens_completion <> l.tokens_completion OR ${costsDiffer('s', 'l')} OR s.first_input IS DISTINCT FROM l.first_input.body
        OR s.last_output IS DISTINCT FROM l.last_output.body`,
  },
  {
    what: 'traces are outside of the times of their session',
    sql: `SELECT count(*) FROM store.traces t JOIN store.sessions s ON t.session_row_id = s.row_id
      WHERE t.start_ns < s.start_ns OR t.end_ns > s.end_ns`,
  },
  {
    what: 'long texts of spans are incomplete, or their span is missing',
    sql: `SELECT count(*) FROM (
        SELECT span_row_id, bit_or(1 << source) AS bits FROM (
          SELECT span_row_id, source FROM store.long_texts GROUP BY ALL HAVING count(*) = max(part) + 1)
        GROUP BY span_row_id) p
      FULL JOIN (SELECT row_id, long_texts FROM store.spans WHERE long_texts <> 0) s ON p.span_row_id = s.row_id
      WHERE p.bits IS DISTINCT FROM s.long_texts`,
  },
  {
    what: 'costs of spans differ from their split by token type',
    sql: `SELECT count(*) FROM (
        SELECT span_row_id, min(trace_row_id) AS trace_row_id, count(DISTINCT trace_row_id) AS trace_count,
          min(model_id) AS model_id, coalesce(sum(tokens), 0) AS tokens,
          least(coalesce(sum(cost_pico) FILTER (is_prompt = 1), 0), ${SPAN_COST_PICO_MAX}) AS prompt_pico,
          least(coalesce(sum(cost_pico) FILTER (is_prompt = 0), 0), ${SPAN_COST_PICO_MAX}) AS completion_pico
        FROM store.cost_details GROUP BY span_row_id) d
      FULL JOIN (SELECT * FROM store.spans WHERE cost_tokens_prompt + cost_tokens_completion > 0) s
        ON d.span_row_id = s.row_id
      WHERE s.trace_row_id IS DISTINCT FROM d.trace_row_id OR d.trace_count > 1
        OR s.cost_model_id IS DISTINCT FROM d.model_id OR d.tokens <> s.cost_tokens_prompt + s.cost_tokens_completion
        OR coalesce(s.cost_prompt_pico, 0) <> d.prompt_pico
        OR coalesce(s.cost_completion_pico, 0) <> d.completion_pico`,
  },
  {
    what: 'annotations belong to no span, trace or session',
    sql: `SELECT count(*) FROM store.annotations a
      LEFT JOIN store.spans s ON a.target IN ${SPAN_TARGETS} AND a.target_row_id = s.row_id
        AND a.trace_row_id = s.trace_row_id AND a.project_id = s.project_id
      LEFT JOIN store.traces t ON a.target = ${TRACE_TARGET} AND a.target_row_id = t.row_id
        AND a.trace_row_id = t.row_id AND a.project_id = t.project_id
      LEFT JOIN store.sessions e ON a.target = ${SESSION_TARGET} AND a.target_row_id = e.row_id
        AND a.project_id = e.project_id
      WHERE s.row_id IS NULL AND t.row_id IS NULL AND e.row_id IS NULL`,
  },
  {
    what: 'annotations are stored twice',
    sql: `SELECT coalesce(sum(copies - 1), 0) FROM (SELECT count(*) AS copies FROM store.annotations
      GROUP BY target, target_row_id, document_position, name, identifier HAVING count(*) > 1)`,
  },
  {
    what: 'spans cannot be found: the block filter excludes their start times',
    sql: `SELECT count(*) FROM store.spans s JOIN store.block_filters f ON f.block = s.row_id // f.row_count
      WHERE s.start_ns NOT BETWEEN f.least_start_ns AND f.greatest_start_ns`,
  },
  {
    what: 'traces are stored twice',
    sql: `SELECT coalesce(sum(copies - 1), 0) FROM (SELECT count(*) AS copies FROM store.traces
      GROUP BY trace_id_high, trace_id_low, trace_id_text HAVING count(*) > 1)`,
  },
] as const;
