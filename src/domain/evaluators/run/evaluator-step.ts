import type { ExactJson, ExactJsonObject } from '../../../base/exact-json.ts';
import type { SpanKind } from '../../../semconv/span-kinds.ts';
import type { RequestCredentials } from '../../../model/playground/chat-task.ts';
import type { CallOptions } from '../../../llm/contract/chat-model.ts';
import type { EvaluationTrace } from './evaluation-trace.ts';

/** State of one evaluation, which its steps share. */
export interface EvaluationRun {
  /** Values into which paths of the mapping lead. */
  readonly context: ExactJsonObject;
  readonly credentials: RequestCredentials;
  readonly signal: AbortSignal;
  /** The party that shares the threads of code and regular expressions with others. */
  readonly owner: string;
  readonly onLimits?: CallOptions['onLimits'] | undefined;
  /** Undefined when nothing is traced. */
  readonly trace: EvaluationTrace | undefined;
  readonly rootSpanId: string | null;
  /** Calls and tokens so far, also of an evaluation that fails. */
  readonly usage: { callCount: number; promptTokens: number; completionTokens: number };
}

interface Step {
  readonly name: string;
  readonly kind: SpanKind;
  readonly input: ExactJson;
}

/**
 * Runs a step in a span under the root.
 *
 * @param findError finds the error of a step that has a result in spite of it
 * @throws what the step throws, after recording it
 */
export async function runStep<Result>(
  { trace, rootSpanId }: EvaluationRun,
  { name, kind, input }: Step,
  run: (spanId: string | null) => Promise<Result> | Result,
  toOutput: (result: Result) => ExactJson,
  findError: (result: Result) => string | undefined = () => undefined,
): Promise<Result> {
  const span = trace?.start(name, kind, rootSpanId, input);
  try {
    const result = await run(span?.spanId ?? null);
    span?.end({ output: toOutput(result), error: findError(result) });
    return result;
  } catch (error) {
    span?.end({ error: error instanceof Error ? error.message : String(error) });
    throw error;
  }
}
