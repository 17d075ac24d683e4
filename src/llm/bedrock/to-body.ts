import { type ExactJson, type ExactJsonObject, isJsonObject, toExactJsonText } from '../../base/exact-json.ts';
import type { AwsParameters } from '../../model/prompts/prompt-parameters.ts';
import type { FunctionDefinition, PromptTools, ResponseFormat, ToolChoice } from '../../model/prompts/prompt-tools.ts';
import type { ChatMessage, ChatPart, ChatRequest } from '../contract/chat-model.ts';
import { ModelError } from '../contract/model-error.ts';
import { parseDataUrl } from '../data-url.ts';
import { toArgumentsObject } from '../tool-arguments.ts';

/** The body of a request. The model and whether the response is streamed are parts of its URL. */
export function toBody({ messages, parameters, responseFormat, tools }: ChatRequest): ExactJsonObject {
  const system = messages.filter(({ role }) => role === 'system').map(toText);
  const config = toInferenceConfig(parameters.type === 'aws' ? parameters.aws : {});
  return {
    messages: toMessages(messages),
    ...(system.length > 0 && { system: [{ text: system.join('\n') }] }),
    ...(Object.keys(config).length > 0 && { inferenceConfig: config }),
    ...toToolConfig(tools, messages),
    ...(responseFormat && { outputConfig: { textFormat: toTextFormat(responseFormat) } }),
  } as ExactJsonObject;
}

/** Results of parallel calls belong into one message. */
function toMessages(messages: readonly ChatMessage[]): ExactJson[] {
  const converted: { role: string; content: ExactJson[] }[] = [];
  let isAfterResult = false;
  for (const { role, parts } of messages) {
    if (role === 'system') continue;
    // The vendor rejects empty texts.
    const content = parts.filter((part) => part.type !== 'text' || part.text !== '').map(toBlock);
    const last = converted.at(-1);
    if (role === 'tool' && isAfterResult && last) last.content.push(...content);
    else converted.push({ role: role === 'assistant' ? 'assistant' : 'user', content });
    isAfterResult = role === 'tool';
  }
  return converted as unknown as ExactJson[];
}

function toBlock(part: ChatPart): ExactJson {
  switch (part.type) {
    case 'text':
      return { text: part.text };
    case 'image':
      return { image: toImage(part.url) };
    case 'toolCall': {
      const { id, name } = part.toolCall;
      return { toolUse: { toolUseId: id, name, input: toArgumentsObject(part.toolCall) } };
    }
    case 'toolResult': {
      const { result } = part;
      // The vendor's JSON is an object.
      const content: ExactJson = isJsonObject(result)
        ? { json: result }
        : { text: typeof result === 'string' ? result : toExactJsonText(result) };
      return { toolResult: { toolUseId: part.toolCallId, content: [content] } };
    }
  }
}

function toImage(url: string): ExactJson {
  const data = parseDataUrl(url);
  if (data) {
    const format = data.mediaType.replace(/^image\//, '').replace(/^jpg$/, 'jpeg');
    return { format, source: { bytes: data.base64 } };
  }
  if (url.startsWith('s3://')) {
    return {
      format: /\.(png|gif|webp)$/i.exec(url)?.[1]?.toLowerCase() ?? 'jpeg',
      source: { s3Location: { uri: url } },
    };
  }
  throw new ModelError('rejected', 'Bedrock reads images from data: and s3:// URLs only.');
}

const toText = ({ parts }: ChatMessage): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

function toInferenceConfig({ max_tokens, temperature, top_p, stop_sequences }: AwsParameters): object {
  return {
    ...(max_tokens !== undefined && { maxTokens: max_tokens }),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { topP: top_p }),
    ...(stop_sequences && { stopSequences: stop_sequences }),
  };
}

/**
 * The vendor has no choice "none", so it gets no tools then. It requires them when earlier messages have calls.
 */
function toToolConfig(tools: PromptTools | null, messages: readonly ChatMessage[]): object {
  if (tools === null) return {};
  const hasCalls = messages.some(({ parts }) => parts.some(({ type }) => type === 'toolCall' || type === 'toolResult'));
  if (tools.tool_choice?.type === 'none' && !hasCalls) return {};
  const toolChoice = tools.tool_choice && toChoice(tools.tool_choice);
  return {
    toolConfig: {
      tools: tools.tools.map((tool) => (tool.type === 'raw' ? tool.raw : { toolSpec: toToolSpec(tool.function) })),
      ...(toolChoice && { toolChoice }),
    },
  };
}

const toToolSpec = ({ name, description, parameters, strict }: FunctionDefinition): object => ({
  name,
  ...(description !== undefined && { description }),
  inputSchema: { json: parameters ?? { type: 'object', properties: {} } },
  ...(strict !== undefined && { strict }),
});

function toChoice(choice: ToolChoice): object | undefined {
  switch (choice.type) {
    case 'none':
      return undefined;
    case 'zero_or_more':
      return { auto: {} };
    case 'one_or_more':
      return { any: {} };
    case 'specific_function':
      return { tool: { name: choice.function_name } };
  }
}

/** The vendor takes the schema as text. */
function toTextFormat({ json_schema: { name, description, schema } }: ResponseFormat): object {
  const jsonSchema = {
    schema: toExactJsonText(schema ?? {}),
    name,
    ...(description !== undefined && { description }),
  };
  return { type: 'json_schema', structure: { jsonSchema } };
}
