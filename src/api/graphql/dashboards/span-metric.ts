import {
  METRIC_AGGREGATE_COUNT_MAX,
  METRIC_BIN_COUNT_MAX,
  METRIC_GROUP_COUNT_MAX,
  PANEL_KEY_LENGTH_MAX,
} from '../../../model/limits/dashboards.ts';
import {
  hasAggregate,
  type SpanAggregate,
  type SpanGroupColumn,
  type SpanGrouping,
  type SpanMetric,
  toAttributePath,
} from '../../../model/spans/span-metric.ts';
import { findMetricIssue, type MetricSeries, type SpanGroupSource } from '../../../domain/domain.ts';
import { type FilterArguments, type RangeArguments, reject, toFilteredRange } from '../arguments.ts';
import type { GraphqlContext } from '../context.ts';
import { planSeries, type TimeBinConfig, untilMs } from '../projects/time-series.ts';
import { type NodeRef, type Resolvers, traceRef } from '../resolvers.ts';

interface MetricArguments extends RangeArguments, FilterArguments {
  readonly metric: SpanMetric;
  readonly aggregates: readonly SpanAggregate[];
  readonly annotationName?: string | null;
  readonly groupBy?: { readonly column?: SpanGroupColumn | null; readonly attribute?: string | null } | null;
  readonly first?: number | null;
  readonly timeBinConfig?: TimeBinConfig | null;
}

export const metricOfProject: Resolvers = {
  async spanMetric({ rowId: projectId }: NodeRef, args: MetricArguments, context: GraphqlContext) {
    const { metric, aggregates, timeBinConfig, first } = args;
    const annotationName = args.annotationName ?? null;
    const groupBy = toGrouping(args.groupBy);
    checkAggregates(metric, aggregates);
    const issue = findMetricIssue({ metric, aggregates, annotationName, groupBy });
    if (issue !== undefined) reject(`This metric has no meaning: ${issue}`);
    const groupLimit = first ?? 8;
    if (groupLimit < 1 || groupLimit > METRIC_GROUP_COUNT_MAX) {
      reject(`first must be between 1 and ${METRIC_GROUP_COUNT_MAX}, and is ${groupLimit}`);
    }
    const { startTimeUnixNano, endTimeUnixNano, filter } = toFilteredRange(args);
    const series = timeBinConfig ? planSeries(timeBinConfig, { startTimeUnixNano, endTimeUnixNano }) : undefined;
    const expectedCount = series?.startsUntil(series.endMs).length ?? 0;
    if (expectedCount > METRIC_BIN_COUNT_MAX) {
      reject(`The series would have ${expectedCount} bins, and may have ${METRIC_BIN_COUNT_MAX}; choose larger bins`);
    }
    const result = await context.domain.spans.findSpanMetric(
      {
        ...{ projectId, startTimeUnixNano, endTimeUnixNano, filter, metric, aggregates, groupLimit },
        annotationName: annotationName ?? undefined,
        groupBy: groupBy ? toSource(groupBy) : undefined,
        bins: series?.plan,
      },
      { readClass: 'interface', signal: context.signal },
    );
    const all: readonly MetricSeries[] = [result.total, ...result.groups, ...(result.others ? [result.others] : [])];
    // Spans may start after the end of an open range.
    const last = Math.max(...all.map(({ bins }) => (bins.at(-1)?.startTimeUnixMicro ?? 0) / 1_000));
    const starts = series?.startsUntil(untilMs(series.endMs, last > 0 ? [last] : [])) ?? [];
    if (starts.length > 2 * METRIC_BIN_COUNT_MAX) reject('Spans start long after the range; set its end');
    context.items.take(all.length);
    await context.work.slices.wait(context.signal);
    const toObject = <Series extends MetricSeries>(one: Series) => ({
      ...one,
      series: starts.length === 0 ? [] : fill(one, aggregates, starts),
    });
    return {
      timestamps: starts.map((start) => new Date(start)),
      total: toObject(result.total),
      groups: result.groups.map((group) => ({ ...toObject(group), groupBy })),
      others: result.others ? toObject(result.others) : null,
      ungroupedSpanCount: result.ungroupedSpanCount,
    };
  },
};

export const metricGroupResolvers: Resolvers = {
  trace: ({ name, groupBy }: { readonly name: string; readonly groupBy: SpanGrouping | null }) =>
    groupBy && 'column' in groupBy && groupBy.column === 'trace' ? traceRef(Number(name)) : null,
};

/** A value per aggregate and bin. Counts and sums of bins without data are 0, and other values null. */
function fill({ bins }: MetricSeries, aggregates: readonly SpanAggregate[], starts: readonly number[]) {
  if (bins.length === 0) return [];
  const found = new Map(bins.map(({ startTimeUnixMicro, values }) => [startTimeUnixMicro / 1_000, values]));
  return aggregates.map((aggregate, index) => {
    const empty = aggregate === 'count' || aggregate === 'sum' ? 0 : null;
    return starts.map((start) => found.get(start)?.[index] ?? empty);
  });
}

function checkAggregates(metric: SpanMetric, aggregates: readonly SpanAggregate[]): void {
  const { length } = aggregates;
  if (length < 1 || length > METRIC_AGGREGATE_COUNT_MAX || new Set(aggregates).size !== length) {
    reject(`aggregates must be 1 to ${METRIC_AGGREGATE_COUNT_MAX} different ones`);
  }
  for (const aggregate of aggregates) {
    if (!hasAggregate(metric, aggregate)) reject(`The metric ${metric} has no aggregate ${aggregate}`);
  }
}

function toGrouping(groupBy: MetricArguments['groupBy']): SpanGrouping | null {
  if (!groupBy) return null;
  const { column, attribute } = groupBy;
  if ((column == null) === (attribute == null)) return reject('groupBy needs either a column or an attribute');
  if (column != null) return { column };
  const key = attribute ?? '';
  if (key.length > PANEL_KEY_LENGTH_MAX || !toAttributePath(key)) {
    return reject(
      `groupBy.attribute must be a key such as "metadata.tenant", and is ${JSON.stringify(key.slice(0, 60))}`,
    );
  }
  return { attribute: key };
}

const toSource = (groupBy: SpanGrouping): SpanGroupSource =>
  'column' in groupBy ? groupBy : { path: toAttributePath(groupBy.attribute) ?? [] };
