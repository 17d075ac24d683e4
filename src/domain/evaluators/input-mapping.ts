import {
  type ExactJson,
  type ExactJsonObject,
  isJsonObject,
  newJsonObject,
  toExactJsonText,
} from '../../base/exact-json.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { InputMapping } from '../../model/evaluators/evaluator.ts';
import { parseMappingPath, valuesAt } from '../../model/evaluators/mapping-path.ts';
import { MAPPED_INPUT_COUNT_MAX, MAPPING_LITERAL_CHARS_MAX } from '../../model/limits/datasets.ts';
import { checkJsonObject } from '../datasets/json-object.ts';

export const NO_MAPPING: InputMapping = { paths: {}, literals: {} };

/** Validates a received mapping. @throws {SpandrelError} `EVALUATOR_INVALID`, `QUERY_INVALID` */
export function checkMapping(given: { readonly pathMapping: unknown; readonly literalMapping: unknown }): InputMapping {
  const paths = checkJsonObject('pathMapping', given.pathMapping);
  const literals = checkJsonObject('literalMapping', given.literalMapping);
  for (const [what, mapping] of [
    ['pathMapping', paths],
    ['literalMapping', literals],
  ] as const) {
    const inputs = Object.keys(mapping);
    if (inputs.length > MAPPED_INPUT_COUNT_MAX) {
      invalid(`${what} names ${inputs.length} inputs; the maximum is ${MAPPED_INPUT_COUNT_MAX}`);
    }
    if (inputs.includes('')) invalid(`${what} has an input without a name`);
  }
  if (toExactJsonText(literals).length > MAPPING_LITERAL_CHARS_MAX) {
    invalid(`literalMapping has more than ${MAPPING_LITERAL_CHARS_MAX} characters of JSON`);
  }
  for (const [input, path] of Object.entries(paths)) {
    if (typeof path !== 'string') {
      return invalid(`The path of the input '${input}' must be a string, received ${kindOf(path)}`);
    }
    const steps = parseMappingPath(path);
    if ('problem' in steps) invalid(`The path of the input '${input}' cannot be read: ${steps.problem}`);
  }
  return { paths: paths as Readonly<Record<string, string>>, literals };
}

/**
 * Maps a context to inputs: the values of the paths (a list for several values), then the literals, then the values of the
 * context under other names.
 *
 * @throws {SpandrelError} `EVALUATOR_INVALID` when a path does not lead to a value
 */
export function mapInputs({ paths, literals }: InputMapping, context: ExactJsonObject): ExactJsonObject {
  const inputs = newJsonObject();
  const put = (given: ExactJsonObject) => {
    for (const [key, value] of Object.entries(given)) inputs[key] = value;
  };
  put(context);
  for (const [input, path] of Object.entries(paths)) {
    const steps = parseMappingPath(path);
    const [value, ...others] = 'problem' in steps ? invalid(steps.problem) : valuesAt(context, steps);
    if (value === undefined) return invalid(`The path ${path} of the input '${input}' does not lead to a value`);
    inputs[input] = others.length === 0 ? value : [value, ...others];
  }
  put(literals);
  return inputs;
}

const kindOf = (value: ExactJson): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : isJsonObject(value) ? 'an object' : `a ${typeof value}`;

export function invalid(message: string): never {
  throw new SpandrelError('EVALUATOR_INVALID', message);
}
