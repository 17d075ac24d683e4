import { addOpenInferenceAttributesToSpan } from '@arizeai/openinference-vercel/utils';
import { SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';

/** Whether a span comes from the AI SDK, or follows the conventions of OpenTelemetry for generative models. */
export function isAISdkSpan({ name, attributes }: ReadableSpan): boolean {
  return (
    name.startsWith('ai.') ||
    'ai.operationId' in attributes ||
    'gen_ai.operation.name' in attributes ||
    'gen_ai.request.model' in attributes
  );
}

/** Adds the attributes of OpenInference to an ended span of the AI SDK, in place: attributes of an ended span are mutable. */
export function translateAISdkSpan(span: ReadableSpan): void {
  addOpenInferenceAttributesToSpan(span);
  // The translation names fields that a message does not have.
  for (const key in span.attributes) if (span.attributes[key] === undefined) delete span.attributes[key];
  const mutable = span as { name: string; status: ReadableSpan['status'] };
  const { 'operation.name': operation, 'ai.response.finishReason': reason } = span.attributes;
  const isRoot = span.parentSpanContext === undefined;
  // `ai.generateText summarize` says more than `ai.generateText`.
  if (isRoot && typeof operation === 'string' && operation.startsWith('ai.')) mutable.name = operation;
  if (span.status.code !== SpanStatusCode.UNSET) return;
  const hasFailed = reason === 'error' || span.events.some(({ name }) => name === 'exception');
  mutable.status = hasFailed
    ? { code: SpanStatusCode.ERROR, message: 'the model ended with an error' }
    : { code: SpanStatusCode.OK };
}
