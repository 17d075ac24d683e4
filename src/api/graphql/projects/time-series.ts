import { SERIES_BIN_COUNT_MAX, SERIES_SCALE_COUNT_MAX, TIME_ZONE_YEARS_MAX } from '../../../model/limits/reads.ts';
import { type BinStep, binStarts, type Clocks, LEAST_BIN_MS, toIntervals } from '../../../model/time/time-bins.ts';
import { clocksOf, resolveTimeZone } from '../../../model/time/time-zone.ts';
import { type Bin, type BinPlan, measure, type TimeRange } from '../../../domain/domain.ts';
import { type BinnedQuery, type FilterArguments, type RangeArguments, reject, toFilteredRange } from '../arguments.ts';
import type { GraphqlContext } from '../context.ts';
import { binTokens, toDollars, toTypeCounts } from '../models/cost.ts';
import { COST_SUMS } from '../models/cost-loaders.ts';
import type { NodeRef, Resolver, Resolvers } from '../resolvers.ts';

export interface SeriesArguments extends RangeArguments, FilterArguments {
  readonly timeBinConfig?: TimeBinConfig | null;
}

const STATUS_COUNTS = {
  okCount: measure.count('ok'),
  errorCount: measure.count('error'),
  unsetCount: measure.count('unset'),
} as const;
const LATENCY_QUANTILES = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1] as const;
const LATENCIES = { latencies: measure.quantiles('latencyMs', LATENCY_QUANTILES) } as const;

/** Bins without data have null for every number, but for traces by status, which have zeros. */
export const seriesResolvers: Resolvers = {
  spanCountTimeSeries: series(
    ({ domain, signal }, query) =>
      domain.spans.aggregate({ ...query, grain: 'spans', measures: STATUS_COUNTS }, { readClass: 'interface', signal }),
    ({ okCount, errorCount, unsetCount }) => ({
      okCount,
      errorCount,
      unsetCount,
      totalCount: okCount + errorCount + unsetCount,
    }),
  ),
  traceCountTimeSeries: series(binTraces, ({ traceCount }) => ({ value: traceCount })),
  traceCountByStatusTimeSeries: series(
    binTraces,
    ({ traceCount, failedCount }) => ({
      okCount: traceCount - failedCount,
      errorCount: failedCount,
      totalCount: traceCount,
    }),
    { okCount: 0, errorCount: 0, totalCount: 0 },
  ),
  traceTokenCountTimeSeries: series(
    binTokens,
    (bin) => ({
      promptTokenCount: bin.tokensPrompt,
      completionTokenCount: bin.tokensCompletion,
      totalTokenCount: bin.tokensPrompt + bin.tokensCompletion,
      promptTokenCountDetails: toTypeCounts(bin, true),
      completionTokenCountDetails: toTypeCounts(bin, false),
    }),
    { promptTokenCountDetails: [], completionTokenCountDetails: [] },
  ),
  traceTokenCostTimeSeries: series(
    async ({ domain, signal }, query) => {
      const measures = { ...COST_SUMS, costCount: measure.count('cost') } as const;
      const rows = { ...query, grain: 'traces', ofMatchingSpans: true, measures } as const;
      const bins = await domain.spans.aggregate(rows, { readClass: 'interface', signal });
      return bins.filter(({ costCount }) => costCount > 0);
    },
    ({ promptPico, completionPico }) => ({
      promptCost: toDollars(promptPico),
      completionCost: toDollars(completionPico),
      totalCost: toDollars(promptPico + completionPico),
    }),
  ),
  traceLatencyMsPercentileTimeSeries: series(
    ({ domain, signal }, query) =>
      domain.spans.aggregate({ ...query, grain: 'traces', measures: LATENCIES }, { readClass: 'interface', signal }),
    ({ latencies }) => Object.fromEntries(LATENCY_QUANTILES.map((p, index) => [quantileName(p), latencies?.[index]])),
  ),
};

const quantileName = (probability: number): string =>
  probability === 1 ? 'max' : `p${String(probability).slice(2).padEnd(2, '0')}`;

function binTraces({ domain, signal }: GraphqlContext, query: BinnedQuery) {
  const measures = { traceCount: measure.rows, failedCount: measure.count('error') } as const;
  return domain.spans.aggregate({ ...query, grain: 'traces', measures }, { readClass: 'interface', signal });
}

/** `ofAll` computes fields of the series beside its data. */
export function series<One extends Bin, Arguments extends SeriesArguments = SeriesArguments>(
  read: (context: GraphqlContext, query: BinnedQuery, args: Arguments) => Promise<One[]>,
  toPoint: (bin: One) => object,
  empty: object = {},
  ofAll: (bins: readonly One[]) => object = () => ({}),
): Resolver<NodeRef, Arguments> {
  return async ({ rowId: projectId }, args, context) => {
    const { startTimeUnixNano, endTimeUnixNano, filter, sessionFilter } = toFilteredRange(args);
    const { plan, endMs, startsUntil } = planSeries(args.timeBinConfig, { startTimeUnixNano, endTimeUnixNano });
    const expectedCount = startsUntil(endMs).length;
    context.items.take(expectedCount);
    const query = { projectId, startTimeUnixNano, endTimeUnixNano, filter, sessionFilter, bins: plan };
    const bins = await read(context, query, args);
    await context.work.slices.wait(context.signal);
    const found = new Map(bins.map((bin) => [bin.startTimeUnixMicro / 1_000, bin]));
    const starts = startsUntil(untilMs(endMs, [...found.keys()]));
    context.items.take(Math.max(0, starts.length - expectedCount));
    const data = starts.map((start) => {
      const bin = found.get(start);
      return { timestamp: new Date(start), ...(bin ? toPoint(bin) : empty) };
    });
    return { data, ...ofAll(bins) };
  };
}

interface SeriesPlan {
  readonly plan: BinPlan;
  readonly endMs: number;
  /** Starts of the bins up to a time in ms. */
  readonly startsUntil: (untilMs: number) => number[];
}

/** Bins of a range, which must have a start. */
export function planSeries(
  config: TimeBinConfig | null | undefined,
  { startTimeUnixNano, endTimeUnixNano }: TimeRange,
): SeriesPlan {
  if (startTimeUnixNano === undefined) return reject('Start time is required');
  const startMs = Number(startTimeUnixNano / 1_000_000n);
  const endMs = endTimeUnixNano === undefined ? Date.now() : Number(endTimeUnixNano) / 1e6;
  const plan = toPlan(config ?? { scale: 'HOUR', scaleCount: 1, utcOffsetMinutes: 0 }, startMs, endMs);
  const startsUntil = (untilMs: number): number[] => {
    const range = { startMs, endMs: untilMs, countMax: 2 * SERIES_BIN_COUNT_MAX };
    const starts = binStarts(plan, plan.intervals, range).filter((start) => start < untilMs);
    return starts.length < range.countMax ? starts : reject('The time range has too many bins; choose larger bins');
  };
  return { plan, endMs, startsUntil };
}

/** Bins extend to the end of the range, and to the last bin with data, because spans may start in the future. */
export const untilMs = (endMs: number, dataStarts: readonly number[]): number =>
  Math.max(endMs, ...dataStarts.slice(-1).map((start) => start + 1));

export interface TimeBinConfig extends BinStep {
  readonly utcOffsetMinutes: number;
  readonly timeZone?: string | null;
}

function toPlan(config: TimeBinConfig, startMs: number, endMs: number): BinPlan {
  const { scale, scaleCount, utcOffsetMinutes, timeZone } = config;
  checkStep(config, startMs, endMs);
  if (timeZone != null)
    return { scale, scaleCount, intervals: toIntervals(config, clocksAround(config, timeZone, startMs, endMs)) };
  if (Math.abs(utcOffsetMinutes) > 24 * 60) reject('utcOffsetMinutes must be within a day');
  return { scale, scaleCount, intervals: toIntervals(config, { offsetMs: utcOffsetMinutes * 60_000, changes: [] }) };
}

function checkStep({ scale, scaleCount }: BinStep, startMs: number, endMs: number): void {
  if (scaleCount < 1 || scaleCount > SERIES_SCALE_COUNT_MAX) {
    reject(`scaleCount must be from 1 to ${SERIES_SCALE_COUNT_MAX}`);
  }
  if (scaleCount > 1 && (scale === 'MONTH' || scale === 'YEAR')) reject('scaleCount of months and years must be 1');
  if ((endMs - startMs) / LEAST_BIN_MS[scale] / scaleCount <= SERIES_BIN_COUNT_MAX) return;
  reject(`The time range has more than ${SERIES_BIN_COUNT_MAX} bins of a ${scale.toLowerCase()}; choose larger bins`);
}

/** UTC offsets of a zone, beginning before the first bin. */
function clocksAround({ scale, scaleCount }: BinStep, name: string, startMs: number, endMs: number): Clocks {
  const zone = resolveTimeZone(name);
  if (zone === undefined) {
    const shown = JSON.stringify(name.slice(0, SHOWN_ZONE_LENGTH_MAX));
    return reject(`There is no time zone ${shown}; expected a name such as "Europe/Berlin"`);
  }
  const firstMs = startMs - LEAST_BIN_MS[scale] * scaleCount - YEAR_MS;
  if (endMs - firstMs > TIME_ZONE_YEARS_MAX * YEAR_MS) {
    reject(`A timeRange with a timeZone may cover at most ${TIME_ZONE_YEARS_MAX} years; choose a shorter one`);
  }
  return clocksOf(zone, Math.min(firstMs, endMs), endMs);
}

const SHOWN_ZONE_LENGTH_MAX = 64;
const YEAR_MS = LEAST_BIN_MS.YEAR;
