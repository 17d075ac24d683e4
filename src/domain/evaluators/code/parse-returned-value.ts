import { type ExactJson, ExactNumber, isJsonObject } from '../../../base/exact-json.ts';
import { ownValue } from '../../../base/own-value.ts';
import type { OutputConfig } from '../../../model/evaluators/evaluator.ts';
import { failedResult, type OutputResult } from '../run/evaluator-result.ts';

/** The parts of a result that code may return. `hasFlag`: the score was true or false. */
interface Returned {
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
}

/** What is wrong with a returned value. */
class ReturnedProblem extends Error {}

/**
 * Results of the outputs from the value that `evaluate` returned. With several outputs, an object with all of their names
 * as keys gives each its own value, and maybe one explanation for all; any other value is that of every output.
 */
export function parseReturnedValue(value: ExactJson, outputConfigs: readonly OutputConfig[]): OutputResult[] {
  const isRouted =
    outputConfigs.length > 1 && isJsonObject(value) && outputConfigs.every(({ name }) => Object.hasOwn(value, name));
  return outputConfigs.map((config) => {
    try {
      if (!isRouted) return toResult(parseValue(value), config);
      const names = new Set([...outputConfigs.map(({ name }) => name), 'explanation']);
      const extra = Object.keys(value).find((key) => !names.has(key));
      if (extra !== undefined) return failedResult(`evaluate returned the unknown key '${extra}'`);
      const own = parseValue(ownValue(value, config.name) ?? null);
      const shared = names.size > outputConfigs.length ? readText(value, 'explanation') : null;
      return toResult({ ...own, explanation: own.explanation ?? shared }, config);
    } catch (error) {
      if (!(error instanceof ReturnedProblem)) throw error;
      return failedResult(error.message);
    }
  });
}

const KEYS = new Set(['label', 'score', 'explanation']);

function parseValue(value: ExactJson): Returned {
  const nothing = { label: null, score: null, explanation: null };
  if (value === null) return nothing;
  if (typeof value === 'string') return { ...nothing, label: value };
  if (typeof value === 'boolean') return { ...nothing, label: toLabel(value) };
  if (typeof value === 'number' || value instanceof ExactNumber) return { ...nothing, score: Number(value) };
  if (!isJsonObject(value)) return problem('evaluate returned a list; return an object, a text, a number or a boolean');
  const unknown = Object.keys(value).find((key) => !KEYS.has(key));
  if (unknown !== undefined) {
    return problem(
      `evaluate returned the unknown key '${unknown.slice(0, 100)}'; only label, score and explanation are read`,
    );
  }
  const label = ownValue(value, 'label') ?? null;
  if (label !== null && typeof label !== 'string' && typeof label !== 'boolean') {
    return problem('The label that evaluate returned must be a string');
  }
  const score = ownValue(value, 'score') ?? null;
  if (score !== null && typeof score !== 'number' && !(score instanceof ExactNumber)) {
    return problem('The score that evaluate returned must be a number');
  }
  return {
    label: typeof label === 'boolean' ? toLabel(label) : label,
    score: score === null ? null : Number(score),
    explanation: readText(value, 'explanation'),
  };
}

const toLabel = (value: boolean): string => (value ? 'True' : 'False');

function readText(value: ExactJson, key: string): string | null {
  const text = isJsonObject(value) ? (ownValue(value, key) ?? null) : null;
  return text === null || typeof text === 'string'
    ? text
    : problem(`The ${key} that evaluate returned must be a string`);
}

function toResult(returned: Returned, config: OutputConfig): OutputResult {
  const result = { ...returned, error: null };
  if (config.type === 'FREEFORM') return result;
  return config.type === 'CATEGORICAL' ? toCategorical(result, config) : toContinuous(result, config);
}

function toCategorical(result: OutputResult, { name, values }: OutputConfig & { type: 'CATEGORICAL' }): OutputResult {
  const { label, score } = result;
  if (label === null) return problem(`The output '${name}' needs a label`);
  const value = values.find((one) => one.label === label);
  if (!value) {
    const labels = values.map((one) => `'${one.label}'`).join(', ');
    return problem(`The label '${label.slice(0, 100)}' is not one of the output '${name}': ${labels}`);
  }
  if (value.score !== null && score !== null && score !== value.score) {
    return problem(`The label '${label}' has the score ${value.score}, but evaluate returned ${score}`);
  }
  return { ...result, score: value.score ?? score };
}

function toContinuous(result: OutputResult, config: OutputConfig & { type: 'CONTINUOUS' }): OutputResult {
  const { name, lowerBound, upperBound } = config;
  const { score } = result;
  if (score === null || !Number.isFinite(score)) return problem(`The output '${name}' needs a number as its score`);
  if (lowerBound !== null && score < lowerBound) {
    return problem(`The score ${score} of the output '${name}' is below ${lowerBound}, its lower bound`);
  }
  if (upperBound !== null && score > upperBound) {
    return problem(`The score ${score} of the output '${name}' is above ${upperBound}, its upper bound`);
  }
  return result;
}

function problem(message: string): never {
  throw new ReturnedProblem(message);
}
