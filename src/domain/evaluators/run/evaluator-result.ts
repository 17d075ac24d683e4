import type { ExactJson, ExactJsonObject } from '../../../base/exact-json.ts';
import { isJsonObject, newJsonObject, toExactJsonText } from '../../../base/exact-json.ts';
import { expectPresent } from '../../../base/expect-present.ts';
import type { OutputConfig } from '../../../model/evaluators/evaluator.ts';
import { EVALUATION_METADATA_CHARS_MAX, EVALUATION_METADATA_TEXT_CHARS_MAX } from '../../../model/limits/evaluators.ts';
import type { BuiltInFinding } from './built-in/run-built-in.ts';

/** Result of an evaluator for one of its outputs. */
export interface OutputResult {
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
  readonly error: string | null;
}

/** Results of an evaluation, one per output, with the metadata of all. */
export interface KindResult {
  readonly results: readonly OutputResult[];
  readonly metadata: ExactJsonObject;
}

export const failedResult = (error: string): OutputResult => ({ label: null, score: null, explanation: null, error });

/** Expresses what a built-in evaluator finds by an output: a match has its first label, anything else its second. */
export function toOutputResult(finding: BuiltInFinding, config: OutputConfig): OutputResult {
  const { explanation } = finding;
  if ('distance' in finding) return { label: null, score: finding.distance, explanation, error: null };
  if (config.type !== 'CATEGORICAL') {
    return { label: null, score: finding.isMatch ? 1 : 0, explanation, error: null };
  }
  const value = expectPresent(config.values[finding.isMatch ? 0 : 1], 'a match and its opposite have labels');
  return { label: value.label, score: value.score, explanation, error: null };
}

/** Inputs as the metadata of an evaluation repeats them. Long texts are cut when the inputs are long. */
export function toMetadata(inputs: ExactJsonObject): ExactJsonObject {
  if (toExactJsonText(inputs).length <= EVALUATION_METADATA_CHARS_MAX) return inputs;
  const metadata = newJsonObject();
  for (const [input, value] of Object.entries(inputs)) metadata[input] = shorten(value);
  return metadata;
}

/** A list or object that is long becomes the start of its JSON. */
function shorten(value: ExactJson): ExactJson {
  const isNested = Array.isArray(value) || isJsonObject(value);
  const text = isNested ? toExactJsonText(value) : value;
  if (typeof text !== 'string' || text.length <= EVALUATION_METADATA_TEXT_CHARS_MAX) return value;
  return `${text.slice(0, EVALUATION_METADATA_TEXT_CHARS_MAX)}…`;
}
