import { setTimeout as delay } from 'node:timers/promises';
import type { Part, SumChange } from '../../cache/aggregate-bin.ts';
import { type KindWithLatencies, type ProjectParts, SUMMED, type SummedKind } from '../../cache/project-bins.ts';
import { findQuantiles } from '../../cache/quantiles.ts';
import { hourOf, isIn } from '../../cache/time-bins.ts';
import type { RangeQuery, TimeRange } from '../../contract/query-terms.ts';
import { readColumns } from '../../duckdb/result-columns.ts';
import { Parameters } from '../../duckdb/sql.ts';
import { LATENCY_NS_INT64, startsIn } from '../list-order.ts';
import type { ReadContext } from '../read-context.ts';
import { loadParts } from './load-bins.ts';

// Questions about ranges of time that are answered from memory, but for what lies at their ends.

/** Sums of what starts in a range: how many, and of the columns of their kind. */
export interface RangeTotals {
  readonly count: number;
  readonly values: readonly bigint[];
}

/** Undefined where the database must be asked for all of it. */
export async function sumRange(
  context: ReadContext,
  kind: SummedKind,
  query: RangeQuery,
): Promise<RangeTotals | undefined> {
  const found = await askRange(context, kind, query, toTotals, (pieces) =>
    readTotals(context, kind, query.projectId, pieces),
  );
  if (!found) return undefined;
  const { known, read, changes } = found;
  const late = changes.map(({ weight, values }) => ({
    count: weight,
    values: values.map((value) => BigInt(weight * value)),
  }));
  return addTotals([known, ...(read ? [read] : []), ...late], SUMMED[kind].columns.length);
}

/** Latency quantiles in ns. Null when there are no latencies, and undefined when the sums are not in memory. */
export async function findLatencyQuantiles(
  context: ReadContext,
  kind: KindWithLatencies,
  query: RangeQuery,
  probabilities: readonly number[],
): Promise<readonly number[] | null | undefined> {
  const found = await askRange(context, kind, query, toLists, (pieces) =>
    readLatencies(context, kind, query.projectId, pieces),
  );
  if (!found) return undefined;
  const { known, read, changes } = found;
  const latenciesOf = (sign: SumChange['weight']) =>
    Float64Array.from(changes.filter(({ weight }) => weight === sign).map(({ latency }) => latency)).sort();
  const lists = [...known, ...(read ? [read.latencies] : []), latenciesOf(1)];
  return findQuantiles({ lists, without: latenciesOf(-1) }, probabilities) ?? null;
}

interface Found<Known, Read> {
  readonly known: Known;
  /** Undefined when there was nothing to read. */
  readonly read: Read | undefined;
  /** What commits changed between the two, beside what was read. */
  readonly changes: readonly SumChange[];
}

/** How often a question begins anew because of a deletion meanwhile. */
const ATTEMPT_COUNT = 3;

/**
 * Takes what is known of a range, reads the rest, and what changed between the two, so that all of it together is as of the
 * commit that the reading saw.
 */
async function askRange<Known, Read extends { readonly position: number }>(
  context: ReadContext,
  kind: SummedKind,
  { projectId, ...range }: RangeQuery,
  take: (parts: readonly Part[]) => Known,
  readPieces: (pieces: readonly TimeRange[]) => Promise<Read>,
): Promise<Found<Known, Read> | undefined> {
  for (let attempt = 0; attempt < ATTEMPT_COUNT; attempt++) {
    const parts = await findParts(context, kind, { projectId, ...range });
    if (!parts) return undefined;
    const { known, pieces } = parts.split(range);
    const taken = take(known);
    if (pieces.length === 0) return { known: taken, read: undefined, changes: [] };
    const watch = context.sums.watch(kind, projectId);
    try {
      const read = await readPieces(pieces);
      await untilNoted(context, read.position);
      const changes = watch.changes('upTo', read.position);
      if (!changes) continue;
      const isLate = ({ start }: SumChange) => isIn(range, start) && !pieces.some((piece) => isIn(piece, start));
      return { known: taken, read, changes: changes.filter(isLate) };
    } finally {
      watch.end();
    }
  }
  return undefined;
}

/** Sums that cover the range, loaded where they are not here; undefined where they are too much. */
async function findParts(
  context: ReadContext,
  kind: SummedKind,
  { projectId, startTimeUnixNano }: RangeQuery,
): Promise<ProjectParts | undefined> {
  const { sums } = context;
  const fromHour = startTimeUnixNano === undefined ? Number.NEGATIVE_INFINITY : hourOf(startTimeUnixNano);
  for (let attempt = 0; attempt < ATTEMPT_COUNT; attempt++) {
    const found = sums.find(kind, projectId, fromHour);
    if (found) return found;
    if (sums.isTooMuch(kind, projectId, fromHour)) return undefined;
    await sums.load(kind, projectId, fromHour, async () => {
      const loaded = await loadParts(context, { kind, projectId, fromHour }, sums.bytesMax);
      await untilNoted(context, loaded.position);
      return loaded;
    });
    context.throwIfCancelled();
  }
  return undefined;
}

/** A commit can be read a moment before it is noted. */
async function untilNoted(context: ReadContext, position: number): Promise<void> {
  while (context.sums.position < position) {
    context.throwIfCancelled();
    await delay(1);
  }
}

function toTotals(parts: readonly Part[]): RangeTotals {
  return addTotals(parts, parts[0]?.values.length ?? 0);
}

function addTotals(all: readonly RangeTotals[], valueCount: number): RangeTotals {
  const values = new Array<bigint>(valueCount).fill(0n);
  let sum = 0;
  for (const { count, values: added } of all) {
    sum += count;
    for (let index = 0; index < added.length; index++) values[index]! += added[index]!;
  }
  return { count: sum, values };
}

const toLists = (parts: readonly Part[]): Float64Array[] =>
  parts.flatMap(({ latencies }) => (latencies ? [latencies.sorted()] : []));

async function readTotals(
  context: ReadContext,
  kind: SummedKind,
  projectId: number,
  pieces: readonly TimeRange[],
): Promise<RangeTotals & { readonly position: number }> {
  const { columns } = SUMMED[kind];
  const parameters = new Parameters();
  const rows = selectPieces(['start_ns', ...columns].join(', '), kind, projectId, pieces, parameters);
  const [[position, count, ...values] = []] = await context.rows(
    `SELECT (SELECT applied FROM store.position), count(*)
       ${columns.map((column) => `, coalesce(sum(${column}), 0)`).join('')} FROM (${rows})`,
    parameters,
  );
  return { position: Number(position), count: Number(count), values: values as bigint[] };
}

async function readLatencies(
  context: ReadContext,
  kind: KindWithLatencies,
  projectId: number,
  pieces: readonly TimeRange[],
): Promise<{ readonly position: number; readonly latencies: Float64Array }> {
  const parameters = new Parameters();
  const columns = await readColumns(
    context,
    `SELECT 1::UTINYINT, applied::DOUBLE FROM store.position
     UNION ALL ${selectPieces(`0::UTINYINT, ${LATENCY_NS_INT64}::DOUBLE`, kind, projectId, pieces, parameters)}`,
    parameters,
  );
  const isPosition = columns.bytes(0);
  const values = columns.doubles(1);
  return {
    position: values[isPosition.indexOf(1)]!,
    latencies: values.filter((_, row) => isPosition[row] === 0).sort(),
  };
}

/** Rows of the pieces, each of which the scan finds by its start. */
const selectPieces = (
  columns: string,
  kind: SummedKind,
  projectId: number,
  pieces: readonly TimeRange[],
  parameters: Parameters,
): string =>
  pieces
    .map((piece) => {
      const conditions = [`project_id = ${parameters.integer(projectId)}`, ...startsIn(piece, parameters)];
      return `SELECT ${columns} FROM store.${SUMMED[kind].table} WHERE ${conditions.join(' AND ')}`;
    })
    .join(' UNION ALL ');
