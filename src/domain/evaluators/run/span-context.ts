import { type ExactJsonObject, newJsonObject } from '../../../base/exact-json.ts';
import type { EvaluationContext } from '../../../model/evaluators/evaluation.ts';
import { joinAttributeParts } from '../../../model/spans/nested-attributes.ts';
import type { SpanBody, SpanRow } from '../../../model/spans/span.ts';
import { toSpanExample } from '../../datasets/span-example.ts';
import type { Ports } from '../../ports.ts';

/** Reads that the contexts of spans, traces and sessions need. Rows that the caller may not read do not exist in them. */
export type ContextPorts = Pick<Ports, 'spans'>;

/**
 * Contexts of spans by row id. Input and output are those of an example that is made from the span, so mappings for datasets
 * fit. Its metadata also has the `span` and all of its `attributes`. Annotations are not part of it: an evaluator must not
 * see the labels of people. Spans that are not stored, or hidden from the caller, are absent.
 */
export async function readSpanContexts(
  { spans }: ContextPorts,
  rowIds: readonly number[],
): Promise<Map<number, EvaluationContext>> {
  const [rows, bodies] = await Promise.all([
    spans.get({ of: 'spans', column: 'row', rowIds }),
    spans.get({ of: 'spans', column: 'body', rowIds }),
  ]);
  const contexts = new Map<number, EvaluationContext>();
  for (const rowId of rowIds) {
    const [row, body] = [rows.get(rowId), bodies.get(rowId)];
    if (row && body) contexts.set(rowId, toSpanContext(row, body));
  }
  return contexts;
}

function toSpanContext(row: SpanRow, body: SpanBody): EvaluationContext {
  const { input, output, metadata } = toSpanExample(row, body, undefined);
  return {
    ...{ input, output, reference: null },
    metadata: Object.assign(newJsonObject(), metadata, {
      span: toSpanObject(row),
      attributes: joinAttributeParts(body.attributeParts),
    }),
  };
}

const toSpanObject = (row: SpanRow): ExactJsonObject => ({
  name: row.name,
  kind: row.spanKind,
  span_id: row.spanId,
  trace_id: row.traceId,
  status_code: row.statusCode,
  status_message: row.statusMessage,
  latency_ms: Number(row.endTimeUnixNano - row.startTimeUnixNano) / 1e6,
});
