import { ArgumentError } from '../http/errors.ts';
import type { EvaluationResult, EvaluatorKind } from './experiment-types.ts';

/** What an evaluator is given: copies, which it may change. A type, so that evaluators of any record take it. */
export type EvaluatorInput = {
  readonly input: Record<string, unknown>;
  readonly output: unknown;
  /** Output of the example. */
  readonly expected: Record<string, unknown> | null;
  readonly metadata: Record<string, unknown>;
  /** Trace of the task. */
  readonly traceId: string | null;
};

/** An evaluator of runs. Its result may also be a score, a boolean, a label, or nothing but an error. */
export interface ExperimentEvaluator {
  readonly name: string;
  readonly kind: EvaluatorKind;
  readonly evaluate: (input: EvaluatorInput) => unknown;
}

/** An evaluator as the evaluation library makes them. */
interface LibraryEvaluator {
  readonly name: string;
  readonly kind?: string;
  readonly evaluate: (example: never) => unknown;
}

/** What functions that run evaluators take: one, a list, or functions by their name. */
export type EvaluatorsInput =
  | ExperimentEvaluator
  | ((input: EvaluatorInput) => unknown)
  | readonly (ExperimentEvaluator | ((input: EvaluatorInput) => unknown))[]
  | Readonly<Record<string, (input: EvaluatorInput) => unknown>>;

/** An evaluator with a name. `evaluate` may be asynchronous. */
export function asExperimentEvaluator({ name, kind, evaluate }: ExperimentEvaluator): ExperimentEvaluator {
  if (!name.trim()) throw new ArgumentError('An evaluator needs a name.');
  return { name, kind, evaluate };
}

/** @deprecated Use `asExperimentEvaluator`. */
export const asEvaluator = asExperimentEvaluator;

/** An evaluator of the evaluation library as one of experiments: it gets input, output, expected and metadata by name. */
export function fromLLMEvaluator(evaluator: LibraryEvaluator): ExperimentEvaluator {
  return {
    name: evaluator.name,
    kind: evaluator.kind === 'CODE' ? 'CODE' : 'LLM',
    evaluate: (input) => evaluator.evaluate(input as never),
  };
}

/** The name that other clients have for `fromLLMEvaluator`. */
export const fromPhoenixLLMEvaluator = fromLLMEvaluator;

/**
 * Evaluators with unique names. Of two with one name the last one stays.
 *
 * @throws {ArgumentError} for a function without a name
 */
export function getExperimentEvaluators(evaluators: EvaluatorsInput): ExperimentEvaluator[] {
  const named = new Map<string, ExperimentEvaluator>();
  for (const evaluator of toList(evaluators)) named.set(evaluator.name, evaluator);
  return [...named.values()];
}

function toList(evaluators: EvaluatorsInput): ExperimentEvaluator[] {
  if (typeof evaluators === 'function') return [toEvaluator(evaluators)];
  if (Array.isArray(evaluators)) return evaluators.map(toEvaluator);
  if ('evaluate' in evaluators && 'name' in evaluators) return [toEvaluator(evaluators as ExperimentEvaluator)];
  return Object.entries(evaluators).map(
    ([name, evaluate]) => ({ name, kind: 'CODE', evaluate }) as ExperimentEvaluator,
  );
}

function toEvaluator(evaluator: ExperimentEvaluator | ((input: EvaluatorInput) => unknown)): ExperimentEvaluator {
  if (typeof evaluator !== 'function') {
    // Not copied, because `evaluate` may use other fields of its object.
    const { name, kind } = evaluator;
    if (!name?.trim()) throw new ArgumentError('An evaluator needs a name.');
    return { name, kind: kind === 'LLM' ? 'LLM' : 'CODE', evaluate: (input) => evaluator.evaluate(input) };
  }
  if (!evaluator.name)
    throw new ArgumentError('An evaluator that is a function without a name needs one: { name, kind, evaluate }.');
  return { name: evaluator.name, kind: 'CODE', evaluate: evaluator };
}

/** A text of more words is an explanation and not a label. */
const LABEL_WORDS_MAX = 3;

/**
 * What an evaluator returned as a result, by the table of the evaluation libraries: a boolean is a score of 1 or 0 with a label, a
 * number a score, a text of up to three words a label and a longer one an explanation; a list combines its items.
 *
 * @throws {ArgumentError} when it says nothing
 */
export function toEvaluationResult(value: unknown): EvaluationResult {
  if (typeof value === 'boolean') return { score: value ? 1 : 0, label: value ? 'True' : 'False' };
  if (typeof value === 'number') return { score: checkScore(value) };
  if (typeof value === 'string') return ofText(value);
  if (Array.isArray(value) && value.length > 0) return Object.assign({}, ...value.map(toEvaluationResult));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ArgumentError(
      `An evaluator returns { score, label, explanation }, a number, a boolean or a text, and not ${describe(value)}.`,
    );
  }
  const { score, label, explanation, metadata } = value as Record<string, unknown>;
  const result: EvaluationResult = {
    ...(score !== undefined && score !== null && { score: ofScore(score) }),
    ...(label !== undefined && label !== null && { label: String(label) }),
    ...(explanation !== undefined && explanation !== null && { explanation: String(explanation) }),
  };
  if (Object.keys(result).length === 0)
    throw new ArgumentError('The result of an evaluator has neither score, label nor explanation.');
  return typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)
    ? { ...result, metadata: metadata as Record<string, unknown> }
    : result;
}

const ofText = (text: string): EvaluationResult =>
  text.trim().split(/\s+/).length <= LABEL_WORDS_MAX ? { label: text } : { explanation: text };

function ofScore(score: unknown): number {
  if (typeof score === 'boolean') return score ? 1 : 0;
  if (typeof score === 'number') return checkScore(score);
  throw new ArgumentError(`A score must be a number, and is ${describe(score)}.`);
}

function checkScore(score: number): number {
  if (!Number.isFinite(score)) throw new ArgumentError(`A score must be a finite number, and is ${score}.`);
  return score;
}

const describe = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an empty list' : typeof value;
