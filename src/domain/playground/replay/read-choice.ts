import type { ExactJson, ExactJsonObject } from '../../../base/exact-json.ts';
import type { ResponseFormat, ToolChoice } from '../../../model/prompts/prompt-tools.ts';
import { isJsonObject } from '../../../model/spans/nested-attributes.ts';
import { attributeAt, textAt } from './attribute-at.ts';

const CHOICES: Readonly<Record<string, ToolChoice>> = {
  none: { type: 'none' },
  auto: { type: 'zero_or_more' },
  any: { type: 'one_or_more' },
  required: { type: 'one_or_more' },
};

const choiceOf = (word: string): ToolChoice | undefined =>
  Object.hasOwn(CHOICES, word.toLowerCase()) ? CHOICES[word.toLowerCase()] : undefined;

/** The tool choice in the parameters of a call, in the form of any vendor. Undefined when there is none. */
export function readToolChoice(parameters: ExactJsonObject): ToolChoice | undefined {
  const google = attributeAt(parameters, 'toolConfig.functionCallingConfig');
  if (isJsonObject(google)) {
    const names = google.allowedFunctionNames;
    const [name] = Array.isArray(names) ? names : [];
    if (typeof name === 'string') return { type: 'specific_function', function_name: name };
    return choiceOf(textAt(google, 'mode') ?? '');
  }
  const given = parameters.tool_choice ?? attributeAt(parameters, 'toolConfig.toolChoice');
  if (typeof given === 'string') return choiceOf(given);
  if (!isJsonObject(given)) return undefined;
  // OpenAI's two APIs, Anthropic, Bedrock.
  const name = textAt(given, 'function.name') ?? textAt(given, 'name') ?? textAt(given, 'tool.name');
  if (name !== undefined) return { type: 'specific_function', function_name: name };
  return choiceOf(textAt(given, 'type') ?? Object.keys(given)[0] ?? '');
}

export const isSerial = (parameters: ExactJsonObject): boolean =>
  parameters.parallel_tool_calls === false || attributeAt(parameters, 'tool_choice.disable_parallel_tool_use') === true;

/** The response format in the parameters of a call. Null when there is none; undefined when it cannot be read. */
export function readResponseFormat(parameters: ExactJsonObject): ResponseFormat | null | undefined {
  const openai = parameters.response_format ?? attributeAt(parameters, 'text.format');
  if (isJsonObject(openai)) {
    // Text, and JSON without a schema, need no format in a prompt.
    if (openai.type !== 'json_schema')
      return openai.type === 'text' || openai.type === 'json_object' ? null : undefined;
    return toFormat(isJsonObject(openai.json_schema) ? openai.json_schema : openai);
  }
  const anthropic =
    attributeAt(parameters, 'output_config.format') ?? attributeAt(parameters, 'outputConfig.textFormat');
  if (isJsonObject(anthropic)) return toFormat(bedrockSchema(anthropic) ?? anthropic);
  const google = ['generationConfig.responseJsonSchema', 'generationConfig.responseSchema', 'responseJsonSchema'];
  const schema = google.map((path) => attributeAt(parameters, path)).find((value) => value !== undefined);
  if (schema !== undefined) return toFormat({ schema });
  return openai === undefined || openai === null ? null : undefined;
}

/** Bedrock has the schema as text in a structure. */
function bedrockSchema(format: ExactJsonObject): ExactJsonObject | undefined {
  const schema = attributeAt(format, 'structure.jsonSchema') ?? attributeAt(format, 'jsonSchema');
  return isJsonObject(schema) ? schema : undefined;
}

function toFormat(from: ExactJsonObject): ResponseFormat | undefined {
  const schema: ExactJson | undefined = typeof from.schema === 'string' ? undefined : from.schema;
  if (schema !== undefined && !isJsonObject(schema)) return undefined;
  const description = textAt(from, 'description');
  return {
    type: 'json_schema',
    json_schema: {
      name: textAt(from, 'name') ?? 'response',
      ...(description !== undefined && { description }),
      ...(schema && { schema }),
      ...(typeof from.strict === 'boolean' && { strict: from.strict }),
    },
  };
}
