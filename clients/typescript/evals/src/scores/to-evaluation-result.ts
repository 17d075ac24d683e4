import { ArgumentError, describeType } from '../errors.ts';
import type { EvaluationResult } from './score.ts';

/** A text of more words is an explanation and not a label. */
const LABEL_WORDS_MAX = 3;

/**
 * The result that a returned value means, by one table for Python, TypeScript and experiments: a boolean is a score of 1 or 0
 * with the label `True` or `False`, a number a score, a text of up to three words a label, a longer one an explanation; an
 * object has `score`, `label`, `explanation` and `metadata`; a list combines its items, of which later ones win.
 *
 * @throws {ArgumentError} for anything else, and for a score that is not finite
 */
export function toEvaluationResult(value: unknown): EvaluationResult {
  if (typeof value === 'boolean') return { score: value ? 1 : 0, label: value ? 'True' : 'False' };
  if (typeof value === 'number') return { score: checkScore(value) };
  if (typeof value === 'bigint') return { score: checkScore(Number(value)) };
  if (typeof value === 'string') return ofText(value);
  if (Array.isArray(value) && value.length > 0) {
    return Object.assign({}, ...value.map((item) => toEvaluationResult(item)));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ArgumentError(
      `An evaluator returns a number, a boolean, a text or { score, label, explanation }, and not ${Array.isArray(value) ? 'an empty list' : describeType(value)}.`,
    );
  }
  return ofObject(value as Record<string, unknown>);
}

function ofText(text: string): EvaluationResult {
  const words = text.trim().split(/\s+/);
  return words.length <= LABEL_WORDS_MAX ? { label: text } : { explanation: text };
}

function ofObject({ score, label, explanation, metadata }: Record<string, unknown>): EvaluationResult {
  const result: EvaluationResult = {
    ...(score !== undefined && score !== null && { score: ofScore(score) }),
    ...(label !== undefined && label !== null && { label: String(label) }),
    ...(explanation !== undefined && explanation !== null && { explanation: String(explanation) }),
  };
  if (Object.keys(result).length === 0) {
    throw new ArgumentError(
      'The result of an evaluator needs a score, a label or an explanation, and has none of them.',
    );
  }
  return typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)
    ? { ...result, metadata: metadata as Record<string, unknown> }
    : result;
}

function ofScore(score: unknown): number {
  if (typeof score === 'boolean') return score ? 1 : 0;
  if (typeof score === 'number') return checkScore(score);
  throw new ArgumentError(`A score is a number, and not ${describeType(score)}.`);
}

function checkScore(score: number): number {
  if (!Number.isFinite(score)) throw new ArgumentError(`A score is a finite number, and not ${score}.`);
  return score;
}
