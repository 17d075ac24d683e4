import { expectPresent } from '../../../base/expect-present.ts';
import {
  type AggregateBins,
  type AggregateQuery,
  type AggregateReader,
  type AggregateRow,
  type GroupColumn,
  type GroupValues,
  type Measure,
  type MeasuredResult,
  type Measures,
  measure,
} from '../../contract/aggregate.ts';
import type { BinPlan } from '../../contract/query-terms.ts';
import { toBigintOrNull } from '../../duckdb/select-list.ts';
import { Parameters, type SqlValue } from '../../duckdb/sql.ts';
import { isFiltered } from '../match/filter-conditions.ts';
import type { ReadContext, ReadsOf } from '../read-context.ts';
import { type AggregateSource, sourceOf } from './aggregate-source.ts';
import { binOf } from './bin-sql.ts';
import { findKnownAggregates } from './known-aggregates.ts';
import { nsToMs, quantileList, toMs } from './quantile-sql.ts';

type Row = AggregateRow<Measures, GroupColumn>;
type Results = Readonly<Record<string, MeasuredResult<Measure>>>;

/** Takes aggregates from memory where it can, then rollups instead of spans, then scans. */
async function aggregate(context: ReadContext, query: AggregateQuery): Promise<Row[]> {
  if (query.ofMatchingSpans && query.filter === undefined && !query.bins && !query.groupBy)
    return aggregateAllSpans(context, query);
  if (isSpanCount(query)) return aggregate(context, toRollupCount(query));
  const known = await findKnownAggregates(context, query);
  return known ? [toRow([], known)] : aggregateRows(context, query);
}

/** Without a filter, all spans match, but not all of them start in the range. */
async function aggregateAllSpans(context: ReadContext, query: AggregateQuery): Promise<Row[]> {
  const isCount = ([, one]: readonly [string, Measure]) => one.by === 'sum' && one.of === 'spanCount';
  const all = Object.entries(query.measures);
  const counts = all.filter(isCount).map(([name]) => [name, measure.rows] as const);
  const measures = Object.fromEntries(all.filter((one) => !isCount(one)));
  const rows = await aggregate(context, { ...query, measures, ofMatchingSpans: false });
  // After the others, because a read has one connection.
  const ofSpans = { ...query, grain: 'spans', measures: Object.fromEntries(counts), ofMatchingSpans: false } as const;
  const counted = counts.length === 0 ? [] : await aggregate(context, ofSpans);
  return rows.map((row) => ({ ...row, ...counted[0] }) as Row);
}

/** Whether only the number of all spans is requested, which the rollups of their traces have. */
const isSpanCount = (query: AggregateQuery): boolean =>
  query.grain === 'spans' &&
  Object.values(query.measures).every(({ by }) => by === 'rows') &&
  query.startTimeUnixNano === undefined &&
  query.endTimeUnixNano === undefined &&
  !isFiltered(query) &&
  !query.modelIds &&
  !query.bins &&
  !query.groupBy?.includes('modelId');

const toRollupCount = (query: AggregateQuery): AggregateQuery => ({
  ...query,
  grain: 'traces',
  measures: Object.fromEntries(Object.keys(query.measures).map((name) => [name, measure.sum('spanCount')])),
});

async function aggregateRows(context: ReadContext, query: AggregateQuery): Promise<Row[]> {
  const parameters = new Parameters();
  const source = await sourceOf(context, query, parameters);
  const groups = query.groupBy ?? [];
  const columns = groups.map((group) => expectPresent(source.groups[group], `${query.grain} have ${group}`));
  const bins = query.bins ? [`${binOf(query.bins, clamp(query.bins, parameters), parameters)} AS bin`] : [];
  const measures = Object.entries(query.measures);
  const selected = [...columns, ...bins, ...measures.map(([, one]) => toSql(source, one))];
  const keys = [...columns, ...(query.bins ? ['bin'] : [])];
  const grouped = keys.length === 0 ? '' : `GROUP BY ${keys.join(', ')} ${query.bins ? 'ORDER BY bin' : ''}`;
  const rows = await context.rows(`${source.with} SELECT ${selected.join(', ')} ${source.from} ${grouped}`, parameters);
  return rows.map((row) => {
    const values = row.slice(keys.length);
    const results = measures.map(([name, one], index) => [name, toResult(one, values[index] ?? null)] as const);
    return toRow(
      groups.map((group, index) => [group, toGroup(group, row[index] ?? null)]),
      Object.fromEntries(results),
      query.bins && Number(row[groups.length]),
    );
  });
}

const toRow = (groups: readonly (readonly [string, unknown])[], results: Results, start = 0): Row =>
  ({ startTimeUnixMicro: start, ...Object.fromEntries(groups), ...results }) as Row;

/** SQL expression: the start of a row, in the range of the bins. */
function clamp({ range }: BinPlan & AggregateBins, parameters: Parameters): string {
  let start = 'start_ns';
  if (range?.startTimeUnixNano !== undefined)
    start = `greatest(${start}, ${parameters.bigint(range.startTimeUnixNano)})`;
  if (range?.endTimeUnixNano !== undefined) start = `least(${start}, ${parameters.bigint(range.endTimeUnixNano - 1n)})`;
  return start;
}

function toSql(source: AggregateSource, one: Measure): string {
  if (one.by === 'rows') return 'count(*)';
  if (one.by === 'earliest' || one.by === 'latest') {
    return `${one.by === 'earliest' ? 'min' : 'max'}(${one.of === 'startTime' ? 'start_ns' : 'end_ns'})`;
  }
  const { sql, from } = expectPresent(source.values[one.of], `the rows have ${one.of}`);
  const aggregated =
    one.by === 'quantiles' ? `quantile_cont(${sql}, ${quantileList(one.probabilities)})` : AGGREGATE_SQL[one.by](sql);
  return from === undefined ? aggregated : `(SELECT ${aggregated} FROM ${from})`;
}

const AGGREGATE_SQL = {
  count: (sql: string) => `count(${sql})`,
  sum: (sql: string) => `coalesce(sum(${sql}), 0)`,
  sumOrNull: (sql: string) => `sum(${sql})`,
  mean: (sql: string) => `avg(${sql})`,
} as const;

function toResult(one: Measure, value: SqlValue): MeasuredResult<Measure> {
  if (one.by === 'quantiles') return toMs(value) ?? null;
  if (one.by === 'earliest' || one.by === 'latest') return toBigintOrNull(value);
  if (value === null) return null;
  const isLatency = 'of' in one && (one.of === 'latencyMs' || one.of === 'traceLatencyMs') && one.by !== 'count';
  return isLatency ? nsToMs(Number(value)) : Number(value);
}

function toGroup(group: GroupColumn, value: SqlValue): GroupValues[GroupColumn] {
  if (group === 'tokenType') return String(value);
  return group === 'isPrompt' ? Number(value) === 1 : Number(value);
}

/** Implementations of `AggregateReader`. */
export const AGGREGATE_READS = { aggregate } as ReadsOf<AggregateReader>;
