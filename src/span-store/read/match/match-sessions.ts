import { joinAttributeParts } from '../../../model/spans/nested-attributes.ts';
import type { SpanBody } from '../../../model/spans/span.ts';
import { toTraceId } from '../../../model/traces/trace-ids.ts';
import type { EntityFilter } from '../../../filter/entities/entity-filter.ts';
import type { EntityView } from '../../../filter/entities/entity-view.ts';
import { matchesEntity } from '../../../filter/entities/evaluate-entity-filter.ts';
import { type EntityNeeds, needsAny } from '../../filter/entity-needs.ts';
import { minMax } from '../../duckdb/row-range.ts';
import { readSessionRows, type SessionRow } from '../../duckdb/session-rows.ts';
import { Parameters } from '../../duckdb/sql.ts';
import { readTraceRows, type TraceRow } from '../../duckdb/trace-rows.ts';
import type { ReadContext } from '../read-context.ts';
import { findSpanBodies } from '../rows/read-spans.ts';
import {
  AGGREGATED_FIELDS,
  aggregatesOf,
  detailsOf,
  readAnnotationViews,
  readSpanEntities,
  SPAN_COLLECTIONS,
  type SpanEntity,
  toElement,
} from './span-entities.ts';

/** Sessions per batch, with and without their traces and spans. */
const BATCH_SESSION_COUNT = 500;
const BATCH_BARE_SESSION_COUNT = 20_000;

/** The sessions that a filter selects. */
export async function matchSessions(
  context: ReadContext,
  filter: EntityFilter,
  sessionRowIds: readonly number[],
): Promise<Set<number>> {
  const { needs } = context.entityPlan(filter);
  const found = new Set<number>();
  const isBare = !needsTraces(needs) && !needsAny(needs, 'first_input', 'last_output');
  const batchCount = isBare ? BATCH_BARE_SESSION_COUNT : BATCH_SESSION_COUNT;
  for (let from = 0; from < sessionRowIds.length; from += batchCount) {
    const sessions = await readSessions(context, sessionRowIds.slice(from, from + batchCount));
    const data = await readSessionData(context, needs, sessions);
    for (const session of sessions) if (matchesEntity(filter, toView(session, data))) found.add(session.rowId);
  }
  return found;
}

const TEXTS = ['any_input', 'any_output'] as const;

const needsSpans = (needs: EntityNeeds): boolean =>
  needs.attributes || needsAny(needs, ...TEXTS, ...SPAN_COLLECTIONS, ...AGGREGATED_FIELDS);

const needsTraces = (needs: EntityNeeds): boolean =>
  needsSpans(needs) || needsAny(needs, 'traces', 'num_traces_with_error');

async function readSessions(context: ReadContext, rowIds: readonly number[]): Promise<SessionRow[]> {
  const parameters = new Parameters();
  const [first, last] = minMax(rowIds);
  const condition = `row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}
    AND ${parameters.bigintIn('row_id', rowIds)}`;
  return readSessionRows(context, condition, parameters);
}

/** Data of sessions that a filter reads. */
interface SessionData {
  /** Traces by session. */
  readonly traces: ReadonlyMap<number, TraceRow[]>;
  /** Spans by trace. */
  readonly spans: ReadonlyMap<number, SpanEntity[]>;
  /** Bodies by span. */
  readonly bodies: ReadonlyMap<number, SpanBody>;
  /** Annotations by session. */
  readonly annotations: ReadonlyMap<number, EntityView['annotations'] & {}>;
}

async function readSessionData(
  context: ReadContext,
  needs: EntityNeeds,
  sessions: readonly SessionRow[],
): Promise<SessionData> {
  const rowIds = sessions.map(({ rowId }) => rowId);
  const needsTexts = needsAny(needs, ...TEXTS);
  const traces = new Map<number, TraceRow[]>();
  if (needsTraces(needs)) {
    const parameters = new Parameters();
    const condition = parameters.bigintIn('session_row_id', rowIds);
    const rows = await readTraceRows(context, condition, parameters);
    for (const row of rows) {
      if (row.sessionRowId === null) continue;
      const list = traces.get(row.sessionRowId);
      if (list) list.push(row);
      else traces.set(row.sessionRowId, [row]);
    }
  }
  const traceRowIds = [...traces.values()].flat().map(({ rowId }) => rowId);
  const spans = needsSpans(needs)
    ? await readSpanEntities(context, traceRowIds, needs)
    : new Map<number, SpanEntity[]>();
  const wantedBodies: number[] = [];
  for (const session of sessions) {
    if (needsAny(needs, 'first_input') && session.firstInputRowId !== null) wantedBodies.push(session.firstInputRowId);
    if (needsAny(needs, 'last_output') && session.lastOutputRowId !== null) wantedBodies.push(session.lastOutputRowId);
    const roots = rootsOf(traces.get(session.rowId) ?? [], spans);
    if (needsTexts) wantedBodies.push(...roots.map(({ span }) => span.rowId));
    else if (needs.attributes && roots[0]) wantedBodies.push(roots[0].span.rowId);
  }
  const needsAnnotations = needs.annotations || needsAny(needs, 'session_annotations');
  return {
    traces,
    spans,
    bodies: wantedBodies.length > 0 ? await findSpanBodies(context, [...new Set(wantedBodies)]) : new Map(),
    annotations: needsAnnotations ? await readAnnotationViews(context, 'session', rowIds) : new Map(),
  };
}

function toView(session: SessionRow, { traces, spans, bodies, annotations }: SessionData): EntityView {
  const ownTraces = traces.get(session.rowId) ?? [];
  const spansOf = ({ rowId }: TraceRow): readonly SpanEntity[] => spans.get(rowId) ?? [];
  const ownSpans = ownTraces.flatMap(spansOf);
  const roots = rootsOf(ownTraces, spans);
  const ownAnnotations = annotations.get(session.rowId) ?? [];
  const earliest = roots[0] && bodies.get(roots[0].span.rowId);
  const textsOf = (which: 'input' | 'output') => roots.flatMap(({ span }) => bodies.get(span.rowId)?.[which] ?? []);
  return {
    fields: {
      ...aggregatesOf(ownSpans, session),
      session_id: session.sessionId,
      first_input: bodies.get(session.firstInputRowId ?? 0)?.input ?? null,
      last_output: bodies.get(session.lastOutputRowId ?? 0)?.output ?? null,
      duration_ms: Number(session.end - session.start) / 1e6,
      start_time: session.start,
      end_time: session.end,
      num_traces: session.traceCount,
      num_traces_with_error: ownTraces.filter(({ errorCount }) => errorCount > 0).length,
      token_count_prompt: session.tokensPrompt,
      token_count_completion: session.tokensCompletion,
      token_count_total: session.tokensPrompt + session.tokensCompletion,
    },
    collections: {
      spans: ownSpans,
      traces: ownTraces.map((trace) => ({
        fields: {
          start_time: trace.start,
          end_time: trace.end,
          latency_ms: Number(trace.end - trace.start) / 1e6,
        },
        collections: { spans: spansOf(trace) },
      })),
      session_annotations: ownAnnotations.map(toElement),
      ...detailsOf(ownSpans),
    },
    attributes: earliest ? joinAttributeParts(earliest.attributeParts) : {},
    annotations: ownAnnotations,
    texts: { any_input: textsOf('input'), any_output: textsOf('output') },
  };
}

/** Spans without a parent by start of the trace, trace ID and span ID. The first one represents the session. */
function rootsOf(traces: readonly TraceRow[], spans: ReadonlyMap<number, SpanEntity[]>): SpanEntity[] {
  const idOf = ({ text, high, low }: TraceRow): string => text ?? toTraceId(high, low);
  const sorted = [...traces].sort((a, b) => compare(a.start, b.start) || compare(idOf(a), idOf(b)));
  return sorted.flatMap(({ rowId }) =>
    (spans.get(rowId) ?? [])
      .filter(({ span }) => span.parentSpanId === null)
      .sort((a, b) => compare(a.span.spanId, b.span.spanId)),
  );
}

const compare = <Item extends bigint | string>(a: Item, b: Item): number => (a < b ? -1 : a > b ? 1 : 0);
