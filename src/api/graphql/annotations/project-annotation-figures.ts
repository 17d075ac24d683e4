import type { AnnotationAggregates } from '../../../domain/domain.ts';
import {
  type BinnedQuery,
  type FilterArguments,
  type RangeArguments,
  reject,
  type SessionFilterArguments,
  toFilteredRange,
  toTimeRange,
} from '../arguments.ts';
import type { GraphqlContext } from '../context.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import { type SeriesArguments, series } from '../projects/time-series.ts';
import type { NodeRef, Resolver, Resolvers } from '../resolvers.ts';
import type { DocumentEvaluations } from './document-evaluation-summary.ts';

type ProjectRef = NodeRef<'Project'>;
type Target = 'span' | 'trace' | 'session';

/** Summaries and series of the annotations of a project. Every target has the same weight, however many annotations it has. */
export const annotationFiguresOfProject: Resolvers = {
  spanAnnotationSummary: summary('span'),
  traceAnnotationSummary: summary('trace'),
  sessionAnnotationSummary: summary('session'),
  spanAnnotationSummaries: summaries('span'),
  traceAnnotationSummaries: summaries('trace'),
  sessionAnnotationSummaries: summaries('session'),
  spanAnnotationMetricNames: metricNames('span'),
  traceAnnotationMetricNames: metricNames('trace'),
  sessionAnnotationMetricNames: metricNames('session'),
  spanAnnotationScoreTimeSeries: scores('span'),
  traceAnnotationScoreTimeSeries: scores('trace'),
  sessionAnnotationScoreTimeSeries: scores('session'),
  spanAnnotationMetricsTimeSeries: metrics('span'),
  traceAnnotationMetricsTimeSeries: metrics('trace'),
  sessionAnnotationMetricsTimeSeries: metrics('session'),
  async documentEvaluationSummary(
    { rowId: projectId }: ProjectRef,
    args: RangeArguments & FilterArguments & { readonly evaluationName: string },
    { domain, signal }: GraphqlContext,
  ): Promise<DocumentEvaluations | null> {
    const { evaluationName } = args;
    const query = { projectId, name: evaluationName, ...toFilteredRange(args) };
    const spans = await domain.spans.findDocumentScores(query, { readClass: 'interface', signal });
    return spans.length === 0 ? null : { evaluationName, spans };
  },
};

type SummaryArguments = RangeArguments & FilterArguments & SessionFilterArguments & { readonly annotationName: string };

/** Null when no target in the range has the annotation. A span filter selects spans, not traces. */
function summary(target: Target): Resolver<ProjectRef, SummaryArguments> {
  return ({ rowId: projectId }, args, { loaders }) => {
    const { filter, ...range } = toFilteredRange(args);
    const scope = { projectId, target, ...range, ...(target === 'span' && { filter }) };
    const found = loaders.annotationSums(scope).load(args.annotationName);
    return whenKnown(found, (sums) => (sums ? toSummary(sums) : null));
  };
}

interface SummariesArguments extends RangeArguments, FilterArguments, SessionFilterArguments {
  readonly rootSpansOnly?: boolean | null;
}

function summaries(target: Target): Resolver<ProjectRef, SummariesArguments> {
  return async ({ rowId: projectId }, args, { domain, items, signal }) => {
    const query = { projectId, target, isOfRoots: args.rootSpansOnly ?? false, ...toFilteredRange(args) };
    const sums = await domain.spans.aggregateAnnotations(query, { readClass: 'interface', signal });
    items.take(sums.length);
    return sums.map(toSummary);
  };
}

const toSummary = ({ labels, ...sums }: AnnotationAggregates): object => ({
  ...sums,
  labels: labels.map(({ label }) => label),
  labelFractions: labels,
});

function metricNames(target: Target): Resolver<ProjectRef, RangeArguments> {
  return async ({ rowId: projectId }, args, { domain, signal }) => {
    const range = toTimeRange(args);
    if (range.startTimeUnixNano === undefined) return reject('Start time is required');
    const query = { projectId, target, ...range };
    const sums = await domain.spans.aggregateAnnotations(query, { readClass: 'interface', signal });
    return sums.map(({ name }) => name);
  };
}

interface BinOfSums {
  readonly startTimeUnixMicro: number;
  readonly sums: readonly AnnotationAggregates[];
}

function scores(target: Target): Resolver<NodeRef, SeriesArguments> {
  return series(
    async (context, query) => toBins(await readBins(context, query, target), ({ scoreCount }) => scoreCount > 0),
    ({ sums }) => ({ scoresWithLabels: sums.map(({ name, averageScore }) => ({ label: name, score: averageScore })) }),
    { scoresWithLabels: [] },
    toNames,
  );
}

type MetricsArguments = SeriesArguments & { readonly annotationName?: string | null };

function metrics(target: Target): Resolver<NodeRef, MetricsArguments> {
  return series<BinOfSums, MetricsArguments>(
    async (context, query, { annotationName }) => toBins(await readBins(context, query, target, annotationName)),
    ({ sums }) => ({ annotationSummaries: sums.map(toSummary) }),
    { annotationSummaries: [] },
    toNames,
  );
}

function readBins(
  { domain, signal }: GraphqlContext,
  query: BinnedQuery,
  target: Target,
  name?: string | null,
): Promise<AnnotationAggregates[]> {
  const ofName = name == null ? {} : { names: [name] };
  return domain.spans.aggregateAnnotations({ ...query, target, ...ofName }, { readClass: 'interface', signal });
}

/** Bins in order of time, each with the scores of each name. */
function toBins(
  found: readonly AnnotationAggregates[],
  isWanted: (sums: AnnotationAggregates) => boolean = () => true,
) {
  const bins = new Map<number, AnnotationAggregates[]>();
  for (const sums of found.filter(isWanted)) {
    const bin = bins.get(sums.startTimeUnixMicro);
    if (bin) bin.push(sums);
    else bins.set(sums.startTimeUnixMicro, [sums]);
  }
  return Array.from(bins, ([startTimeUnixMicro, sums]): BinOfSums => ({ startTimeUnixMicro, sums }));
}

function toNames(bins: readonly BinOfSums[]): object {
  return { names: [...new Set(bins.flatMap(({ sums }) => sums.map(({ name }) => name)))].sort() };
}
