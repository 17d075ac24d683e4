import { GraphqlError, HttpError, queryGraphql, type SpandrelClient } from '@spandrel/client';

/** What REST does not say of a trace. */
export interface TraceFacts {
  readonly projectId: string;
  /** US dollars. */
  readonly cost: number | undefined;
  /** OpenTelemetry span ID → US dollars. */
  readonly spanCosts: ReadonlyMap<string, number>;
}

interface Data {
  readonly trace: {
    readonly projectId: string;
    readonly costSummary: Cost;
    readonly spans: {
      readonly edges: readonly { readonly node: { readonly spanId: string; readonly costSummary: Cost | null } }[];
    };
  } | null;
}

interface Cost {
  readonly total: { readonly cost: number | null };
}

const QUERY = `query ($traceId: String!) {
  trace: getTraceByOtelId(traceId: $traceId) {
    projectId
    costSummary { total { cost } }
    spans(first: 500, filterCondition: "span_kind == 'LLM'") { edges { node { spanId costSummary { total { cost } } } } }
  }
}`;

/** Undefined when the trace is unknown, or the server has no such query or no right for it. */
export async function readTraceFacts(
  client: SpandrelClient,
  traceId: string,
  signal: AbortSignal,
): Promise<TraceFacts | undefined> {
  if (traceId.length !== 32) return undefined;
  try {
    const { trace } = await queryGraphql<Data>({ client, signal }, QUERY, { traceId });
    if (!trace) return undefined;
    const costs = trace.spans.edges.flatMap(({ node }): [string, number][] =>
      node.costSummary?.total.cost ? [[node.spanId, node.costSummary.total.cost]] : [],
    );
    return { projectId: trace.projectId, cost: trace.costSummary.total.cost ?? undefined, spanCosts: new Map(costs) };
  } catch (error) {
    // Costs are an addition: a server that has none of this still shows the trace.
    if (error instanceof GraphqlError || (error instanceof HttpError && error.status !== 401)) return undefined;
    throw error;
  }
}
