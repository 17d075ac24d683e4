import { queryGraphql } from '@spandrel/client';
import type { Found } from '../answers/fit.ts';
import { PRICED_SPAN_COUNT_MAX } from '../limits.ts';
import { type ToolContext, ToolError } from '../tool.ts';
import { readAnnotationsOf, readSizesOf } from './span-details.ts';

interface TraceAnswer {
  readonly getTraceByOtelId: TraceRow | null;
}

interface TraceRow {
  readonly project: { readonly id: string; readonly name: string };
  readonly session: { readonly sessionId: string } | null;
  readonly costSummary: { readonly total: { readonly cost: number | null } };
  readonly numSpans: number;
  readonly skeleton: Skeleton;
}

/** Columns: one span at each position. */
interface Skeleton {
  readonly spanIds: readonly string[];
  readonly parents: readonly number[];
  readonly names: readonly string[];
  readonly nameIndices: readonly number[];
  readonly spanKinds: readonly string[];
  readonly spanKindIndices: readonly number[];
  readonly errors: readonly number[];
  readonly offsetsMs: readonly number[];
  readonly latenciesMs: readonly (number | null)[];
  readonly tokenCounts: readonly number[];
}

const TRACE = `query ($traceId: String!) {
  getTraceByOtelId(traceId: $traceId) {
    traceId startTime endTime latencyMs numSpans errorCount
    project { id name }
    session { sessionId }
    tokenUsage { prompt completion total }
    costSummary { total { cost } }
    skeleton {
      spanIds parents names nameIndices spanKinds spanKindIndices errors offsetsMs latenciesMs tokenCounts
    }
  }
}`;

const COSTS = `query ($traceId: String!, $first: Int!) {
  getTraceByOtelId(traceId: $traceId) {
    spans(first: $first) { edges { node { spanId costSummary { total { cost } } } } }
  }
}`;

/** A line of the tree of a trace. */
interface Line {
  readonly spanId: string;
  readonly text: string;
}

const LEGEND =
  'Each line: indentation by depth, kind, "name", [span ID], +start since the first span, duration, then if known tokens, cost in US dollars, ERROR, and characters of the input, the output and all attributes. orphan: its parent is not stored. get-span-body with a span ID lists the bodies of a span and reads them.';

/** Characters of a line without sizes, roughly, so that sizes of lines that have no room are not read. */
const LINE_CHARS = 90;
const NAME_CHARS = 120;
const DEPTH_SHOWN_MAX = 40;

/** The skeleton of a trace, from a line on. */
export async function readTrace(
  input: {
    readonly project_identifier?: string | undefined;
    readonly trace_id: string;
    readonly include_annotations: boolean;
    readonly offset: number;
  },
  context: ToolContext,
): Promise<Found> {
  const traceId = input.trace_id.toLowerCase();
  const { getTraceByOtelId: found } = await queryGraphql<TraceAnswer>(context, TRACE, { traceId });
  const wanted = input.project_identifier;
  if (!found || (wanted !== undefined && wanted !== found.project.name && wanted !== found.project.id)) {
    throw new ToolError(`No trace ${input.trace_id}${wanted ? ` in project ${wanted}` : ''}; list-traces shows them.`);
  }
  const { skeleton, session, costSummary, ...row } = found;
  const costs = row.numSpans <= PRICED_SPAN_COUNT_MAX ? await readCosts(traceId, context) : undefined;
  const lines = toLines(skeleton, costs);
  const roomCount = Math.ceil(context.dataChars / LINE_CHARS);
  const shown = lines.slice(input.offset, input.offset + roomCount);
  const ids = shown.map(({ spanId }) => spanId);
  const sizes = await readSizesOf(ids, found.project.id, context);
  const annotations = input.include_annotations ? await readAnnotationsOf(ids, found.project.id, context) : undefined;
  const tree = shown.map(({ spanId, text }) => text + (sizes.get(spanId) ?? ''));
  const restAfter = (count: number) => {
    const next = input.offset + count;
    return `${lines.length - next} lines of the tree after these. Repeat the call with offset ${next}.`;
  };
  return {
    data: {
      trace: { ...row, sessionId: session?.sessionId ?? null, cost: costSummary.total.cost },
      ...(input.offset === 0 && { legend: LEGEND }),
      offset: input.offset,
      lineCount: lines.length,
      tree,
      ...(annotations && { annotations }),
    },
    list: 'tree',
    cutList: (count) => ({ data: {}, rest: restAfter(count) }),
    ...(input.offset + shown.length < lines.length && { rest: restAfter(shown.length) }),
    omitted: [...(costs ? [] : [`Costs of single spans: the trace has more than ${PRICED_SPAN_COUNT_MAX}.`])],
  };
}

async function readCosts(traceId: string, context: ToolContext): Promise<Map<string, number>> {
  const { getTraceByOtelId: trace } = await queryGraphql<{
    readonly getTraceByOtelId: {
      readonly spans: {
        readonly edges: readonly {
          readonly node: {
            readonly spanId: string;
            readonly costSummary: { readonly total: { readonly cost: number | null } } | null;
          };
        }[];
      };
    } | null;
  }>(context, COSTS, { traceId, first: PRICED_SPAN_COUNT_MAX });
  const known = (trace?.spans.edges ?? []).flatMap(({ node }): [string, number][] => {
    const cost = node.costSummary?.total.cost ?? null;
    return cost === null ? [] : [[node.spanId, cost]];
  });
  return new Map(known);
}

/** Lines from the top of the tree down. A span whose parents form a circle stands at the top. */
function toLines(skeleton: Skeleton, costs: ReadonlyMap<string, number> | undefined): Line[] {
  const { spanIds, parents } = skeleton;
  const children = new Map<number, number[]>();
  for (const [index, parent] of parents.entries()) {
    const siblings = children.get(parent);
    if (siblings) siblings.push(index);
    else children.set(parent, [index]);
  }
  const errors = new Set(skeleton.errors);
  const visited = new Set<number>();
  const lines: Line[] = [];
  // A stack in place of recursion, because a chain of spans may be long.
  const visitFrom = (top: number) => {
    const stack = [{ index: top, depth: 0 }];
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { index, depth } = next;
      if (visited.has(index)) continue;
      visited.add(index);
      lines.push({ spanId: spanIds[index] ?? '', text: toText(index, depth, skeleton, errors, costs) });
      for (const child of (children.get(index) ?? []).toReversed()) stack.push({ index: child, depth: depth + 1 });
    }
  };
  for (const [index, parent] of parents.entries()) if (parent < 0) visitFrom(index);
  for (const index of parents.keys()) visitFrom(index);
  return lines;
}

function toText(
  index: number,
  depth: number,
  skeleton: Skeleton,
  errors: ReadonlySet<number>,
  costs: ReadonlyMap<string, number> | undefined,
): string {
  const name = skeleton.names[skeleton.nameIndices[index] ?? -1] ?? '';
  const kind = skeleton.spanKinds[skeleton.spanKindIndices[index] ?? -1] ?? 'unknown';
  const spanId = skeleton.spanIds[index] ?? '';
  const tokens = skeleton.tokenCounts[index] ?? 0;
  const cost = costs?.get(spanId);
  const parts = [
    `${'  '.repeat(Math.min(depth, DEPTH_SHOWN_MAX))}${kind}`,
    // As JSON, so that no name can look like a line of its own.
    JSON.stringify(name.slice(0, NAME_CHARS)),
    `[${spanId}]`,
    `+${toDuration(skeleton.offsetsMs[index] ?? 0)}`,
    toDuration(skeleton.latenciesMs[index] ?? 0),
    ...(tokens > 0 ? [`${tokens} tokens`] : []),
    ...(cost === undefined ? [] : [`$${Number(cost.toPrecision(4))}`]),
    ...(errors.has(index) ? ['ERROR'] : []),
    ...(skeleton.parents[index] === -2 ? ['orphan'] : []),
  ];
  return parts.join(' ');
}

const toDuration = (ms: number): string =>
  ms < 1_000 ? `${Math.round(ms * 10) / 10}ms` : `${(ms / 1_000).toFixed(2)}s`;
