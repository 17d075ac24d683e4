import { type AggregateRow, type Grain, measure, totalOf } from '../../../domain/domain.ts';
import {
  type FilterArguments,
  type RangeArguments,
  reject,
  type SessionFilterArguments,
  type TimeRangeInput,
  toFilteredRange,
  toTimeRange,
} from '../arguments.ts';
import { toDollars } from '../models/cost.ts';
import type { NodeRef, Resolver, Resolvers } from '../resolvers.ts';
import { type SeriesArguments, series } from './time-series.ts';

export interface GrainArguments {
  readonly grain: Grain;
}

interface FigureArguments extends GrainArguments, RangeArguments, FilterArguments, SessionFilterArguments {
  readonly ofMatchingSpans?: boolean | null;
}

interface RowSeriesArguments extends SeriesArguments, GrainArguments, SessionFilterArguments {
  readonly rowRange?: TimeRangeInput | null;
}

/** Resolvers for aggregates and series over the rows of a project's table. */
export const rowResolvers: Resolvers = {
  rowFigures: (async ({ rowId: projectId }, { grain, ofMatchingSpans, ...args }, { domain, signal }) => {
    if (ofMatchingSpans && grain !== 'traces') reject('ofMatchingSpans requires the grain of traces');
    const rows = { projectId, grain, ofMatchingSpans: ofMatchingSpans ?? false, ...toFilteredRange(args) };
    const query = { ...rows, measures: { ...SUMS, ...COUNTS[grain] } };
    return toFields(totalOf(await domain.spans.aggregate(query, { readClass: 'interface', signal })));
  }) satisfies Resolver<NodeRef, FigureArguments>,
  rowCountTimeSeries: series(
    ({ domain, signal }, query, { grain, rowRange, timeRange }: RowSeriesArguments) => {
      const rows = { ...query, ...toTimeRange({ timeRange: rowRange ?? timeRange }) };
      const { startTimeUnixNano, endTimeUnixNano } = query;
      const bins = { ...query.bins, range: { startTimeUnixNano, endTimeUnixNano } };
      const measures = { totalCount: measure.rows, errorCount: measure.count('error') } as const;
      return domain.spans.aggregate({ ...rows, grain, bins, measures }, { readClass: 'interface', signal });
    },
    ({ totalCount, errorCount }) => ({ totalCount, errorCount }),
    { totalCount: 0, errorCount: 0 },
  ),
};

const SUMS = {
  tokensPrompt: measure.sum('tokensPrompt'),
  tokensCompletion: measure.sum('tokensCompletion'),
  promptPico: measure.sum('promptPico'),
  completionPico: measure.sum('completionPico'),
} as const;

const LATENCIES = measure.quantiles('latencyMs', [0.5, 0.99]);
const OF_TRACES = { traceCount: measure.rows, spanCount: measure.sum('spanCount'), latencies: LATENCIES } as const;

/** Counts, and latencies of spans or else of traces. A row that represents a trace or session includes all of its spans. */
const COUNTS = {
  spans: { spanCount: measure.rows, latencies: LATENCIES },
  rootSpans: OF_TRACES,
  traces: OF_TRACES,
  sessions: {
    sessionCount: measure.rows,
    traceCount: measure.sum('traceCount'),
    spanCount: measure.sum('spanCount'),
    latencies: measure.quantiles('traceLatencyMs', [0.5, 0.99]),
  },
} as const;

type Figures = AggregateRow<typeof SUMS & (typeof COUNTS)['spans']> & {
  readonly traceCount?: number;
  readonly sessionCount?: number;
};

const toFields = ({ latencies, promptPico, completionPico, ...figures }: Figures): object => ({
  sessionCount: figures.sessionCount ?? null,
  traceCount: figures.traceCount ?? null,
  spanCount: figures.spanCount,
  latencyMsP50: latencies?.[0] ?? null,
  latencyMsP99: latencies?.[1] ?? null,
  tokenCountPrompt: figures.tokensPrompt,
  tokenCountCompletion: figures.tokensCompletion,
  tokenCountTotal: figures.tokensPrompt + figures.tokensCompletion,
  costPrompt: toDollars(promptPico),
  costCompletion: toDollars(completionPico),
  costTotal: toDollars(promptPico + completionPico),
});
