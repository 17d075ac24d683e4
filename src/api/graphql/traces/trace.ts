import { toGlobalId } from '../../contract/global-id.ts';
import { annotationsOfTrace } from '../annotations/annotation-lists.ts';
import { checkCappedPage, type FilterArguments, type PageArguments, toSpanFilter } from '../arguments.ts';
import type { Connection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { listKeyOf, parseCursor } from '../cursor.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import { toDollars, traceCostResolvers } from '../models/cost.ts';
import { toTokenUsage } from '../models/token-usage.ts';
import type { FieldInfo } from '../node-fields.ts';
import {
  fromRow,
  id,
  missing,
  type NodeRef,
  projectRef,
  type Resolver,
  type Resolvers,
  sessionRef,
  spanRef,
} from '../resolvers.ts';
import { toKindName } from '../spans/span-kind.ts';
import { rootRule, spanConnection } from '../spans/span-list.ts';
import { latencyMs } from './latency.ts';
import type { TraceTree } from './trace-tree.ts';

type TraceRef = NodeRef<'Trace'>;

const row = fromRow(({ traces }) => traces);

export const traceResolvers: Resolvers = {
  id,
  ...annotationsOfTrace,
  traceId: row(({ traceId }) => traceId),
  projectId: row(({ projectId }) => toGlobalId('Project', projectId)),
  project: row(({ projectId }) => projectRef(projectId)),
  projectSessionId: row(({ sessionRowId }) =>
    sessionRowId === null ? null : toGlobalId('ProjectSession', sessionRowId),
  ),
  session: row(({ sessionRowId }) => (sessionRowId === null ? null : sessionRef(sessionRowId))),
  startTime: row(({ startTimeUnixNano }) => startTimeUnixNano),
  endTime: row(({ endTimeUnixNano }) => endTimeUnixNano),
  latencyMs: row(latencyMs),
  numSpans: row(({ spanCount }) => spanCount),
  errorCount: row(({ errorCount }) => errorCount),
  tokenUsage: row(toTokenUsage),
  rootSpan: ({ rowId }: TraceRef, _args: unknown, { loaders }) =>
    whenKnown(loaders.rootsOfTraces.load(rowId), (root) => (root === undefined ? null : spanRef(root))),
  userId: ({ rowId }: TraceRef, _args: unknown, { loaders }) => loaders.usersOfTraces.load(rowId),
  spanCountsByKind: tree(({ spans }) => {
    const counts = new Map<string, number>();
    for (const { spanKind } of spans) counts.set(toKindName(spanKind), (counts.get(toKindName(spanKind)) ?? 0) + 1);
    return Array.from(counts, ([spanKind, count]) => ({ spanKind, count })).sort(
      (a, b) => b.count - a.count || (a.spanKind < b.spanKind ? -1 : 1),
    );
  }),
  errorsByType: ({ rowId }: TraceRef, _args: unknown, { loaders }) =>
    whenKnown(loaders.errorTypesOfTraces.load(rowId), (types) => types ?? []),
  spans: listTraceSpans,
  skeleton: (node: TraceRef, _args: unknown, { loaders, work }) =>
    whenKnown(loaders.skeletons.load(node.rowId), (found = missing(node)) => {
      work.cost.take(found.rowIds.length);
      return found;
    }),
  ...traceCostResolvers,
  spanCosts,
};

/** Only spans with tokens have costs. */
async function spanCosts(node: TraceRef, _args: unknown, { loaders, domain, signal }: GraphqlContext) {
  const { rowIds: all, tokenCounts } = (await loaders.skeletons.load(node.rowId)) ?? missing(node);
  const rowIds = Array.from(all.filter((_, index) => (tokenCounts[index] ?? 0) > 0));
  const found = await domain.spans.get({ of: 'spans', column: 'costs', rowIds }, { readClass: 'interface', signal });
  const priced = Array.from(all).flatMap((rowId, index) => {
    const costs = found.get(rowId);
    const pico = costs && (costs.promptPico ?? 0) + (costs.completionPico ?? 0);
    const cost = pico ? toDollars(pico) : null;
    return cost === null ? [] : [{ index, rowId, cost }];
  });
  return {
    indices: priced.map(({ index }) => index),
    rowIds: priced.map(({ rowId }) => rowId),
    costs: priced.map(({ cost }) => cost),
  };
}

function tree(select: (tree: TraceTree) => unknown): Resolver<TraceRef> {
  return (node, _args, { loaders }) =>
    whenKnown(loaders.trees.load(node.rowId), (found) => select(found ?? missing(node)));
}

async function listTraceSpans(
  node: TraceRef,
  args: PageArguments &
    FilterArguments & { readonly rootSpansOnly?: boolean | null; readonly orphanSpanAsRootSpan?: boolean | null },
  context: GraphqlContext,
  info?: FieldInfo,
): Promise<Connection<NodeRef>> {
  const limit = checkCappedPage(args);
  const key = listKeyOf('spans of trace', node.rowId, args.rootSpansOnly === true, args.filterCondition);
  const after = args.after ? parseCursor(args.after, undefined, key) : undefined;
  const { projectId } = (await context.loaders.traces.load(node.rowId)) ?? missing(node);
  const page = await context.domain.spans.listSpans(
    {
      projectId,
      traceRowId: node.rowId,
      roots: args.rootSpansOnly ? rootRule(args) : undefined,
      filter: toSpanFilter(args),
      order: 'desc',
      after,
      limit,
    },
    { readClass: 'interface', signal: context.signal },
  );
  return spanConnection(page, { type: undefined, key }, context, info);
}
