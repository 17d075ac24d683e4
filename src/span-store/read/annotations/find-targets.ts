import { expectPresent } from '../../../base/expect-present.ts';
import { SPAN_KINDS } from '../../../semconv/span-kinds.ts';
import { type AnnotationTarget, type TargetRef, targetKey } from '../../../model/annotations/annotation.ts';
import { spanIdNumber, traceIdHalves } from '../../../model/traces/trace-ids.ts';
import { traceIdCondition } from '../../filter/trace-id-condition.ts';
import type { StoredTarget } from '../../contract/annotations.ts';
import { indexIn, int64, text, textOrNull } from '../../duckdb/define-table.ts';
import { sourceBit } from '../../duckdb/long-texts.ts';
import { rowIdIn } from '../../duckdb/row-id-lists.ts';
import { boolean, select } from '../../duckdb/select-list.ts';
import { Parameters } from '../../duckdb/sql.ts';
import { readTraceRows, type TraceRow } from '../../duckdb/trace-rows.ts';
import type { ReadContext } from '../read-context.ts';
import { findSessionRows } from '../rows/find-ids.ts';
import { type StoredTuple, selectTuples } from '../rows/read-rows.ts';
import { readLongTexts } from '../rows/read-spans.ts';

/** A stored target with its trace; null for sessions. */
export interface TargetRow extends StoredTarget {
  readonly traceRowId: number | null;
}

/** Stored targets by `targetKey`. */
export async function findTargets(
  context: ReadContext,
  { target, refs }: { readonly target: AnnotationTarget; readonly refs: readonly TargetRef[] },
): Promise<Map<string, TargetRow>> {
  if (refs.length === 0) return new Map();
  switch (target) {
    case 'span':
      return findSpans(context, refs);
    case 'document':
      return withDocumentCounts(context, await findSpans(context, refs));
    case 'trace':
      return keyed(refs, await findTraces(context, idsOf(refs)));
    case 'session':
      return keyed(refs, await findSessions(context, idsOf(refs)));
  }
}

const idsOf = (refs: readonly TargetRef[]): string[] => [...new Set(refs.map(({ targetId }) => targetId))];

const keyed = (refs: readonly TargetRef[], byId: ReadonlyMap<string, TargetRow>): Map<string, TargetRow> =>
  new Map(
    refs.flatMap((ref) => {
      const row = byId.get(ref.targetId);
      return row ? [[targetKey(ref), row]] : [];
    }),
  );

async function findSpans(context: ReadContext, refs: readonly TargetRef[]): Promise<Map<string, TargetRow>> {
  const byId = refs.filter(({ traceId }) => traceId === undefined);
  const inTraces = refs.filter(({ traceId }) => traceId !== undefined);
  return new Map([
    ...keyed(byId, await findNewestSpans(context, idsOf(byId))),
    ...(await findSpansInTraces(context, inTraces)),
  ]);
}

/** Spans of references that name a trace. */
async function findSpansInTraces(context: ReadContext, refs: readonly TargetRef[]): Promise<Map<string, TargetRow>> {
  const traces = await findTraceRows(context, [...new Set(refs.flatMap(({ traceId }) => traceId ?? []))]);
  if (traces.size === 0) return new Map();
  const parameters = new Parameters();
  const traceRows = [...traces.values()];
  const first = traceRows.reduce(
    (least, { firstSpanRowId }) => Math.min(least, firstSpanRowId),
    Number.MAX_SAFE_INTEGER,
  );
  const greatest = traceRows.reduce((most, { lastSpanRowId }) => Math.max(most, lastSpanRowId), 0);
  // The writer needs the state before the batch, although the rows of the batch are already stored.
  const last = Math.min(greatest, context.newestSpanRowId);
  const rows = await selectTuples(
    context,
    SPAN,
    `WHERE row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}
       AND ${parameters.ubigintIn('span_id', [...new Set(refs.map(({ targetId }) => spanIdNumber(targetId)))])}
       AND ${parameters.bigintIn(
         'trace_row_id',
         traceRows.map(({ rowId }) => rowId),
       )}`,
    parameters,
  );
  const found = new Map(
    rows.map((span): [string, TargetRow] => {
      const [spanId, , , traceRowId] = span;
      return [`${traceRowId} ${spanId}`, toSpanRow(span)];
    }),
  );
  return new Map(
    refs.flatMap((ref) => {
      const traceRowId = ref.traceId && traces.get(ref.traceId)?.rowId;
      const row = found.get(`${traceRowId} ${spanIdNumber(ref.targetId)}`);
      return row ? [[targetKey(ref), row]] : [];
    }),
  );
}

const SPAN = ['span_id', 'row_id', 'project_id', 'trace_row_id'] as const;

const toSpanRow = ([, rowId, projectId, traceRowId]: StoredTuple<typeof SPAN>): TargetRow => ({
  rowId: Number(rowId),
  projectId,
  traceRowId: Number(traceRowId),
  documentCount: null,
});

/** Row ids of the first searched window. The newest spans come first, because most annotated spans are recent. */
const WINDOW_ROW_COUNT = 131_072;
const WINDOW_GROWTH = 8;

/** Newest span of each ID, by span ID. */
async function findNewestSpans(context: ReadContext, ids: readonly string[]): Promise<Map<string, TargetRow>> {
  const found = new Map<string, TargetRow>();
  if (ids.length === 0) return found;
  const wanted = new Map(ids.map((id) => [spanIdNumber(id), id]));
  const [[oldestRowId] = []] = await context.rows('SELECT min(row_id) FROM store.spans');
  // The null of an empty table would become row id 0, and the search would never end.
  const oldest = oldestRowId == null ? Number.POSITIVE_INFINITY : Number(oldestRowId);
  let last = context.newestSpanRowId;
  let windowRowCount = WINDOW_ROW_COUNT;
  while (wanted.size > 0 && last >= oldest) {
    const first = Math.max(1, last - windowRowCount + 1);
    const parameters = new Parameters();
    const rows = await selectTuples(
      context,
      SPAN,
      `WHERE row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}
         AND ${parameters.ubigintIn('span_id', [...wanted.keys()])} ORDER BY row_id`,
      parameters,
    );
    for (const span of rows) {
      found.set(expectPresent(wanted.get(span[0]), 'only these spans are found'), toSpanRow(span));
    }
    for (const [spanId] of rows) wanted.delete(spanId);
    last = first - 1;
    windowRowCount *= WINDOW_GROWTH;
  }
  return found;
}

/** Stored traces by trace ID. */
async function findTraceRows(context: ReadContext, ids: readonly string[]): Promise<Map<string, TraceRow>> {
  if (ids.length === 0) return new Map();
  const halves = new Map(ids.map((id) => [id, traceIdHalves(id)]));
  const parameters = new Parameters();
  const condition = traceIdCondition([...halves.values()], context.traceBlocks, parameters);
  const rows = await readTraceRows(context, condition, parameters);
  const byHalves = new Map(rows.map((row) => [`${row.high} ${row.low}`, row]));
  const found = new Map<string, TraceRow>();
  for (const [id, { high, low }] of halves) {
    const row = byHalves.get(`${high} ${low}`);
    if (row) found.set(id, row);
  }
  return found;
}

async function findTraces(context: ReadContext, ids: readonly string[]): Promise<Map<string, TargetRow>> {
  const rows = await findTraceRows(context, ids);
  return new Map(
    Array.from(rows, ([id, { rowId, projectId }]) => [
      id,
      { rowId, projectId, traceRowId: rowId, documentCount: null },
    ]),
  );
}

async function findSessions(context: ReadContext, ids: readonly string[]): Promise<Map<string, TargetRow>> {
  const rows = await findSessionRows(
    context,
    ids.map((id) => ({ id })),
  );
  return new Map(
    rows.map(({ sessionId, rowId, projectId }) => [
      sessionId,
      { rowId, projectId, traceRowId: null, documentCount: null },
    ]),
  );
}

const DOCUMENTS = {
  rowId: int64('row_id'),
  kind: indexIn('span_kind', SPAN_KINDS),
  small: text('attributes'),
  long: textOrNull('long_attributes'),
  isLong: boolean(`long_texts & ${sourceBit('long_attributes')} <> 0`),
};

async function withDocumentCounts(
  context: ReadContext,
  spans: ReadonlyMap<string, TargetRow>,
): Promise<Map<string, TargetRow>> {
  const counts = await countDocuments(
    context,
    Array.from(spans.values(), ({ rowId }) => rowId),
  );
  return new Map(
    Array.from(spans, ([id, span]) => [id, { ...span, documentCount: counts.get(span.rowId) ?? 0 }] as const),
  );
}

/** Document counts by row id of the span: outputs of a reranker, or documents that another span retrieved. */
export async function countDocuments(context: ReadContext, rowIds: readonly number[]): Promise<Map<number, number>> {
  if (rowIds.length === 0) return new Map();
  const parameters = new Parameters();
  const tail = `FROM store.spans WHERE ${rowIdIn(parameters, 'row_id', rowIds)}`;
  const rows = await select(context, DOCUMENTS, tail, parameters);
  const longRowIds = rows.filter(({ isLong }) => isLong).map(({ rowId }) => rowId);
  const longTexts = await readLongTexts(context, longRowIds);
  const counts = new Map<number, number>();
  for (const { rowId, kind, small, long } of rows) {
    const parts = [small, long ?? longTexts.get(rowId)?.get('long_attributes') ?? null];
    const [object, list] = kind === 'RERANKER' ? ['reranker', 'output_documents'] : ['retrieval', 'documents'];
    counts.set(rowId, Math.max(...parts.map((part) => lengthOfList(part, object, list))));
  }
  return counts;
}

/** Length of a list in one part of the attributes. Both parts keep the indexes of its elements. */
function lengthOfList(json: string | null, object: string, list: string): number {
  if (json === null || !json.includes(`"${object}"`)) return 0;
  const outer: unknown = (JSON.parse(json) as Record<string, unknown>)[object];
  if (typeof outer !== 'object' || outer === null || !Object.hasOwn(outer, list)) return 0;
  const inner = (outer as Record<string, unknown>)[list];
  return Array.isArray(inner) ? inner.length : 0;
}
