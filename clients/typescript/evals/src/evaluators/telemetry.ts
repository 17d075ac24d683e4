import { toErrorText } from '../errors.ts';
import { callAttributes, type RecordedResponse } from '../models/call-attributes.ts';
import type { ChatMessage } from '../models/chat-message.ts';
import type { Model } from '../models/model.ts';
import type { EvaluationResult } from '../scores/score.ts';
import type { EvalRecord } from './input-mapping.ts';

/** Whether evaluations are traced with OpenTelemetry. On by default; without a registered provider nothing is recorded. */
export interface Telemetry {
  readonly isEnabled?: boolean;
  /** Default: the tracer `@spandrel/evals` of the global provider. */
  readonly tracer?: EvaluationTracer;
}

interface TracedSpan {
  spanContext(): { readonly traceId: string };
  setAttribute(name: string, value: string | number): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  recordException(error: Error): void;
  end(): void;
}

/** The part of a tracer of OpenTelemetry that is used. */
export interface EvaluationTracer {
  /** Whether its models have spans of their own, as those of `openJudgeTracer`. */
  readonly tracesModels?: boolean;
  startActiveSpan<Result>(name: string, run: (span: TracedSpan) => Result): Result;
}

interface Traced {
  readonly name: string;
  readonly kind: string;
  readonly telemetry: Telemetry | undefined;
}

const STATUS_ERROR = 2;
/** A trace ID of zeros means that nothing is recorded. */
const NO_TRACE = /^0*$/;
/** Attributes of long rows are cut. */
const VALUE_CHARS_MAX = 1_000_000;

let globalTracer: Promise<EvaluationTracer | undefined> | undefined;
let loadedTracer: EvaluationTracer | undefined;
let isLoaded = false;

/** OpenTelemetry is used when the application has it. */
function findTracer(): Promise<EvaluationTracer | undefined> {
  globalTracer ??= import('@opentelemetry/api').then(
    ({ trace }) => {
      isLoaded = true;
      loadedTracer = trace.getTracer('@spandrel/evals') as unknown as EvaluationTracer;
      return loadedTracer;
    },
    () => {
      isLoaded = true;
      return undefined;
    },
  );
  return globalTracer;
}

/**
 * Maps and evaluates a row inside of an EVALUATOR span. A recorded trace's ID is in the metadata of the result. Errors of
 * tracing never break the evaluation.
 */
export function traceEvaluation(
  evaluator: Traced,
  map: () => EvalRecord,
  evaluate: (input: EvalRecord) => Promise<EvaluationResult>,
): Promise<EvaluationResult> {
  return inSpan(evaluator.telemetry, `${evaluator.name}.evaluate`, async (span) => {
    if (!span) return evaluate(map());
    attempt(() => span.setAttribute('openinference.span.kind', 'EVALUATOR'));
    const input = map();
    attempt(() => {
      span.setAttribute('input.value', toJson(input));
      span.setAttribute('input.mime_type', 'application/json');
      span.setAttribute(
        'metadata',
        JSON.stringify({ 'evaluator.kind': evaluator.kind, 'evaluator.class': evaluator.constructor.name }),
      );
    });
    const result = await evaluate(input);
    attempt(() => {
      span.setAttribute('output.value', toJson([result]));
      span.setAttribute('output.mime_type', 'application/json');
    });
    return { ...result, metadata: { ...result.metadata, traceId: span.spanContext().traceId } };
  });
}

/** Asks a model inside of an LLM span, below that of the evaluation. Its repairs and other forms of the answer belong to it. */
export function traceCall<Answer>(
  telemetry: Telemetry | undefined,
  model: Model,
  messages: readonly ChatMessage[],
  call: () => Promise<Answer>,
  toResponse: (answer: Answer) => RecordedResponse,
): Promise<Answer> {
  if (telemetry?.tracer?.tracesModels) return call();
  return inSpan(telemetry, model.name, async (span) => {
    if (!span) return call();
    const record = (response: RecordedResponse | undefined) =>
      attempt(() => {
        const attributes = callAttributes(model, messages, response);
        for (const [name, value] of Object.entries(attributes)) span.setAttribute(name, value);
      });
    attempt(() => span.setAttribute('openinference.span.kind', 'LLM'));
    record(undefined);
    const answer = await call();
    record(toResponse(answer));
    return answer;
  });
}

/** @param run Gets undefined when nothing is recorded */
async function inSpan<Result>(
  { isEnabled = true, tracer: own }: Telemetry = {},
  name: string,
  run: (span: TracedSpan | undefined) => Promise<Result>,
): Promise<Result> {
  const tracer = isEnabled ? (own ?? (isLoaded ? loadedTracer : await findTracer())) : undefined;
  if (!tracer) return run(undefined);
  return tracer.startActiveSpan(name, async (span) => {
    if (NO_TRACE.test(span.spanContext().traceId)) {
      span.end();
      return run(undefined);
    }
    try {
      return await run(span);
    } catch (error) {
      attempt(() => {
        span.recordException(error instanceof Error ? error : new Error(String(error)));
        span.setStatus({ code: STATUS_ERROR, message: toErrorText(error) });
      });
      throw error;
    } finally {
      attempt(() => span.end());
    }
  });
}

const toJson = (value: unknown): string => JSON.stringify(value).slice(0, VALUE_CHARS_MAX);

function attempt(record: () => void): void {
  try {
    record();
  } catch {
    // A value that is no JSON, or an exporter that fails: the evaluation goes on.
  }
}
