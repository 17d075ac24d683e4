// biome-ignore-all lint/style/noNonNullAssertion: the lists were made from the minutes of these rows.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { AggregateBin, BIN_BYTES } from '../../cache/aggregate-bin.ts';
import { Latencies } from '../../cache/latencies.ts';
import { AGGREGATED, type AggregateKind, ProjectBins, WHOLE_HOUR_COUNT_MAX } from '../../cache/project-bins.ts';
import type { LoadedBins } from '../../cache/range-aggregates.ts';
import { HOUR_NS, MINUTE_NS, MINUTES_PER_HOUR, startOfHour } from '../../cache/time-bins.ts';
import { readColumns } from '../../duckdb/result-columns.ts';
import { toBigint } from '../../duckdb/select-list.ts';
import { Parameters } from '../../duckdb/sql.ts';
import { LATENCY_NS_INT64, startsIn } from '../list-order.ts';
import type { ReadContext } from '../read-context.ts';

/** Bins of a project from an hour on. */
export interface BinsToLoad {
  readonly kind: AggregateKind;
  readonly projectId: number;
  readonly fromHour: number;
}

/** Numbers to sort before yielding to other work of the thread: some 3 ms. */
const TURN_COUNT = 2 ** 15;

/** Reads bins as of one commit, with its position. */
export const loadBins = (context: ReadContext, what: BinsToLoad, bytesMax: number): Promise<LoadedBins> =>
  context.inSnapshot(async () => {
    const [[applied] = []] = await context.rows('SELECT applied FROM store.position');
    const position = Number(applied);
    const counts = await countByHour(context, what, Math.floor(bytesMax / BIN_BYTES));
    const bytes = counts.reduce((sum, { count }) => sum + BIN_BYTES + latencyBytes(what.kind, count), 0);
    if (bytes > bytesMax) return { bins: undefined, position };
    return { bins: await readBins(context, what, toSplit(counts)), position };
  });

interface HourCount {
  readonly hour: number;
  readonly count: number;
}

const latencyBytes = (kind: AggregateKind, count: number): number => (AGGREGATED[kind].hasLatencies ? 8 * count : 0);

/** Hours, newest first. One more than `countMax` means that there are too many. */
async function countByHour(context: ReadContext, what: BinsToLoad, countMax: number): Promise<HourCount[]> {
  const parameters = new Parameters();
  const rows = await context.rows(
    `SELECT ${hourOfSql('start_ns')} AS hour, count(*) FROM ${source(what, parameters)}
     GROUP BY hour ORDER BY hour DESC LIMIT ${countMax + 1}`,
    parameters,
  );
  return rows.map(([hour, count]) => ({ hour: Number(hour), count: Number(count) }));
}

function source({ kind, projectId, fromHour }: BinsToLoad, parameters: Parameters): string {
  const range = startsIn({ startTimeUnixNano: startOfHour(fromHour) }, parameters);
  return `store.${AGGREGATED[kind].table} WHERE ${[`project_id = ${parameters.integer(projectId)}`, ...range].join(' AND ')}`;
}

/** Hours to divide into minutes: hours with many rows, and the newest one, which may get many. */
const toSplit = (counts: readonly HourCount[]): number[] =>
  counts.filter(({ count }, index) => index === 0 || count > WHOLE_HOUR_COUNT_MAX).map(({ hour }) => hour);

async function readBins(context: ReadContext, what: BinsToLoad, hoursToSplit: readonly number[]): Promise<ProjectBins> {
  const { kind, fromHour } = what;
  const { columns, hasLatencies } = AGGREGATED[kind];
  const parameters = new Parameters();
  const rows = await context.rows(
    `SELECT ${firstMinute(hoursToSplit, parameters)} AS minute, min(start_ns), max(start_ns), count(*)
       ${columns.map((column) => `, coalesce(sum(${column}), 0)`).join('')}
     FROM ${source(what, parameters)} GROUP BY minute`,
    parameters,
  );
  const latencies = hasLatencies ? await readLatencies(context, what, hoursToSplit) : undefined;
  const split = new Set(hoursToSplit);
  const bins = new ProjectBins(kind, fromHour);
  for (const [at, least, greatest, count, ...sums] of rows) {
    const minute = Number(at);
    const bin = new AggregateBin(toBigint(least), columns.length, latencies?.get(minute));
    bin.greatestStart = toBigint(greatest);
    bin.count = Number(count);
    for (const [index, sum] of sums.entries()) bin.values[index] = toBigint(sum);
    bins.set({ minute, minuteCount: split.has(Math.floor(minute / MINUTES_PER_HOUR)) ? 1 : MINUTES_PER_HOUR }, bin);
  }
  return bins;
}

/** SQL expression: first minute of the bin of a row. */
const firstMinute = (hoursToSplit: readonly number[], parameters: Parameters): string =>
  `CASE WHEN ${parameters.bigintIn(hourOfSql('start_ns'), hoursToSplit)} THEN ${minuteOfSql('start_ns')}
   ELSE ${hourOfSql('start_ns')} * ${MINUTES_PER_HOUR} END`;

/** Latencies by first minute of the bin. */
async function readLatencies(
  context: ReadContext,
  what: BinsToLoad,
  hoursToSplit: readonly number[],
): Promise<Map<number, Latencies>> {
  const parameters = new Parameters();
  const columns = await readColumns(
    context,
    `SELECT (${firstMinute(hoursToSplit, parameters)})::DOUBLE, ${LATENCY_NS_INT64}::DOUBLE FROM ${source(what, parameters)}`,
    parameters,
  );
  const minutes = columns.doubles(0);
  const values = columns.doubles(1);
  const counts = new Map<number, number>();
  for (const minute of minutes) counts.set(minute, (counts.get(minute) ?? 0) + 1);
  const lists = new Map(Array.from(counts, ([minute, count]) => [minute, { list: new Float64Array(count), end: 0 }]));
  for (let row = 0; row < values.length; row++) {
    const to = lists.get(minutes[row]!)!;
    to.list[to.end++] = values[row]!;
  }
  const found = new Map<number, Latencies>();
  let sortedCount = 0;
  for (const [minute, { list }] of lists) {
    found.set(minute, new Latencies(list.sort()));
    sortedCount += list.length;
    if (sortedCount < TURN_COUNT) continue;
    sortedCount = 0;
    await yieldToEventLoop();
  }
  return found;
}

/** SQL expressions: minute and hour of a time. */
export const minuteOfSql = (ns: string): string => unitOfSql(ns, MINUTE_NS);

export const hourOfSql = (ns: string): string => unitOfSql(ns, HOUR_NS);

const unitOfSql = (ns: string, width: bigint): string =>
  `(CASE WHEN ${ns} >= 0 THEN ${ns} // ${width} ELSE -((-1 - ${ns}) // ${width}) - 1 END)`;
