import { useMemo } from 'react';
import { RequestFailure } from '../../data/request.ts';
import { useQuery } from '../../data/use-query.ts';
import { type TraceHeadData, traceCosts, traceHead } from './generated/trace.ts';
import { toSpanCosts } from './span-costs.ts';
import { SpanTree } from './span-tree.ts';

type ProjectNode = Extract<TraceHeadData['node'], { readonly __typename: 'Project' }>;
export type Trace = NonNullable<ProjectNode['trace']>;

/** One trace as it is looked at. */
export interface OpenTrace {
  /** As OpenTelemetry has it. */
  readonly traceId: string;
  readonly projectName: string | undefined;
  readonly trace: Trace | undefined;
  readonly tree: SpanTree | undefined;
  readonly failure: RequestFailure | undefined;
  readonly refetch: () => void;
}

/** Reads the skeleton of a trace. */
export function useTrace(projectId: string, traceId: string): OpenTrace {
  const head = useQuery(traceHead, { projectId, traceId }, { keeps: false });
  const node = head.isStale ? undefined : head.data?.node;
  const project = node?.__typename === 'Project' ? node : undefined;
  const trace = project?.trace ?? undefined;
  const tree = useMemo(() => trace && new SpanTree(trace.skeleton), [trace]);
  return {
    traceId,
    projectName: project?.name,
    trace,
    tree,
    failure: head.failure ?? (node && !trace ? NO_TRACE : undefined),
    refetch: head.refetch,
  };
}

const NO_TRACE = new RequestFailure('notFound', 'There is no such trace.', 'The project has no trace with this id.');

/** What the spans of a trace cost; undefined until that is known, and where nothing has a price. */
export function useSpanCosts({ id }: Trace, tree: SpanTree) {
  const hasTokens = tree.roots.some((root) => tree.skeleton.cumulativeTokenCounts[root]! > 0);
  const { data, isStale } = useQuery(traceCosts, hasTokens ? { id } : undefined, { keeps: false });
  const node = !isStale && data?.node.__typename === 'Trace' ? data.node : undefined;
  return useMemo(
    () => (node && node.spanCosts.indices.length > 0 ? toSpanCosts(tree, node.spanCosts) : undefined),
    [node, tree],
  );
}
