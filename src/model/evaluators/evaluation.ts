import type { ExactJson, ExactJsonObject } from '../../base/exact-json.ts';
import type { Receipt } from '../receipt.ts';

/** What an evaluator sees of its target. */
export interface EvaluationContext {
  readonly input: ExactJson;
  readonly output: ExactJson;
  /** Expected output. Null when there is none, as for spans. */
  readonly reference: ExactJson;
  readonly metadata: ExactJson;
}

/** One annotation of an evaluator's run. A failed one has an error, and neither label nor score. */
export interface Evaluation {
  /** Name of the annotation: of the first output, or `<first output>.<output>` with several. */
  readonly name: string;
  readonly annotatorKind: 'LLM' | 'CODE';
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
  readonly error: string | null;
  readonly metadata: ExactJsonObject;
  readonly startTime: Date;
  readonly endTime: Date;
  /** Trace of the evaluation. Null when it was not traced. */
  readonly traceId: string | null;
}

/** All annotations of one run, one for each output. */
export interface EvaluatorOutcome {
  readonly evaluations: readonly Evaluation[];
  /** Set when another attempt may succeed (a rate limit, a time-out, a connection, a 5xx of the model). */
  readonly retry: { readonly afterMs: number | undefined; readonly reason: string } | null;
  /** Receipt of the trace. Null when nothing was traced. */
  readonly receipt: Receipt | null;
  /** Calls and tokens of the model, for budgets. */
  readonly usage: { readonly callCount: number; readonly promptTokens: number; readonly completionTokens: number };
}
