import { isJsonObject } from '../../base/exact-json.ts';
import { expectPresent } from '../../base/expect-present.ts';
import type { OutputConfig } from '../../model/evaluators/evaluator.ts';
import type { PromptContent } from '../../model/prompts/prompt.ts';
import type { FunctionDefinition, PromptTools } from '../../model/prompts/prompt-tools.ts';
import { invalid } from './input-mapping.ts';

/**
 * Checks that the output of a model can only be what the configs define: the prompt has a function for each of them and
 * forces a call. Each violation has its own text.
 *
 * @throws {SpandrelError} `EVALUATOR_INVALID`
 */
export function checkLlmPrompt(
  { tools, responseFormat }: Pick<PromptContent, 'tools' | 'responseFormat'>,
  configs: readonly OutputConfig[],
  description: string | null,
): void {
  if (responseFormat) invalid('The prompt of an evaluator must not have a response format');
  if (!tools) invalid(`The prompt of an evaluator needs a function for each output config, but it has no tools`);
  const functions = functionsOf(tools, configs);
  checkChoice(tools, [...functions.keys()]);
  for (const config of configs)
    checkParameters(expectPresent(functions.get(config.name), 'each output config has its function'), config);
  const [only, ...others] = functions.values();
  // The model reads the description of the function, users read that of the evaluator. Several functions each have their own.
  if (only && others.length === 0 && (only.description || null) !== (description || null)) {
    const [expected, received] = [show(description), show(only.description)];
    invalid(`Evaluator description must match the function description: expected ${expected}, received ${received}`);
  }
}

/** Functions of the tools by name, one per config. */
function functionsOf({ tools }: PromptTools, configs: readonly OutputConfig[]): Map<string, FunctionDefinition> {
  if (tools.length !== configs.length) {
    invalid(
      `The prompt of an evaluator needs one tool for each output config: expected ${configs.length}, received ${tools.length}`,
    );
  }
  const functions = new Map<string, FunctionDefinition>();
  for (const tool of tools) {
    if (tool.type === 'raw') invalid('The tools of an evaluator must be functions, but one is a raw tool');
    const { name } = tool.function;
    if (functions.has(name))
      invalid(`The functions of an evaluator must have different names, but ${show(name)} occurs twice`);
    if (!configs.some((config) => config.name === name)) {
      const names = configs.map((config) => show(config.name)).join(', ');
      invalid(`The name of a function must be that of an output config: expected ${names}, received ${show(name)}`);
    }
    functions.set(name, tool.function);
  }
  return functions;
}

function checkChoice({ tool_choice: choice }: PromptTools, names: readonly string[]): void {
  if (choice?.type === 'one_or_more') return;
  if (choice?.type !== 'specific_function') {
    const received = choice ? show(choice.type) : 'none';
    invalid(
      `The tool choice of an evaluator must force a call: expected one or more, or a function, received ${received}`,
    );
  }
  if (!names.includes(choice.function_name)) {
    const expected = names.map(show).join(', ');
    invalid(
      `The tool choice must name a function of the evaluator: expected ${expected}, received ${show(choice.function_name)}`,
    );
  }
  if (names.length > 1) {
    invalid(
      `The tool choice must let all ${names.length} functions be called: expected one or more, received only ${show(choice.function_name)}`,
    );
  }
}

function checkParameters({ name, parameters }: FunctionDefinition, config: OutputConfig): void {
  const of = `of the function ${show(name)}`;
  const properties = parameters?.properties;
  if (parameters?.type !== 'object' || !isJsonObject(properties)) {
    invalid(`The parameters ${of} must be an object with properties`);
  }
  const { label, explanation, ...others } = properties;
  const [other] = Object.keys(others);
  if (other !== undefined) invalid(`The parameters ${of} must be label and explanation, received ${show(other)}`);
  if (!isJsonObject(label) || label.type !== 'string') {
    invalid(`The parameters ${of} must have a property label of the type string`);
  }
  if (label.description !== config.name) {
    const received = show(label.description);
    invalid(
      `The description of the label ${of} must be the name of its output config: expected ${show(config.name)}, received ${received}`,
    );
  }
  const expected = config.type === 'CATEGORICAL' ? config.values.map((value) => value.label) : [];
  if (!Array.isArray(label.enum) || !isSameSet(label.enum, expected)) {
    const received = show(label.enum);
    invalid(
      `The label ${of} must be an enum of the labels of its output config: expected ${show(expected)}, received ${received}`,
    );
  }
  if (explanation !== undefined && !(isJsonObject(explanation) && explanation.type === 'string')) {
    invalid(`The explanation ${of} must be of the type string`);
  }
  const { required } = parameters;
  if (!Array.isArray(required) || !required.includes('label')) {
    invalid(`The parameters ${of} must require the label, received ${show(required)}`);
  }
}

/** The order of choices in a schema has no meaning. */
const isSameSet = (given: readonly unknown[], expected: readonly string[]): boolean =>
  given.length === expected.length &&
  new Set(given).size === given.length &&
  given.every((one) => expected.includes(one as string));

const SHOWN_CHARS_MAX = 500;
const show = (value: unknown): string =>
  value === undefined || value === null ? 'none' : JSON.stringify(value).slice(0, SHOWN_CHARS_MAX);
