import { expectPresent } from '../../../base/expect-present.ts';
import type { AnnotationSort, Grain, SpanListPage, SpanSortColumn, TraceGrain } from '../../../domain/domain.ts';
import {
  checkCappedPage,
  type FilterArguments,
  type PageArguments,
  type RangeArguments,
  reject,
  type TraceFilterArguments,
  toSpanFilter,
  toTimeRange,
  toTraceFilter,
} from '../arguments.ts';
import { type Connection, keysetConnection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { type CursorType, listKeyOf, parseCursor, toCursor } from '../cursor.ts';
import type { FieldInfo } from '../node-fields.ts';
import { type NodeRef, spanRef } from '../resolvers.ts';
import { readAhead } from './span-fields-ahead.ts';

interface SpanSort {
  readonly col?: string | null;
  readonly evalResultKey?: AnnotationKey | null;
  readonly dir: 'asc' | 'desc';
}

interface SpansArguments extends PageArguments, RangeArguments, FilterArguments, TraceFilterArguments {
  readonly sort?: SpanSort | null;
  readonly rootSpansOnly?: boolean | null;
  readonly grain?: Grain | null;
  readonly orphanSpanAsRootSpan?: boolean | null;
}

const SORTS: ReadonlyMap<string, readonly [SpanSortColumn, CursorType]> = new Map(
  Object.entries({
    startTime: ['startTime', 'DATETIME'],
    endTime: ['endTime', 'DATETIME'],
    latencyMs: ['latency', 'FLOAT'],
    tokenCountTotal: ['tokensTotal', 'INT'],
    tokenCountPrompt: ['tokensPrompt', 'INT'],
    tokenCountCompletion: ['tokensCompletion', 'INT'],
    cumulativeTokenCountTotal: ['cumulativeTokensTotal', 'INT'],
    cumulativeTokenCountPrompt: ['cumulativeTokensPrompt', 'INT'],
    cumulativeTokenCountCompletion: ['cumulativeTokensCompletion', 'INT'],
    tokenCostTotal: ['cost', 'INT'],
    cumulativeTokenCostTotal: ['traceCost', 'INT'],
    traceLatencyMs: ['traceLatency', 'FLOAT'],
    traceTokenCountTotal: ['traceTokensTotal', 'INT'],
  }),
);

/** Spans of a project, by row id unless another order is requested. */
export async function listProjectSpans(
  { rowId: projectId }: NodeRef<'Project'>,
  args: SpansArguments,
  context: GraphqlContext,
  info?: FieldInfo,
): Promise<Connection<NodeRef>> {
  const limit = checkCappedPage(args);
  const [sort, cursorType] = (args.sort && sortOf(args.sort)) ?? [];
  const { rootSpansOnly, filterCondition, traceFilterCondition } = args;
  const grain = toTraceGrain(args);
  const listed = ['spans', projectId, args.sort, rootSpansOnly === true, filterCondition, traceFilterCondition];
  const key = listKeyOf(...listed, ...(grain ? [grain] : []));
  const after = args.after ? parseCursor(args.after, cursorType, key) : undefined;
  const query = { projectId, ...toTimeRange(args), order: args.sort?.dir ?? 'asc', after, limit } as const;
  const roots = args.rootSpansOnly ? rootRule(args) : undefined;
  const filter = toSpanFilter(args);
  const traceFilter = toTraceFilter(args);
  const options = { readClass: 'interface', signal: context.signal } as const;
  const { spans } = context.domain;
  const page = await (roots && sort === 'startTime' && (grain || !filter)
    ? spans.listRootSpans({ ...query, roots, traceFilter, filter, grain }, options)
    : spans.listSpans({ ...query, sort, roots, filter, traceFilter, grain }, options));
  return spanConnection(page, { type: cursorType, key }, context, info);
}

/** @throws {SpandrelError} `QUERY_INVALID` */
function toTraceGrain({ grain, rootSpansOnly, orphanSpanAsRootSpan }: SpansArguments): TraceGrain | undefined {
  if (grain == null || grain === 'spans') return undefined;
  if (grain === 'sessions') return reject('Spans cannot represent sessions');
  if (!rootSpansOnly || orphanSpanAsRootSpan === false) return reject('The grain needs rootSpansOnly and orphans');
  return grain;
}

export const rootRule = ({ orphanSpanAsRootSpan }: Pick<SpansArguments, 'orphanSpanAsRootSpan'>) =>
  orphanSpanAsRootSpan === false ? 'parentless' : 'orphansToo';

function sortOf({ col, evalResultKey }: SpanSort): readonly [SpanSortColumn | AnnotationSort, CursorType] {
  if (evalResultKey != null && col == null) return byAnnotation(evalResultKey);
  if (evalResultKey != null || col == null) {
    return reject('Exactly one of `col` or `evalResultKey` must be specified on `SpanSort`.');
  }
  return expectPresent(SORTS.get(col), 'each column of the schema can be sorted by');
}

/** An annotation, and the part of it to sort by. */
export interface AnnotationKey {
  readonly name: string;
  readonly attr: 'score' | 'label';
}

export const byAnnotation = ({ name, attr }: AnnotationKey): readonly [AnnotationSort, CursorType] => [
  { name, attribute: attr },
  attr === 'score' ? 'SCORE' : 'STRING',
];

/** Connection of complete rows, with the data that their fields need. */
export async function spanConnection(
  { items, nextAfter }: SpanListPage,
  { type, key }: { readonly type: CursorType | undefined; readonly key: string },
  { loaders, items: budget }: GraphqlContext,
  info?: FieldInfo,
): Promise<Connection<NodeRef>> {
  await readAhead(
    items.map(({ span }) => span),
    info,
    loaders,
  );
  const edges = items.map(({ span, at }) => {
    loaders.spans.prime(span.rowId, span);
    return { cursor: toCursor(at, type, key), node: spanRef(span.rowId) };
  });
  return keysetConnection(edges, nextAfter && toCursor(nextAfter, type, key), budget);
}
