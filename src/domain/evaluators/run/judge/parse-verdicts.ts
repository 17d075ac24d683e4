import { type ExactJsonObject, isJsonObject, JsonDepthError, JsonSyntaxError } from '../../../../base/exact-json.ts';
import { parseExactJson } from '../../../../base/parse-exact-json.ts';
import type { OutputConfig } from '../../../../model/evaluators/evaluator.ts';
import { EXPLAINED_CHARS_MAX } from '../../../../model/limits/evaluators.ts';
import { BODY_JSON_DEPTH_MAX } from '../../../../model/limits/reads.ts';
import type { ChatToolCall } from '../../../../llm/contract/chat-model.ts';
import { failedResult, type OutputResult } from '../evaluator-result.ts';

/**
 * Reads the label and explanation of each output from the model's calls of the function with its name. Only these calls
 * count: text of the model, and calls of other functions, cannot give a label. Of several calls the first counts.
 */
export function parseVerdicts(toolCalls: readonly ChatToolCall[], configs: readonly OutputConfig[]): OutputResult[] {
  return configs.map((config) => {
    const call = toolCalls.find(({ name }) => name === config.name);
    return call ? parseVerdict(call, config) : failedResult(`The model did not call the function ${show(config.name)}`);
  });
}

function parseVerdict(call: ChatToolCall, config: OutputConfig): OutputResult {
  const named = `the call of the function ${show(config.name)}`;
  const values = parseArguments(call.arguments);
  if (!values) return failedResult(`The arguments in ${named} are not a JSON object`);
  const { label, explanation } = values;
  if (label === undefined || label === null) return failedResult(`There is no label in ${named}`);
  if (typeof label !== 'string') return failedResult(`The label in ${named} is not a string`);
  const choices = config.type === 'CATEGORICAL' ? config.values : [];
  const choice = choices.find((value) => value.label === label);
  if (!choice) {
    const expected = choices.map((value) => show(value.label)).join(', ');
    return failedResult(`The label in ${named} must be one of ${cut(expected)}, received ${show(label)}`);
  }
  return {
    label,
    score: choice.score,
    explanation: typeof explanation === 'string' ? explanation : null,
    error: null,
  };
}

function parseArguments(text: string): ExactJsonObject | undefined {
  try {
    const value = parseExactJson(text, { depthMax: BODY_JSON_DEPTH_MAX });
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof JsonDepthError) return undefined;
    throw error;
  }
}

const cut = (text: string): string =>
  text.length > EXPLAINED_CHARS_MAX ? `${text.slice(0, EXPLAINED_CHARS_MAX)}…` : text;

const show = (text: string): string => `'${cut(text)}'`;
