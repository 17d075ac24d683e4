import { expectPresent } from '../../../base/expect-present.ts';
import { annotationsOfSession } from '../annotations/annotation-lists.ts';
import { checkCappedPage, checkProbability, type PageArguments } from '../arguments.ts';
import { type Connection, keysetConnection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { listKeyOf, parseCursor, toCursor } from '../cursor.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import { sessionCostResolvers } from '../models/cost.ts';
import { toTokenUsage } from '../models/token-usage.ts';
import { fromRow, id, type NodeRef, projectRef, type Resolver, type Resolvers, traceRef } from '../resolvers.ts';
import { previewOf, toIoValue } from '../spans/span.ts';
import { latencyMs } from './latency.ts';

type SessionRef = NodeRef<'ProjectSession'>;

const row = fromRow(({ sessions }) => sessions);

export const sessionResolvers: Resolvers = {
  id,
  ...annotationsOfSession,
  ...sessionCostResolvers,
  sessionId: row(({ sessionId }) => sessionId),
  project: row(({ projectId }) => projectRef(projectId)),
  startTime: row(({ startTimeUnixNano }) => startTimeUnixNano),
  endTime: row(({ endTimeUnixNano }) => endTimeUnixNano),
  numTraces: row(({ traceCount }) => traceCount),
  numTracesWithError: ({ rowId }: SessionRef, _args: unknown, { loaders }) =>
    whenKnown(loaders.sessionDetails.load(rowId), (found) => found?.failedTraceCount ?? 0),
  firstInput: io('firstInputSpanRowId', 'input'),
  lastOutput: io('lastOutputSpanRowId', 'output'),
  firstInputPreview: preview('firstInputSpanRowId', 'input', 0),
  lastOutputPreview: preview('lastOutputSpanRowId', 'output', -1),
  userId: ({ rowId }: SessionRef, _args: unknown, { loaders }) => loaders.usersOfSessions.load(rowId),
  tokenUsage: row(toTokenUsage),
  traces: listSessionTraces,
  async traceLatencyMsQuantile({ rowId }: SessionRef, args: { readonly probability: number }, { loaders }) {
    const probability = checkProbability(args.probability);
    const traces = (await loaders.tracesOfSessions.load(rowId)) ?? [];
    return quantileOf(
      traces.map(latencyMs).sort((a, b) => a - b),
      probability,
    );
  },
};

function io(place: 'firstInputSpanRowId' | 'lastOutputSpanRowId', side: 'input' | 'output'): Resolver<SessionRef> {
  return ({ rowId }, _args, { loaders }) =>
    whenKnown(loaders.sessionDetails.load(rowId), (details) => {
      const spanRowId = details?.[place] ?? null;
      if (spanRowId === null) return null;
      return whenKnown(loaders.spans.load(spanRowId), (span) => (span ? toIoValue(span, side) : null));
    });
}

/** Resolves a preview from the span with the text, or else from the root span of the session's first or last trace. */
function preview(
  place: 'firstInputSpanRowId' | 'lastOutputSpanRowId',
  side: 'input' | 'output',
  traceIndex: 0 | -1,
): Resolver<SessionRef> {
  return async ({ rowId }, _args, { loaders }) => {
    const details = await loaders.sessionDetails.load(rowId);
    let spanRowId = details?.[place] ?? undefined;
    if (spanRowId === undefined) {
      const trace = (await loaders.tracesOfSessions.load(rowId))?.at(traceIndex);
      spanRowId = trace && (await loaders.rootsOfTraces.load(trace.rowId));
    }
    const span = spanRowId === undefined ? undefined : await loaders.spans.load(spanRowId);
    return span ? previewOf(span, side, loaders) : null;
  };
}

/** Interpolated. Null without values. */
function quantileOf(sorted: readonly number[], probability: number): number | null {
  if (sorted.length === 0) return null;
  const place = (sorted.length - 1) * probability;
  const at = (index: number) => expectPresent(sorted[index], 'the probability is at most 1');
  const below = at(Math.floor(place));
  return below + (at(Math.ceil(place)) - below) * (place - Math.floor(place));
}

/** Traces by start, then row id. A session has few traces, and they are read at once for all sessions of a list. */
async function listSessionTraces(
  { rowId }: SessionRef,
  args: PageArguments,
  { loaders, items }: GraphqlContext,
): Promise<Connection<NodeRef>> {
  const limit = checkCappedPage(args);
  const key = listKeyOf('traces of session', rowId);
  const after = args.after ? parseCursor(args.after, 'DATETIME', key) : undefined;
  const traces = (await loaders.tracesOfSessions.load(rowId)) ?? [];
  const rest = after
    ? traces.filter(
        (trace) =>
          trace.startTimeUnixNano > (after.value as bigint) ||
          (trace.startTimeUnixNano === after.value && trace.rowId > after.rowId),
      )
    : traces;
  const edges = rest.slice(0, limit).map((trace) => ({
    cursor: toCursor({ rowId: trace.rowId, value: trace.startTimeUnixNano }, 'DATETIME', key),
    node: traceRef(trace.rowId),
  }));
  return keysetConnection(edges, rest.length > limit ? edges.at(-1)?.cursor : undefined, items);
}
