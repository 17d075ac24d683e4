import { useEffect, useMemo, useRef } from 'react';
import { refetchAnnotations } from '../../components/annotations/use-annotations.ts';
import { RequestFailure } from '../../data/request.ts';
import { useFollow } from '../../data/use-follow.ts';
import { useQuery } from '../../data/use-query.ts';
import { type TraceFactsNowData, type TraceHeadData, traceCosts, traceFactsNow, traceHead } from './generated/trace.ts';
import { toSpanCosts } from './tree/span-costs.ts';
import { SpanTree } from './tree/span-tree.ts';

type ProjectNode = Extract<TraceHeadData['node'], { readonly __typename: 'Project' }>;
export type Trace = NonNullable<ProjectNode['trace']>;

/** Open trace. */
export interface OpenTrace {
  /** OpenTelemetry trace ID. */
  readonly traceId: string;
  readonly projectName: string | undefined;
  readonly trace: Trace | undefined;
  readonly tree: SpanTree | undefined;
  readonly failure: RequestFailure | undefined;
  readonly refetch: () => void;
}

/** Reads the skeleton of a trace and updates it while the trace grows. */
export function useTrace(projectId: string, traceId: string): OpenTrace {
  const variables = { projectId, traceId };
  const head = useQuery(traceHead, variables, { keeps: false });
  const node = head.isStale ? undefined : head.data?.node;
  const project = node?.__typename === 'Project' ? node : undefined;
  const trace = project?.trace ?? undefined;
  const tree = useMemo(() => trace && new SpanTree(trace.skeleton), [trace]);
  const facts = useQuery(traceFactsNow, trace && { id: trace.id }, {
    keeps: false,
    initialData: trace && { node: { __typename: 'Trace', ...trace } },
  });
  useFollow(trace && { kind: 'trace', id: trace.id }, async () => {
    const now = (await facts.refetch())?.node;
    // The skeleton may be large, and an annotation does not change it.
    if (now?.__typename === 'Trace' && !hasFacts(trace!, now)) await head.refetch();
    await refetchAnnotations();
  });
  // A trace that is opened before its first span arrives is shown once the span has arrived.
  useFollow(node && !trace ? { kind: 'project', id: projectId } : undefined, head.refetch);
  return {
    traceId,
    projectName: project?.name,
    trace,
    tree,
    failure: head.failure ?? (node && !trace ? NO_TRACE : undefined),
    refetch: head.refetch,
  };
}

type Facts = Extract<TraceFactsNowData['node'], { readonly __typename: 'Trace' }>;

const hasFacts = (trace: Trace, { __typename, ...facts }: Facts): boolean =>
  Object.entries(facts).every(([name, value]) => JSON.stringify(trace[name as keyof Trace]) === JSON.stringify(value));

const NO_TRACE = new RequestFailure('notFound', 'The trace does not exist.', 'The project has no trace with this ID.');

/** Costs of the spans. Undefined until they are known, and if no span has a price. */
export function useSpanCosts({ id }: Trace, tree: SpanTree) {
  const hasTokens = tree.roots.some((root) => (tree.skeleton.cumulativeTokenCounts[root] ?? 0) > 0);
  const { data, isStale, refetch } = useQuery(traceCosts, hasTokens ? { id } : undefined, { keeps: false });
  const shown = useRef(tree);
  useEffect(() => {
    if (shown.current !== tree) refetch();
    shown.current = tree;
  }, [tree, refetch]);
  const node = !isStale && data?.node.__typename === 'Trace' ? data.node : undefined;
  return useMemo(
    () => (node && node.spanCosts.rowIds.length > 0 ? toSpanCosts(tree, node.spanCosts) : undefined),
    [node, tree],
  );
}
