import type { ExactJson, ExactJsonObject } from '../../../base/exact-json.ts';
import { SpandrelError } from '../../../model/errors.ts';
import type { PromptContent } from '../../../model/prompts/prompt.ts';
import {
  type AnthropicParameters,
  anthropicProblem,
  familyOf,
  type InvocationParameters,
  type ModelProvider,
  THINKING_BUDGET_TOKENS_MIN,
} from '../../../model/prompts/prompt-parameters.ts';
import type { ChatTemplate, ContentPart, MessageRole, TemplateFormat } from '../../../model/prompts/prompt-template.ts';
import type { PromptTool, PromptTools, ResponseFormat, ToolChoice } from '../../../model/prompts/prompt-tools.ts';
import { rowIdOf } from '../../contract/global-id.ts';
import { reject } from '../arguments.ts';

/**
 * `ChatPromptVersionInput` after GraphQL's validation. A variable of a `@oneOf` type may still have any number of
 * fields.
 */
export interface ChatPromptVersionInput {
  readonly description?: string | null;
  readonly templateFormat: TemplateFormat;
  readonly template: ChatTemplateInput;
  readonly invocationParameters: OneOf;
  readonly tools?: ToolsInput | null;
  readonly responseFormat?: { readonly type: string; readonly jsonSchema: Fields } | null;
  readonly modelProvider: ModelProvider;
  readonly modelName: string;
  readonly customProviderId?: string | null;
}

export interface ChatTemplateInput {
  readonly messages: readonly { readonly role: string; readonly content: readonly OneOf[] }[];
}

interface ToolsInput {
  readonly tools: readonly OneOf[];
  readonly toolChoice?: OneOf | null;
  readonly disableParallelToolCalls?: boolean | null;
}

export type Fields = Readonly<Record<string, unknown>>;
type OneOf = Fields;

/** @throws {SpandrelError} `QUERY_INVALID`, `PROVIDER_NOT_FOUND` */
export function toContent(input: ChatPromptVersionInput): PromptContent {
  const { customProviderId } = input;
  return {
    description: input.description ?? null,
    modelProvider: input.modelProvider,
    modelName: input.modelName,
    template: toChatTemplate(input.template),
    templateFormat: input.templateFormat,
    invocationParameters: toParameters(input.invocationParameters, input.modelProvider),
    tools: input.tools ? toTools(input.tools) : null,
    responseFormat: input.responseFormat ? toResponseFormat(input.responseFormat) : null,
    customProviderId:
      typeof customProviderId === 'string'
        ? (rowIdOf('GenerativeModelCustomProvider', customProviderId) ?? unknownProvider(customProviderId))
        : null,
  };
}

/** @throws {SpandrelError} `QUERY_INVALID` */
export const toChatTemplate = ({ messages }: ChatTemplateInput): ChatTemplate => ({
  type: 'chat',
  messages: messages.map(({ role, content }) => {
    if (content.length === 0) reject('The content of a message must have at least one part');
    return { role: role.toLowerCase() as MessageRole, content: content.map(toPart) };
  }),
});

function toPart(input: OneOf): ContentPart {
  const [kind, value] = onlyField(input, 'ContentPartInput');
  switch (kind) {
    case 'text':
      return { type: 'text', text: value.text as string };
    case 'image':
      return { type: 'image', image: { url: value.url as string } };
    case 'toolCall': {
      const call = value.toolCall as { readonly name: string; readonly arguments: string };
      return {
        type: 'tool_call',
        tool_call_id: value.toolCallId as string,
        tool_call: { type: 'function', name: call.name, arguments: call.arguments },
      };
    }
    default:
      return { type: 'tool_result', tool_call_id: value.toolCallId as string, tool_result: open(value.result) };
  }
}

/** JSON text is parsed; other text stays unchanged. */
function open(result: unknown): ExactJson {
  if (typeof result !== 'string') return result as ExactJson;
  try {
    return JSON.parse(result) as ExactJson;
  } catch {
    return result;
  }
}

function toParameters(input: OneOf, provider: ModelProvider): InvocationParameters {
  const [family, fields] = onlyField(input, 'PromptInvocationParametersInput');
  const expected = familyOf(provider);
  if (family !== expected) {
    const what = `Invocation parameters variant '${family}' does not match model provider '${provider}'`;
    reject(`${what} (expected '${expected}').`);
  }
  const { thinking, outputConfig, thinkingConfig, ...rest } = fields;
  if (rest.extraBody) checkObject('extra_body', rest.extraBody);
  const parameters = {
    ...toSnakeCase(rest),
    ...(outputConfig ? { output_config: toSnakeCase(outputConfig as Fields) } : {}),
    ...(thinking ? { thinking: toThinking(thinking as OneOf) } : {}),
    ...(thinkingConfig ? { thinking_config: toSnakeCase(thinkingConfig as Fields) } : {}),
  };
  if (family === 'anthropic') {
    const problem = anthropicProblem(parameters as unknown as AnthropicParameters);
    if (problem !== undefined) reject(problem);
  }
  return { type: family, [family]: parameters } as unknown as InvocationParameters;
}

function toThinking(input: OneOf): object {
  const [type, fields] = onlyField(input, 'PromptAnthropicThinkingConfigInput');
  if (type === 'disabled') return { type };
  if (type === 'enabled' && (fields.budgetTokens as number) < THINKING_BUDGET_TOKENS_MIN) {
    reject(`The thinking budget must be at least ${THINKING_BUDGET_TOKENS_MIN} tokens.`);
  }
  return { type, ...toSnakeCase(fields) };
}

/** Omits null values, and converts enumeration values to lower case. */
const ENUMS = new Set(['reasoningEffort', 'effort', 'display', 'thinkingLevel']);
const toSnakeCase = (fields: Fields): Record<string, unknown> =>
  Object.fromEntries(
    present(fields).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      ENUMS.has(name) ? (value as string).toLowerCase() : value,
    ]),
  );

function toTools({ tools, toolChoice, disableParallelToolCalls: isSerial }: ToolsInput): PromptTools {
  if (tools.length === 0) reject('Tools must have at least one tool');
  return {
    type: 'tools',
    tools: tools.map(toTool),
    ...(toolChoice && { tool_choice: toChoice(toolChoice) }),
    ...(typeof isSerial === 'boolean' && { disable_parallel_tool_calls: isSerial }),
  };
}

function toTool(input: OneOf): PromptTool {
  const [kind, value] = onlyField(input, 'PromptToolInput');
  if (kind === 'raw') return { type: 'raw', raw: checkObject('raw', value) };
  if (value.parameters) checkObject('parameters', value.parameters);
  return { type: 'function', function: Object.fromEntries(present(value)) as unknown as FunctionOf };
}
type FunctionOf = Extract<PromptTool, { readonly type: 'function' }>['function'];

function toChoice(input: OneOf): ToolChoice {
  const [kind, value] = onlyField(input, 'PromptToolChoiceInput');
  if (kind === 'functionName') return { type: 'specific_function', function_name: value as unknown as string };
  return { type: kind === 'none' ? 'none' : kind === 'oneOrMore' ? 'one_or_more' : 'zero_or_more' };
}

function toResponseFormat({
  type,
  jsonSchema,
}: {
  readonly type: string;
  readonly jsonSchema: Fields;
}): ResponseFormat {
  if (type !== 'json_schema') reject("The type of a response format must be 'json_schema'");
  if (jsonSchema.schema) checkObject('schema', jsonSchema.schema);
  return { type: 'json_schema', json_schema: Object.fromEntries(present(jsonSchema)) as never };
}

/** @throws {SpandrelError} `QUERY_INVALID` */
export function checkObject(name: string, value: unknown): ExactJsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as ExactJsonObject;
  return reject(`${name} must be a JSON object`);
}

/** The only field of a `@oneOf` type, with its name. @throws {SpandrelError} `QUERY_INVALID` */
export function onlyField(input: OneOf, typeName: string): [string, Fields] {
  const [field, ...others] = present(input);
  if (!field || others.length > 0) reject(`Exactly one field of ${typeName} must be given`);
  return field as [string, Fields];
}

const present = (fields: Fields): [string, unknown][] =>
  Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);

const unknownProvider = (id: string): never => {
  throw new SpandrelError('PROVIDER_NOT_FOUND', `Custom provider with ID '${id}' not found`);
};
