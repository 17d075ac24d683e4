import { setTimeout as delay } from 'node:timers/promises';
import { expectPresent } from '../../../base/expect-present.ts';
import type { AggregateBin, AggregateChange } from '../../cache/aggregate-bin.ts';
import { AGGREGATED, type AggregateKind, type KindWithLatencies, type ProjectBins } from '../../cache/project-bins.ts';
import { findQuantiles } from '../../cache/quantiles.ts';
import { hourOf, isIn } from '../../cache/time-bins.ts';
import type { RangeQuery, TimeRange } from '../../contract/query-terms.ts';
import { readColumns } from '../../duckdb/result-columns.ts';
import { toBigint } from '../../duckdb/select-list.ts';
import { Parameters } from '../../duckdb/sql.ts';
import { LATENCY_NS_INT64, startsIn } from '../list-order.ts';
import type { ReadContext } from '../read-context.ts';
import { loadBins } from './load-bins.ts';

// Aggregates of time ranges from memory. Only the bins at the ends of a range are read from the database.

/** Number of rows that start in a range, and sums of the columns of their kind. */
export interface RangeTotals {
  readonly count: number;
  readonly values: readonly bigint[];
}

/** Undefined if the caller must read all data from the database. */
export async function findRangeTotals(
  context: ReadContext,
  kind: AggregateKind,
  query: RangeQuery,
): Promise<RangeTotals | undefined> {
  const found = await readRange(context, kind, query, toTotals, (ranges) =>
    readTotals(context, kind, query.projectId, ranges),
  );
  if (!found) return undefined;
  const { known, read, changes } = found;
  const late = changes.map(({ weight, values }) => ({
    count: weight,
    values: values.map((value) => BigInt(weight * value)),
  }));
  return addTotals([known, ...(read ? [read] : []), ...late], AGGREGATED[kind].columns.length);
}

/** Latency quantiles in ns. Null without latencies, and undefined if the caller must read all data from the database. */
export async function findLatencyQuantiles(
  context: ReadContext,
  kind: KindWithLatencies,
  query: RangeQuery,
  probabilities: readonly number[],
): Promise<readonly number[] | null | undefined> {
  const found = await readRange(context, kind, query, toLists, (ranges) =>
    readLatencies(context, kind, query.projectId, ranges),
  );
  if (!found) return undefined;
  const { known, read, changes } = found;
  const latenciesOf = (sign: AggregateChange['weight']) =>
    Float64Array.from(changes.filter(({ weight }) => weight === sign).map(({ latency }) => latency)).sort();
  const lists = [...known, ...(read ? [read.latencies] : []), latenciesOf(1)];
  return findQuantiles({ lists, without: latenciesOf(-1) }, probabilities) ?? null;
}

interface Found<Known, Read> {
  readonly known: Known;
  /** Undefined if nothing was read from the database. */
  readonly read: Read | undefined;
  /** Changes by commits between the two, outside of the ranges that were read. */
  readonly changes: readonly AggregateChange[];
}

/** Maximum attempts. A concurrent deletion invalidates an attempt. */
const ATTEMPT_COUNT = 3;

/**
 * Combines the bins in memory, the rest of the range from the database, and the changes between the two, so that the result
 * matches the commit that the database query saw.
 */
async function readRange<Known, Read extends { readonly position: number }>(
  context: ReadContext,
  kind: AggregateKind,
  { projectId, ...range }: RangeQuery,
  take: (bins: readonly AggregateBin[]) => Known,
  readRanges: (ranges: readonly TimeRange[]) => Promise<Read>,
): Promise<Found<Known, Read> | undefined> {
  for (let attempt = 0; attempt < ATTEMPT_COUNT; attempt++) {
    const bins = await findBins(context, kind, { projectId, ...range });
    if (!bins) return undefined;
    const { known, missing } = bins.split(range);
    const fromMemory = take(known);
    if (missing.length === 0) return { known: fromMemory, read: undefined, changes: [] };
    const watch = context.aggregates.watch(kind, projectId);
    try {
      const read = await readRanges(missing);
      await untilAdvanced(context, read.position);
      const changes = watch.changes('upTo', read.position);
      if (!changes) continue;
      const isLate = ({ start }: AggregateChange) => isIn(range, start) && !missing.some((part) => isIn(part, start));
      return { known: fromMemory, read, changes: changes.filter(isLate) };
    } finally {
      watch.end();
    }
  }
  return undefined;
}

/** Bins that cover the range, which are loaded if necessary. Undefined if they exceed the memory limit. */
async function findBins(
  context: ReadContext,
  kind: AggregateKind,
  { projectId, startTimeUnixNano }: RangeQuery,
): Promise<ProjectBins | undefined> {
  const { aggregates } = context;
  const fromHour = startTimeUnixNano === undefined ? Number.NEGATIVE_INFINITY : hourOf(startTimeUnixNano);
  for (let attempt = 0; attempt < ATTEMPT_COUNT; attempt++) {
    const found = aggregates.find(kind, projectId, fromHour);
    if (found) return found;
    if (aggregates.isTooLarge(kind, projectId, fromHour)) return undefined;
    await aggregates.load(kind, projectId, fromHour, async () => {
      const loaded = await loadBins(context, { kind, projectId, fromHour }, aggregates.bytesMax);
      await untilAdvanced(context, loaded.position);
      return loaded;
    });
    context.throwIfCancelled();
  }
  return undefined;
}

/** Waits until a commit that was read has been recorded, which takes a moment. */
async function untilAdvanced(context: ReadContext, position: number): Promise<void> {
  while (context.aggregates.position < position) {
    context.throwIfCancelled();
    await delay(1);
  }
}

function toTotals(bins: readonly AggregateBin[]): RangeTotals {
  return addTotals(bins, bins[0]?.values.length ?? 0);
}

function addTotals(all: readonly RangeTotals[], valueCount: number): RangeTotals {
  const values = new Array<bigint>(valueCount).fill(0n);
  let sum = 0;
  for (const { count, values: added } of all) {
    sum += count;
    for (const [index, value] of added.entries()) values[index] = (values[index] ?? 0n) + value;
  }
  return { count: sum, values };
}

const toLists = (bins: readonly AggregateBin[]): Float64Array[] =>
  bins.flatMap(({ latencies }) => (latencies ? [latencies.sorted()] : []));

async function readTotals(
  context: ReadContext,
  kind: AggregateKind,
  projectId: number,
  ranges: readonly TimeRange[],
): Promise<RangeTotals & { readonly position: number }> {
  const { columns } = AGGREGATED[kind];
  const parameters = new Parameters();
  const rows = selectRanges(['start_ns', ...columns].join(', '), kind, projectId, ranges, parameters);
  const [[position, count, ...values] = []] = await context.rows(
    `SELECT (SELECT applied FROM store.position), count(*)
       ${columns.map((column) => `, coalesce(sum(${column}), 0)`).join('')} FROM (${rows})`,
    parameters,
  );
  return { position: Number(position), count: Number(count), values: values.map(toBigint) };
}

async function readLatencies(
  context: ReadContext,
  kind: KindWithLatencies,
  projectId: number,
  ranges: readonly TimeRange[],
): Promise<{ readonly position: number; readonly latencies: Float64Array }> {
  const parameters = new Parameters();
  const columns = await readColumns(
    context,
    `SELECT 1::UTINYINT, applied::DOUBLE FROM store.position
     UNION ALL ${selectRanges(`0::UTINYINT, ${LATENCY_NS_INT64}::DOUBLE`, kind, projectId, ranges, parameters)}`,
    parameters,
  );
  const isPosition = columns.bytes(0);
  const values = columns.doubles(1);
  return {
    position: expectPresent(values[isPosition.indexOf(1)], 'one row is the position'),
    latencies: values.filter((_, row) => isPosition[row] === 0).sort(),
  };
}

/** Rows of the ranges. A scan per range uses the zone maps of the start time. */
const selectRanges = (
  columns: string,
  kind: AggregateKind,
  projectId: number,
  ranges: readonly TimeRange[],
  parameters: Parameters,
): string =>
  ranges
    .map((range) => {
      const conditions = [`project_id = ${parameters.integer(projectId)}`, ...startsIn(range, parameters)];
      return `SELECT ${columns} FROM store.${AGGREGATED[kind].table} WHERE ${conditions.join(' AND ')}`;
    })
    .join(' UNION ALL ');
