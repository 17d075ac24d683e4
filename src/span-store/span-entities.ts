import type { EntityView } from '../filter/entity-view.ts';
import type { AnnotationView } from '../filter/span-view.ts';
import { ANNOTATION_TARGETS, type AnnotationTarget } from '../model/annotation.ts';
import type { SpanSummary } from '../model/span.ts';
import { findSpansOfTraces } from './find-spans-of-traces.ts';
import type { ReadContext } from './read-context.ts';
import { Parameters } from './sql.ts';

/** A span with what comprehensions over it read. */
export interface SpanEntity extends EntityView {
  readonly span: SpanSummary;
}

/** Spans of these traces as elements of collections: with their parent, children, siblings and annotations. */
export async function readSpanEntities(
  context: ReadContext,
  traceRowIds: readonly number[],
  withAnnotations: boolean,
): Promise<Map<number, SpanEntity[]>> {
  const byTrace = await findSpansOfTraces(context, traceRowIds);
  const rowIds = [...byTrace.values()].flat().map(({ rowId }) => rowId);
  const annotations = withAnnotations ? await readAnnotationViews(context, 'span', rowIds) : new Map();
  return new Map(Array.from(byTrace, ([traceRowId, spans]) => [traceRowId, toEntities(spans, annotations)]));
}

function toEntities(spans: readonly SpanSummary[], annotations: ReadonlyMap<number, AnnotationView[]>): SpanEntity[] {
  const byId = new Map<string, SpanEntity>();
  const byParent = new Map<string, SpanEntity[]>();
  const entities = spans.map((span): SpanEntity => {
    const parent = () => (span.parentSpanId === null ? undefined : byId.get(span.parentSpanId));
    return {
      span,
      fields: fieldsOf(span),
      get parentSpan() {
        return parent() ?? null;
      },
      get collections() {
        // A parent that is not stored makes no siblings.
        const others = parent() ? byParent.get(span.parentSpanId!)! : [];
        return {
          children: byParent.get(span.spanId) ?? [],
          siblings: others.filter((other) => other.span !== span),
          annotations: (annotations.get(span.rowId) ?? []).map(toElement),
          cost_details: [],
        };
      },
    };
  });
  for (const entity of entities) {
    const { spanId, parentSpanId } = entity.span;
    byId.set(spanId, entity);
    if (parentSpanId === null) continue;
    const siblings = byParent.get(parentSpanId);
    if (siblings) siblings.push(entity);
    else byParent.set(parentSpanId, [entity]);
  }
  return entities;
}

function fieldsOf(span: SpanSummary): EntityView['fields'] {
  const isLlm = span.spanKind === 'LLM';
  return {
    name: span.name,
    parent_id: span.parentSpanId,
    span_kind: span.spanKind,
    status_code: span.statusCode,
    start_time: span.startTimeUnixNano,
    end_time: span.endTimeUnixNano,
    latency_ms: Number(span.endTimeUnixNano - span.startTimeUnixNano) / 1e6,
    cumulative_error_count: span.cumulativeErrorCount,
    cumulative_llm_token_count_prompt: span.cumulativeTokensPrompt,
    cumulative_llm_token_count_completion: span.cumulativeTokensCompletion,
    cumulative_llm_token_count_total: span.cumulativeTokensPrompt + span.cumulativeTokensCompletion,
    llm_token_count_prompt: isLlm ? span.tokensPrompt : null,
    llm_token_count_completion: isLlm ? span.tokensCompletion : null,
    llm_token_count_total: isLlm ? span.tokensPrompt + span.tokensCompletion : null,
  };
}

/** An annotation as an element of a collection. */
export const toElement = ({ name, label, score }: AnnotationView): EntityView => ({ fields: { name, label, score } });

/** Annotations by the row id of their target. */
export async function readAnnotationViews(
  context: ReadContext,
  target: AnnotationTarget,
  rowIds: readonly number[],
): Promise<Map<number, AnnotationView[]>> {
  const found = new Map<number, AnnotationView[]>();
  if (rowIds.length === 0) return found;
  const parameters = new Parameters();
  const rows = await context.rows(
    `SELECT target_row_id, name, score, label, explanation FROM store.annotations
     WHERE target = ${parameters.utinyint(ANNOTATION_TARGETS.indexOf(target))}
       AND ${parameters.bigintIn('target_row_id', rowIds)} ORDER BY row_id`,
    parameters,
  );
  for (const [targetRowId, name, score, label, explanation] of rows) {
    const view = { name, score, label, explanation } as unknown as AnnotationView;
    const views = found.get(Number(targetRowId));
    if (views) views.push(view);
    else found.set(Number(targetRowId), [view]);
  }
  return found;
}

/** The span that stands for others: the one that started first; of several, the highest row id. */
export function earliestRoot(spans: readonly SpanEntity[], takesOrphans: boolean): SpanEntity | undefined {
  let root: SpanEntity | undefined;
  for (const entity of spans) {
    const { span } = entity;
    if (span.parentSpanId !== null && !(takesOrphans && !entity.parentSpan)) continue;
    const isEarlier = !root || span.startTimeUnixNano < root.span.startTimeUnixNano;
    const isTie = root?.span.startTimeUnixNano === span.startTimeUnixNano && span.rowId > root.span.rowId;
    if (isEarlier || isTie) root = entity;
  }
  return root;
}

/** Sums that sessions and traces have of their spans. Costs are 0 where none are known. */
export function sumsOf(spans: readonly SpanEntity[]): EntityView['fields'] {
  const count = (kind: string) => spans.filter(({ span }) => span.spanKind === kind).length;
  return {
    tool_span_count: count('TOOL'),
    llm_span_count: count('LLM'),
    prompt_cost: 0,
    completion_cost: 0,
    total_cost: 0,
  };
}

/** Fields that `sumsOf` needs spans for. */
export const SUMMED_FIELDS = ['tool_span_count', 'llm_span_count'] as const;
