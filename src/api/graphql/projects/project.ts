import { rootScopeOf } from '../../../filter/entities/root-scope.ts';
import { type AggregateGrain, type AggregateRow, measure } from '../../../domain/domain.ts';
import { rowIdOf } from '../../contract/global-id.ts';
import { annotationFiguresOfProject } from '../annotations/project-annotation-figures.ts';
import { annotationsOfProject } from '../annotations/project-annotations.ts';
import {
  checkProbability,
  type FilterArguments,
  isWhole,
  type RangeArguments,
  type SessionFilterArguments,
  toFilteredRange,
} from '../arguments.ts';
import type { GraphqlContext } from '../context.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import { projectCostResolvers } from '../models/cost.ts';
import {
  fromRow,
  id,
  type NodeRef,
  type Resolver,
  type Resolvers,
  retentionPolicyRef,
  traceRef,
} from '../resolvers.ts';
import { findProjectFacets } from '../spans/span-facets.ts';
import { listProjectSpans } from '../spans/span-list.ts';
import { listProjectSessions } from '../traces/session-list.ts';
import { vocabularyResolvers } from './filter-vocabulary.ts';
import { rowResolvers } from './row-figures.ts';
import { seriesResolvers } from './time-series.ts';
import { validationResolvers } from './validate-filter.ts';

type ProjectRef = NodeRef<'Project'>;

const row = fromRow(({ projects }) => projects);

const TRACE_SUMS = {
  traceCount: measure.rows,
  tokensPrompt: measure.sum('tokensPrompt'),
  tokensCompletion: measure.sum('tokensCompletion'),
} as const;
const SESSION_AGGREGATES = {
  sessionCount: measure.rows,
  averageDurationMs: measure.mean('latencyMs'),
  averageTraceCount: measure.mean('traceCount'),
} as const;

export const projectResolvers: Resolvers = {
  id,
  name: row(({ name }) => name),
  description: row(({ description }) => description),
  gradientStartColor: row(({ gradientStartColor }) => gradientStartColor),
  gradientEndColor: row(({ gradientEndColor }) => gradientEndColor),
  traceRetentionPolicy: row(({ retentionPolicyRowId }) => retentionPolicyRef(retentionPolicyRowId)),
  createdAt: row(({ createdAt }) => createdAt),
  updatedAt: row(({ updatedAt }) => updatedAt),
  hasTraces: sums((found) => found !== undefined),
  startTime: sums((found) => found?.startTimeUnixNano ?? null),
  // One step of its precision later, so that a range up to it includes the last trace.
  endTime: sums((found) => (found?.endTimeUnixNano == null ? null : found.endTimeUnixNano + 1_000n)),
  recordCount: (
    { rowId }: ProjectRef,
    args: RangeArguments & FilterArguments & SessionFilterArguments,
    { loaders },
  ) => {
    const range = toFilteredRange(args);
    if (isWhole(range)) return whenKnown(loaders.projectSums.load(rowId), (found) => found?.spanCount ?? 0);
    const rows = { grain: 'spans', projectId: rowId, ...range } as const;
    return loaders.aggregates.load(rows, { count: measure.rows }).then(({ count }) => count);
  },
  traceCount: traceSums('traces', ({ traceCount }) => traceCount),
  tokenCountPrompt: traceSums('spans', ({ tokensPrompt }) => tokensPrompt),
  tokenCountCompletion: traceSums('spans', ({ tokensCompletion }) => tokensCompletion),
  tokenCountTotal: traceSums('spans', ({ tokensPrompt, tokensCompletion }) => tokensPrompt + tokensCompletion),
  latencyMsQuantile: quantile('traces'),
  spanLatencyMsQuantile: quantile('spans'),
  async trace({ rowId }: ProjectRef, { traceId }: { traceId: string }, { domain, loaders, signal }) {
    const options = { readClass: 'interface', signal } as const;
    const traceRowId =
      rowIdOf('Trace', traceId) ?? (await domain.spans.findByIds({ of: 'traces', ids: [traceId] }, options))[0]?.rowId;
    if (traceRowId === undefined) return null;
    const trace = await loaders.traces.load(traceRowId);
    return trace?.projectId === rowId ? traceRef(traceRowId) : null;
  },
  spans: listProjectSpans,
  spanFacets: findProjectFacets,
  sessions: listProjectSessions,
  sessionCount: sessionSums(({ sessionCount }) => sessionCount),
  averageSessionDurationMs: sessionSums(({ averageDurationMs }) => averageDurationMs),
  averageTracesPerSession: sessionSums(({ averageTraceCount }) => averageTraceCount),
  sessionDurationMsQuantile: quantile('sessions'),
  async streamingLastUpdatedAt({ rowId }: ProjectRef, _args: unknown, { domain }) {
    const at = await domain.spans.lastChangedAt(rowId);
    return at === undefined ? null : new Date(at);
  },
  ...validationResolvers,
  ...vocabularyResolvers,
  analyzeSpanFilterCondition: (_project, { condition }: { readonly condition: string }) => ({
    selectsRootSpansOnly: rootScopeOf(condition) !== undefined,
  }),
  ...annotationsOfProject,
  ...annotationFiguresOfProject,
  ...seriesResolvers,
  ...rowResolvers,
  ...projectCostResolvers,
};

type Loaders = GraphqlContext['loaders'];
type Sums = Awaited<ReturnType<Loaders['projectSums']['load']>>;

function sums(select: (sums: Sums) => unknown): Resolver<ProjectRef> {
  return ({ rowId }, _args, { loaders }) => whenKnown(loaders.projectSums.load(rowId), select);
}

/**
 * Aggregates of all traces are read for many projects at once, aggregates of a range for one project.
 *
 * @param grainOfFilter Rows that are aggregated when a filter selects spans
 */
function traceSums(
  grainOfFilter: AggregateGrain,
  select: (sums: AggregateRow<typeof TRACE_SUMS>) => number,
): Resolver<ProjectRef, RangeArguments & FilterArguments & SessionFilterArguments> {
  return ({ rowId: projectId }, args, { loaders }) => {
    const range = toFilteredRange(args);
    if (isWhole(range)) return whenKnown(loaders.projectSums.load(projectId), (found) => (found ? select(found) : 0));
    const grain = range.filter ? grainOfFilter : 'traces';
    return loaders.aggregates.load({ grain, projectId, ...range }, TRACE_SUMS).then(select);
  };
}

function sessionSums(
  select: (sums: AggregateRow<typeof SESSION_AGGREGATES>) => number | null,
): Resolver<ProjectRef, RangeArguments & SessionFilterArguments> {
  return ({ rowId: projectId }, args, { loaders }) => {
    const rows = { grain: 'sessions', projectId, ...toFilteredRange(args) } as const;
    return loaders.aggregates.load(rows, SESSION_AGGREGATES).then(select);
  };
}

function quantile(
  grain: 'traces' | 'spans' | 'sessions',
): Resolver<ProjectRef, RangeArguments & FilterArguments & SessionFilterArguments & { readonly probability: number }> {
  return ({ rowId: projectId }, args, { loaders }) => {
    const latency = measure.quantiles('latencyMs', [checkProbability(args.probability)]);
    const found = loaders.aggregates.load({ grain, projectId, ...toFilteredRange(args) }, { latency });
    return found.then((row) => row.latency?.[0] ?? null);
  };
}
