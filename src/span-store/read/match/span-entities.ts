import { ANNOTATION_TARGETS, type AnnotationTarget } from '../../../model/annotations/annotation.ts';
import { PICO_PER_DOLLAR } from '../../../model/models/span-cost.ts';
import type { SpanSummary } from '../../../model/spans/span.ts';
import type { EntityView } from '../../../filter/entities/entity-view.ts';
import type { AnnotationView } from '../../../filter/spans/span-view.ts';
import { type EntityNeeds, needsAny } from '../../filter/entity-needs.ts';
import { ANNOTATIONS } from '../../duckdb/annotation-rows.ts';
import type { CostAggregates } from '../../duckdb/cost-sums.ts';
import { int32, int64, int64OrNull, text } from '../../duckdb/define-table.ts';
import { select } from '../../duckdb/select-list.ts';
import { Parameters } from '../../duckdb/sql.ts';
import type { ReadContext } from '../read-context.ts';
import { findSpansOfTraces } from '../traces/find-spans-of-traces.ts';

/** A span as an element of a collection. */
export interface SpanEntity extends EntityView {
  readonly span: SpanSummary;
}

/** Spans of these traces as elements of collections: with their parent, children, siblings and annotations. */
export async function readSpanEntities(
  context: ReadContext,
  traceRowIds: readonly number[],
  needs: EntityNeeds,
): Promise<Map<number, SpanEntity[]>> {
  const byTrace = await findSpansOfTraces(context, traceRowIds);
  const rowIds = [...byTrace.values()].flat().map(({ rowId }) => rowId);
  const annotations = needsAny(needs, 'span_annotations', 'annotations')
    ? await readAnnotationViews(context, 'span', rowIds)
    : new Map<number, AnnotationView[]>();
  const costs = needsAny(needs, 'span_cost_details', 'cost_details')
    ? await readCostDetails(context, rowIds)
    : new Map<number, EntityView[]>();
  return new Map(Array.from(byTrace, ([traceRowId, spans]) => [traceRowId, toEntities(spans, annotations, costs)]));
}

function toEntities(
  spans: readonly SpanSummary[],
  annotations: ReadonlyMap<number, AnnotationView[]>,
  costs: ReadonlyMap<number, EntityView[]>,
): SpanEntity[] {
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
        // Spans whose parent is not stored are not siblings.
        const others = span.parentSpanId !== null && parent() ? byParent.get(span.parentSpanId) : undefined;
        return {
          children: byParent.get(span.spanId) ?? [],
          siblings: others?.filter((other) => other.span !== span) ?? [],
          annotations: (annotations.get(span.rowId) ?? []).map(toElement),
          cost_details: costs.get(span.rowId) ?? [],
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

/** Annotations and costs of the spans of an entity, as collections of the entity. */
export const detailsOf = (spans: readonly SpanEntity[]) => ({
  span_annotations: spans.flatMap(({ collections }) => collections?.annotations ?? []),
  span_cost_details: spans.flatMap(({ collections }) => collections?.cost_details ?? []),
});

const { targetRowId, name, score, label, explanation } = ANNOTATIONS.fields;
const VIEW = { targetRowId, name, score, label, explanation };

/** Annotations by the row id of their target. */
export async function readAnnotationViews(
  context: ReadContext,
  target: AnnotationTarget,
  rowIds: readonly number[],
): Promise<Map<number, AnnotationView[]>> {
  const found = new Map<number, AnnotationView[]>();
  if (rowIds.length === 0) return found;
  const parameters = new Parameters();
  const rows = await select(
    context,
    VIEW,
    `FROM store.annotations WHERE target = ${parameters.utinyint(ANNOTATION_TARGETS.indexOf(target))}
       AND ${parameters.bigintIn('target_row_id', rowIds)} ORDER BY row_id`,
    parameters,
  );
  for (const { targetRowId, ...view } of rows) {
    const views = found.get(targetRowId);
    if (views) views.push(view);
    else found.set(targetRowId, [view]);
  }
  return found;
}

/** The root span that starts first, then the one with the highest row id. */
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

/** Numbers of spans by kind, and costs in dollars. An unknown cost is 0. */
export function aggregatesOf(
  spans: readonly SpanEntity[],
  { costPromptPico, costCompletionPico }: CostAggregates,
): EntityView['fields'] {
  const count = (kind: string) => spans.filter(({ span }) => span.spanKind === kind).length;
  return {
    tool_span_count: count('TOOL'),
    llm_span_count: count('LLM'),
    prompt_cost: costPromptPico / PICO_PER_DOLLAR,
    completion_cost: costCompletionPico / PICO_PER_DOLLAR,
    total_cost: (costPromptPico + costCompletionPico) / PICO_PER_DOLLAR,
  };
}

/** Collections that need spans. */
export const SPAN_COLLECTIONS = ['spans', 'span_annotations', 'span_cost_details'] as const;

/** Fields of `aggregatesOf` that need spans. */
export const AGGREGATED_FIELDS = ['tool_span_count', 'llm_span_count'] as const;

const COST_DETAIL = {
  spanRowId: int64('span_row_id'),
  tokenType: text('token_type'),
  isPrompt: int32('is_prompt'),
  tokens: int64('tokens'),
  pico: int64OrNull('cost_pico'),
};

/** Costs of spans by token type, by row id of the span. */
async function readCostDetails(
  context: ReadContext,
  spanRowIds: readonly number[],
): Promise<Map<number, EntityView[]>> {
  const found = new Map<number, EntityView[]>();
  if (spanRowIds.length === 0) return found;
  const parameters = new Parameters();
  const rows = await select(
    context,
    COST_DETAIL,
    `FROM store.cost_details WHERE ${parameters.bigintIn('span_row_id', spanRowIds)} ORDER BY span_row_id, is_prompt DESC, token_type`,
    parameters,
  );
  for (const { spanRowId, tokenType, isPrompt, tokens, pico } of rows) {
    const cost = pico === null ? null : pico / PICO_PER_DOLLAR;
    const detail: EntityView = {
      fields: {
        token_type: tokenType,
        is_prompt: isPrompt === 1,
        cost,
        tokens,
        cost_per_token: cost === null || tokens === 0 ? null : cost / tokens,
      },
    };
    const details = found.get(spanRowId);
    if (details) details.push(detail);
    else found.set(spanRowId, [detail]);
  }
  return found;
}
