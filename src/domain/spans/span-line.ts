import { type ExactJsonObject, toExactJsonText } from '../../base/exact-json.ts';
import { parseExactJson } from '../../base/parse-exact-json.ts';
import type { Annotation } from '../../model/annotations/annotation.ts';
import { BODY_JSON_DEPTH_MAX } from '../../model/limits/reads.ts';
import { flattenAttributes, toFlatJson } from '../../model/spans/attributes.ts';
import type { Span } from '../../model/spans/span.ts';

/** A span with its annotations and those of its documents, each in the order of row ids. */
export interface ExportedSpan {
  readonly span: Span;
  readonly annotations: readonly Annotation[];
}

/**
 * A line of a file of spans: all that a span has, so that `read-span-line.ts` makes the same one of it. Times are
 * nanoseconds as decimal text. Attributes are flat, as they were sent, the span kind among them if it was.
 * Written by hand, because attributes are JSON text already.
 */
export function toSpanLine({ span, annotations }: ExportedSpan): string {
  return (
    `{"trace_id":${JSON.stringify(span.traceId)},"span_id":${JSON.stringify(span.spanId)},` +
    `"parent_id":${JSON.stringify(span.parentSpanId)},"name":${JSON.stringify(span.name)},` +
    `"span_kind":"${span.spanKind}","status_code":"${span.statusCode}",` +
    `"status_message":${JSON.stringify(span.statusMessage)},` +
    `"start_time_unix_nano":"${span.startTimeUnixNano}","end_time_unix_nano":"${span.endTimeUnixNano}",` +
    `"attributes":${toFlatJson(flattenAttributes(span.attributeParts))},` +
    `"events":${span.events ?? '[]'},"annotations":${toAnnotationsText(annotations)}}\n`
  );
}

/** JSON list text. `created_at` and `updated_at` are for readers: an import has times of its own. */
export const toAnnotationsText = (annotations: readonly Annotation[]): string =>
  `[${annotations.map(toAnnotationText).join(',')}]`;

function toAnnotationText(annotation: Annotation): string {
  const metadata = parseExactJson(annotation.metadata, { depthMax: BODY_JSON_DEPTH_MAX }) as ExactJsonObject;
  return toExactJsonText({
    name: annotation.name,
    identifier: annotation.identifier,
    annotator_kind: annotation.annotatorKind,
    label: annotation.label,
    score: annotation.score,
    explanation: annotation.explanation,
    metadata,
    source: annotation.source,
    document_position: annotation.documentPosition,
    created_at: new Date(annotation.createdAtMs).toISOString(),
    updated_at: new Date(annotation.updatedAtMs).toISOString(),
  });
}
