import { SERIES_BIN_COUNT_MAX, SERIES_SCALE_COUNT_MAX } from '../../model/limits.ts';
import type { Bin, BinPlan, BinQuery, BinScale } from '../../domain/domain.ts';
import { LATENCY_QUANTILES } from '../../domain/domain.ts';
import { type FilterArguments, type RangeArguments, refuse, toFilteredRange } from './arguments.ts';
import type { GraphqlContext } from './context.ts';
import { binTokens, toDollars, toTypeCounts } from './cost.ts';
import type { NodeRef, Resolver, Resolvers } from './resolvers.ts';

export interface SeriesArguments extends RangeArguments, FilterArguments {
  readonly timeBinConfig?: BinPlan | null;
}

/** Bins without data have null for every number, but for traces by status, which have zeros. */
export const seriesResolvers: Resolvers = {
  spanCountTimeSeries: series(
    ({ domain, signal }, query) => domain.spans.binSpans(query, { readClass: 'interface', signal }),
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
    ({ domain, signal }, query) => domain.spans.binCosts(query, { readClass: 'interface', signal }),
    ({ promptPico, completionPico }) => ({
      promptCost: toDollars(promptPico),
      completionCost: toDollars(completionPico),
      totalCost: toDollars((promptPico ?? 0) + (completionPico ?? 0)),
    }),
  ),
  traceLatencyMsPercentileTimeSeries: series(
    ({ domain, signal }, query) => domain.spans.binTraceLatencies(query, { readClass: 'interface', signal }),
    ({ quantiles }) => Object.fromEntries(LATENCY_QUANTILES.map((p, index) => [quantileName(p), quantiles[index]])),
  ),
};

const quantileName = (probability: number): string =>
  probability === 1 ? 'max' : `p${String(probability).slice(2).padEnd(2, '0')}`;

function binTraces({ domain, signal }: GraphqlContext, query: BinQuery) {
  return domain.spans.binTraces(query, { readClass: 'interface', signal });
}

/** `ofAll` computes fields of the series beside its data. */
export function series<One extends Bin, Arguments extends SeriesArguments = SeriesArguments>(
  read: (context: GraphqlContext, query: BinQuery, args: Arguments) => Promise<One[]>,
  toPoint: (bin: One) => object,
  empty: object = {},
  ofAll: (bins: readonly One[]) => object = () => ({}),
): Resolver<NodeRef, Arguments> {
  return async ({ rowId: projectId }, args, context) => {
    const { startTimeUnixNano, endTimeUnixNano, filter, sessionFilter } = toFilteredRange(args);
    if (startTimeUnixNano === undefined) return refuse('Start time is required');
    const plan = args.timeBinConfig ?? { scale: 'HOUR', scaleCount: 1, utcOffsetMinutes: 0 };
    const query = { projectId, startTimeUnixNano, endTimeUnixNano, filter, sessionFilter, ...plan };
    const until = endTimeUnixNano ?? BigInt(Date.now()) * 1_000_000n;
    checkPlan(plan, startTimeUnixNano, until);
    const startMs = Number(startTimeUnixNano / 1_000_000n);
    const expectedCount = binStarts(query, startMs, untilMs(until, [])).length;
    context.items.take(expectedCount);
    const bins = await read(context, query, args);
    await context.work.slices.wait(context.signal);
    const found = new Map(bins.map((bin) => [bin.startTimeUnixMicro / 1_000, bin]));
    const starts = binStarts(query, startMs, untilMs(until, [...found.keys()]));
    context.items.take(Math.max(0, starts.length - expectedCount));
    const data = starts.map((start) => {
      const bin = found.get(start);
      return { timestamp: new Date(start), ...(bin ? toPoint(bin) : empty) };
    });
    return { data, ...ofAll(bins) };
  };
}

/** Bins reach to the end of the range, and to the last one with data: spans may come from the future. */
const untilMs = (until: bigint, dataStarts: readonly number[]): number =>
  Math.max(Number(until) / 1e6, ...dataStarts.slice(-1).map((start) => start + 1));

const LEAST_BIN_MS: Readonly<Record<BinScale, number>> = {
  MINUTE: 60_000,
  HOUR: 3_600_000,
  DAY: 86_400_000,
  WEEK: 7 * 86_400_000,
  MONTH: 28 * 86_400_000,
  YEAR: 365 * 86_400_000,
};

function checkPlan({ scale, scaleCount, utcOffsetMinutes }: BinPlan, start: bigint, end: bigint): void {
  if (Math.abs(utcOffsetMinutes) > 24 * 60) refuse('utcOffsetMinutes must be within a day');
  if (scaleCount < 1 || scaleCount > SERIES_SCALE_COUNT_MAX) {
    refuse(`scaleCount must be from 1 to ${SERIES_SCALE_COUNT_MAX}`);
  }
  if (scaleCount > 1 && (scale === 'MONTH' || scale === 'YEAR')) refuse('scaleCount of months and years must be 1');
  if (Number(end - start) / 1e6 / LEAST_BIN_MS[scale] / scaleCount <= SERIES_BIN_COUNT_MAX) return;
  refuse(`The time range holds more than ${SERIES_BIN_COUNT_MAX} bins of a ${scale.toLowerCase()}; choose larger bins`);
}

/** Starts of the bins that have something in common with [start, end), in ms since the epoch. */
function binStarts(plan: BinPlan, startMs: number, endMs: number): number[] {
  const offsetMs = plan.utcOffsetMinutes * 60_000;
  const starts: number[] = [];
  for (let local = binOf(plan, startMs + offsetMs); local - offsetMs < endMs; local = nextBin(plan, local)) {
    starts.push(local - offsetMs);
    if (starts.length > 2 * SERIES_BIN_COUNT_MAX) refuse('The time range holds too many bins; choose larger ones');
  }
  return starts;
}

/** Start of the bin that a local time lies in. */
function binOf({ scale, scaleCount }: BinPlan, localMs: number): number {
  if (scale === 'MONTH' || scale === 'YEAR') {
    const date = new Date(localMs);
    return Date.UTC(date.getUTCFullYear(), scale === 'MONTH' ? date.getUTCMonth() : 0);
  }
  const shift = scale === 'WEEK' ? MONDAY_MS : 0;
  const width = LEAST_BIN_MS[scale] * scaleCount;
  return Math.floor((localMs - shift) / width) * width + shift;
}

function nextBin({ scale, scaleCount }: BinPlan, localMs: number): number {
  if (scale !== 'MONTH' && scale !== 'YEAR') return localMs + LEAST_BIN_MS[scale] * scaleCount;
  const date = new Date(localMs);
  return scale === 'YEAR'
    ? Date.UTC(date.getUTCFullYear() + 1, 0)
    : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** The first Monday of Unix time, 1970-01-05. */
const MONDAY_MS = 4 * 86_400_000;
