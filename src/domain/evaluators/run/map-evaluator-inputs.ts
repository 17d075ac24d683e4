import {
  type ExactJson,
  type ExactJsonObject,
  isJsonObject,
  newJsonObject,
  toExactJsonText,
} from '../../../base/exact-json.ts';
import { ownValue } from '../../../base/own-value.ts';
import type { InputMapping } from '../../../model/evaluators/evaluator.ts';
import { parseMappingPath, valuesAt } from '../../../model/evaluators/mapping-path.ts';
import { invalid } from '../input-mapping.ts';
import { type EvaluationRun, runStep } from './evaluator-step.ts';

/**
 * Maps the context of an evaluation to inputs that fit a schema of this program, in a span.
 *
 * @throws {SpandrelError} `EVALUATOR_INVALID`
 */
export const mapEvaluatorInputs = (
  run: EvaluationRun,
  { paths, literals }: InputMapping,
  schema: ExactJsonObject,
): Promise<ExactJsonObject> =>
  runStep(
    run,
    // The root span has the context, which may be long.
    { name: 'Input Mapping', kind: 'CHAIN', input: { path_mapping: { ...paths }, literal_mapping: literals } },
    () => {
      const inputs = convertTexts(gatherInputs({ paths, literals }, run.context, fieldsOf(schema)), schema);
      checkInputs(inputs, schema);
      return inputs;
    },
    (inputs) => inputs,
  );

/**
 * Gathers the inputs of an evaluator: the values of the paths (a list for several values), then the literals, then values of
 * the context that have the name of an input without either.
 *
 * @param fields Names of the inputs.
 * @throws {SpandrelError} `EVALUATOR_INVALID` when a path does not lead to a value
 */
export function gatherInputs(
  { paths, literals }: InputMapping,
  context: ExactJsonObject,
  fields: readonly string[],
): ExactJsonObject {
  const inputs = newJsonObject();
  for (const [input, path] of Object.entries(paths)) {
    const steps = parseMappingPath(path);
    if ('problem' in steps) return invalid(`The path of the input '${input}' cannot be read: ${steps.problem}`);
    const [value, ...others] = valuesAt(context, steps);
    if (value === undefined) invalid(`JSONPath expression '${path}' for key '${input}' did not match any values`);
    inputs[input] = others.length === 0 ? value : [value, ...others];
  }
  for (const [input, value] of Object.entries(literals)) inputs[input] = value;
  for (const field of fields) {
    const value = Object.hasOwn(inputs, field) ? undefined : ownValue(context, field);
    if (value !== undefined) inputs[field] = value;
  }
  return inputs;
}

/** Names of the inputs of a schema. */
export const fieldsOf = (schema: ExactJsonObject): string[] =>
  isJsonObject(schema.properties) ? Object.keys(schema.properties) : [];

/** Converts inputs that the schema declares as texts to text: other values become their JSON. */
function convertTexts(inputs: ExactJsonObject, schema: ExactJsonObject): ExactJsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : newJsonObject();
  const converted = newJsonObject();
  for (const [input, value] of Object.entries(inputs)) {
    const property = ownValue(properties, input);
    const isText = isJsonObject(property) && property.type === 'string';
    converted[input] = isText && typeof value !== 'string' ? toExactJsonText(value) : value;
  }
  return converted;
}

/**
 * Checks inputs by a schema that this program has made: required inputs and the types of inputs.
 *
 * @throws {SpandrelError} `EVALUATOR_INVALID`
 */
function checkInputs(inputs: ExactJsonObject, schema: ExactJsonObject): void {
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const input of required) {
    if (!Object.hasOwn(inputs, String(input))) failed(`'${input}' is a required property`);
  }
  const properties = isJsonObject(schema.properties) ? schema.properties : newJsonObject();
  for (const [input, property] of Object.entries(properties)) {
    const value = ownValue(inputs, input);
    if (value === undefined || !isJsonObject(property) || typeof property.type !== 'string') continue;
    if (typeof value !== property.type) failed(`'${input}' is not of type '${property.type}', but ${kindOf(value)}`);
  }
}

const failed = (problem: string): never => invalid(`Input validation failed: ${problem}`);

const kindOf = (value: ExactJson): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : isJsonObject(value) ? 'an object' : `a ${typeof value}`;
