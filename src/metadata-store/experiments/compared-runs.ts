import { type RawBuilder, sql } from 'kysely';
import type { RunColumns } from '../../model/experiment-comparison.ts';
import type { Db } from '../database/database.ts';
import { type IntegerListReader, readIntegerList } from '../database/integer-list.ts';
import { RunIndex } from './run-index.ts';

// Tables: experiment_runs.

interface PackedRuns {
  readonly ids: string | null;
  readonly micros: string | null;
  readonly failedIds: string | null;
  readonly traces: string | null;
  readonly lastRepetition: number | null;
}

/** Repetitions are counted from 1. */
interface PackedKeys {
  readonly examples: string | null;
  readonly repetitions: string | null;
}

/**
 * Reads the runs of an experiment by example and repetition. Postgres needs as long for each further column or aggregate as for
 * finding the runs, so columns that follow from others are not read.
 *
 * @param exampleRowIds Row ids of the examples of the experiment in ascending order.
 */
export async function readComparedRuns(
  db: Db,
  rowId: number,
  exampleRowIds: Float64Array,
  lists: IntegerListReader,
): Promise<RunColumns> {
  const packed = await aggregate<PackedRuns>(db, rowId, COLUMNS);
  const rowIds = lists.read(packed?.ids);
  // Runs belong to examples of the experiment. With as many first repetitions as examples, each example has one run.
  if (packed && rowIds.length === exampleRowIds.length && packed.lastRepetition === 1) {
    const keys = { exampleRowIds, repetitions: new Int32Array(rowIds.length).fill(1) };
    return { ...keys, ...(await unpack(db, rowId, packed, rowIds)) };
  }
  // Runs may have been written since the first statement.
  const all = await aggregate<PackedRuns & PackedKeys>(
    db,
    rowId,
    sql`${COLUMNS}, array_agg(dataset_example_id)::text as examples, array_agg(repetition_number)::text as repetitions`,
  );
  return {
    exampleRowIds: lists.read(all?.examples),
    repetitions: new Int32Array(readIntegerList(all?.repetitions)),
    ...(await unpack(db, rowId, all, lists.read(all?.ids))),
  };
}

const COLUMNS = sql`array_agg(id)::text as ids, array_agg(micros)::text as micros,
  (array_agg(id) filter (where has_failed))::text as "failedIds", string_agg(trace_id, E'\n') as traces,
  max(repetition_number) as "lastRepetition"`;

async function aggregate<Row>(db: Db, rowId: number, columns: RawBuilder<unknown>): Promise<Row | undefined> {
  // `extract` returns a numeric, which takes longer than all other columns together.
  const { rows } = await sql<Row>`
    select ${columns} from (
      select id, dataset_example_id, repetition_number, error is not null as has_failed,
        (date_part('epoch', end_time - start_time) * 1000000)::bigint as micros, coalesce(trace_id, '') as trace_id
      from experiment_runs where experiment_id = ${rowId} order by dataset_example_id, repetition_number
    ) runs
  `.execute(db);
  return rows[0];
}

async function unpack(
  db: Db,
  rowId: number,
  packed: PackedRuns | undefined,
  rowIds: Float64Array,
): Promise<Pick<RunColumns, 'count' | 'rowIds' | 'latencyMs' | 'hasError' | 'traceIds'>> {
  const hasError = new Uint8Array(rowIds.length);
  if (packed?.failedIds) {
    const index = new RunIndex(rowIds);
    for (const failed of readIntegerList(packed.failedIds)) hasError[index.find(failed)] = 1;
  }
  const traces = packed?.traces ?? '';
  const isOnePerLine = rowIds.length === 0 || countLines(traces) === rowIds.length;
  return {
    count: rowIds.length,
    rowIds,
    latencyMs: toMs(readIntegerList(packed?.micros)),
    hasError,
    traceIds: isOnePerLine ? traces : await readTracesByRun(db, rowId, rowIds),
  };
}

/** Clients may send a text with line breaks instead of a trace ID. */
async function readTracesByRun(db: Db, rowId: number, rowIds: Float64Array): Promise<string> {
  const { rows } = await sql<{ ids: string | null; traces: string | null }>`
    select array_agg(id)::text as ids, string_agg(replace(trace_id, E'\n', ''), E'\n') as traces
    from experiment_runs where experiment_id = ${rowId} and trace_id is not null
  `.execute(db);
  const traces = (rows[0]?.traces ?? '').split('\n');
  const index = new RunIndex(rowIds);
  const byRun = new Array<string>(rowIds.length).fill('');
  for (const [at, id] of readIntegerList(rows[0]?.ids).entries()) {
    const run = index.find(id);
    if (run >= 0) byRun[run] = traces[at] ?? '';
  }
  return byRun.join('\n');
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Changes the list. */
function toMs(micros: Float64Array): Float64Array {
  micros.forEach((value, index) => {
    micros[index] = value / 1_000;
  });
  return micros;
}
