import { expectPresent } from '../../../base/expect-present.ts';
import type { Grain, RowAggregates } from '../../../domain/domain.ts';
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
    const query = { projectId, grain, ofMatchingSpans: ofMatchingSpans ?? false, ...toFilteredRange(args) };
    return toFields(await domain.spans.sumUpRows(query, { readClass: 'interface', signal }));
  }) satisfies Resolver<NodeRef, FigureArguments>,
  rowCountTimeSeries: series(
    ({ domain, signal }, query, { grain, rowRange, timeRange }: RowSeriesArguments) => {
      const rows = { ...query, ...toTimeRange({ timeRange: rowRange ?? timeRange }) };
      const bins = {
        startUnixNano: expectPresent(query.startTimeUnixNano, 'a series has a start'),
        endUnixNano: query.endTimeUnixNano,
      };
      return domain.spans.binRows({ ...rows, grain, bins }, { readClass: 'interface', signal });
    },
    ({ totalCount, errorCount }) => ({ totalCount, errorCount }),
    { totalCount: 0, errorCount: 0 },
  ),
};

const toFields = ({ latencies, promptPico, completionPico, ...figures }: RowAggregates): object => ({
  sessionCount: figures.sessionCount,
  traceCount: figures.traceCount,
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
