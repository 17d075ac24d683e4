import { joinAttributeParts } from '../../../model/spans/nested-attributes.ts';
import { toTraceId } from '../../../model/traces/trace-ids.ts';
import type { EntityFilter } from '../../../filter/entities/entity-filter.ts';
import type { EntityView } from '../../../filter/entities/entity-view.ts';
import { matchesEntity } from '../../../filter/entities/evaluate-entity-filter.ts';
import { needsAny } from '../../filter/entity-needs.ts';
import type { RootRule } from '../../contract/query-terms.ts';
import type { TraceRow } from '../../duckdb/trace-rows.ts';
import type { ReadContext } from '../read-context.ts';
import { readTracesByRowId } from '../rows/find-ids.ts';
import { findSpanBodies } from '../rows/read-spans.ts';
import {
  AGGREGATED_FIELDS,
  aggregatesOf,
  detailsOf,
  earliestRoot,
  readAnnotationViews,
  readSpanEntities,
  SPAN_COLLECTIONS,
  type SpanEntity,
  toElement,
} from './span-entities.ts';

/** Traces per batch. */
const BATCH_TRACE_COUNT = 500;

/** The traces that a filter selects. The root span by `rule` represents a trace. */
export async function matchTraces(
  context: ReadContext,
  filter: EntityFilter,
  traceRowIds: readonly number[],
  rule: RootRule,
): Promise<Set<number>> {
  const found = new Set<number>();
  for (let from = 0; from < traceRowIds.length; from += BATCH_TRACE_COUNT) {
    const traces = await readTracesByRowId(context, traceRowIds.slice(from, from + BATCH_TRACE_COUNT));
    const views = await toViews(context, filter, traces, rule);
    for (const [rowId, view] of views) if (matchesEntity(filter, view)) found.add(rowId);
  }
  return found;
}

async function toViews(
  context: ReadContext,
  filter: EntityFilter,
  traces: readonly TraceRow[],
  rule: RootRule,
): Promise<Map<number, EntityView>> {
  const { needs } = context.entityPlan(filter);
  const rowIds = traces.map(({ rowId }) => rowId);
  const needsRoot = needs.attributes || needsAny(needs, 'input', 'output');
  const needsSpans = needsRoot || needsAny(needs, ...SPAN_COLLECTIONS, ...AGGREGATED_FIELDS);
  const spans = needsSpans ? await readSpanEntities(context, rowIds, needs) : new Map<number, SpanEntity[]>();
  const roots = new Map(Array.from(spans, ([rowId, list]) => [rowId, earliestRoot(list, rule === 'orphansToo')]));
  const rootRowIds = Array.from(roots.values()).flatMap((root) => root?.span.rowId ?? []);
  const bodies = needsRoot ? await findSpanBodies(context, rootRowIds) : new Map();
  const needsAnnotations = needs.annotations || needsAny(needs, 'trace_annotations');
  const annotations = needsAnnotations ? await readAnnotationViews(context, 'trace', rowIds) : new Map();
  return new Map(
    traces.map((trace) => {
      const ofTrace: readonly SpanEntity[] = spans.get(trace.rowId) ?? [];
      const body = bodies.get(roots.get(trace.rowId)?.span.rowId ?? 0);
      const ownAnnotations = annotations.get(trace.rowId) ?? [];
      const view: EntityView = {
        fields: {
          ...aggregatesOf(ofTrace, trace),
          trace_id: toTraceId(trace.high, trace.low, trace.text),
          input: body?.input ?? null,
          output: body?.output ?? null,
          latency_ms: Number(trace.end - trace.start) / 1e6,
          start_time: trace.start,
          end_time: trace.end,
          num_spans: trace.spanCount,
          error_count: trace.errorCount,
          token_count_prompt: trace.tokensPrompt,
          token_count_completion: trace.tokensCompletion,
          token_count_total: trace.tokensPrompt + trace.tokensCompletion,
        },
        collections: {
          spans: ofTrace,
          trace_annotations: ownAnnotations.map(toElement),
          ...detailsOf(ofTrace),
        },
        attributes: body ? joinAttributeParts(body.attributeParts) : {},
        annotations: ownAnnotations,
      };
      return [trace.rowId, view];
    }),
  );
}
