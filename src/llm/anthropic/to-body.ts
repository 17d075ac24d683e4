import { type ExactJson, type ExactJsonObject, toExactJsonText } from '../../base/exact-json.ts';
import type { FunctionDefinition, PromptTools } from '../../model/prompts/prompt-tools.ts';
import type { ChatMessage, ChatPart, ChatRequest } from '../contract/chat-model.ts';
import { parseDataUrl } from '../data-url.ts';
import { toArgumentsObject } from '../tool-arguments.ts';

/** The vendor requires a maximum. */
const DEFAULT_TOKENS_MAX = 1_024;

/** The body of a request. `extra_body` replaces fields, except for the one that decides how the response arrives. */
export function toBody(model: string, request: ChatRequest): ExactJsonObject {
  const { messages, parameters, responseFormat, isStreamed } = request;
  const { max_tokens, extra_body, output_config, ...others } =
    parameters.type === 'anthropic' ? parameters.anthropic : { max_tokens: DEFAULT_TOKENS_MAX };
  const system = messages.filter(({ role }) => role === 'system').map((message) => `${textOf(message)}\n`);
  const format = responseFormat && { type: 'json_schema', schema: responseFormat.json_schema.schema ?? {} };
  return {
    model,
    max_tokens: max_tokens ?? DEFAULT_TOKENS_MAX,
    messages: toMessages(messages),
    ...(system.length > 0 && { system: system.join('') }),
    ...(others as ExactJsonObject),
    ...((output_config || format) && { output_config: { ...output_config, ...(format && { format }) } }),
    ...toTools(request.tools),
    ...extra_body,
    ...(isStreamed && { stream: true }),
  } as ExactJsonObject;
}

/** Results of parallel calls belong into one message. */
function toMessages(messages: readonly ChatMessage[]): ExactJson[] {
  const converted: { role: string; content: ExactJson }[] = [];
  let results: ExactJson[] | undefined;
  for (const { role, parts } of messages) {
    if (role === 'system') continue;
    const blocks = toBlocks(parts);
    if (role === 'tool') {
      if (results) {
        results.push(...blocks);
      } else {
        results = blocks;
        converted.push({ role: 'user', content: results });
      }
      continue;
    }
    results = undefined;
    const [only] = parts;
    const isText = parts.length === 1 && only?.type === 'text';
    converted.push({ role: role === 'assistant' ? 'assistant' : 'user', content: isText ? only.text : blocks });
  }
  return converted as unknown as ExactJson[];
}

/** The vendor rejects empty texts beside other parts. */
function toBlocks(parts: readonly ChatPart[]): ExactJson[] {
  return parts.filter((part) => part.type !== 'text' || part.text !== '').map(toBlock);
}

function toBlock(part: ChatPart): ExactJson {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image': {
      const data = parseDataUrl(part.url);
      if (!data) return { type: 'image', source: { type: 'url', url: part.url } };
      return { type: 'image', source: { type: 'base64', media_type: data.mediaType, data: data.base64 } };
    }
    case 'toolCall': {
      const { id, name } = part.toolCall;
      return { type: 'tool_use', id, name, input: toArgumentsObject(part.toolCall) };
    }
    case 'toolResult': {
      const { result } = part;
      const content = typeof result === 'string' ? result : toExactJsonText(result);
      return { type: 'tool_result', tool_use_id: part.toolCallId, content };
    }
  }
}

const textOf = ({ parts }: ChatMessage): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

function toTools(tools: PromptTools | null): object {
  if (tools === null) return {};
  return {
    tools: tools.tools.map((tool) => (tool.type === 'raw' ? tool.raw : toTool(tool.function))),
    ...toChoice(tools),
  };
}

const toTool = ({ name, description, parameters, strict }: FunctionDefinition): object => ({
  name,
  ...(description !== undefined && { description }),
  input_schema: parameters ?? { type: 'object', properties: {} },
  ...(strict !== undefined && { strict }),
});

function toChoice({ tool_choice, disable_parallel_tool_calls }: PromptTools): object {
  const isOneAtATime = disable_parallel_tool_calls === true;
  if (tool_choice?.type === 'none') return { tool_choice: { type: 'none' } };
  if (tool_choice === undefined && !isOneAtATime) return {};
  const single = isOneAtATime ? { disable_parallel_tool_use: true } : {};
  switch (tool_choice?.type) {
    case 'one_or_more':
      return { tool_choice: { type: 'any', ...single } };
    case 'specific_function':
      return { tool_choice: { type: 'tool', name: tool_choice.function_name, ...single } };
    default:
      return { tool_choice: { type: 'auto', ...single } };
  }
}
