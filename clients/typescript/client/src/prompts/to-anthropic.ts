import {
  cannotExpress,
  parseArguments,
  parseDataUrl,
  partsOf,
  pickParameters,
  type RenderedPrompt,
  readParameters,
  roleOf,
  toResultText,
} from './prompt-arguments.ts';
import type { PromptMessage, PromptPart, PromptTools } from './prompt-version.ts';

type TextBlock = { type: 'text'; text: string };
type MediaType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';

export type AnthropicBlock =
  | TextBlock
  | {
      type: 'image';
      source: { type: 'base64'; media_type: MediaType; data: string } | { type: 'url'; url: string };
    }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> }
  | { type: 'tool_result'; tool_use_id: string; content: string };

export type AnthropicTool = {
  name: string;
  description?: string;
  input_schema: { type: 'object'; [key: string]: unknown };
};

/** Arguments of `messages.create`. */
export interface AnthropicArguments {
  model: string;
  max_tokens: number;
  system?: string | TextBlock[];
  messages: { role: 'user' | 'assistant'; content: AnthropicBlock[] }[];
  tools?: AnthropicTool[];
  tool_choice?:
    | { type: 'auto' | 'any'; disable_parallel_tool_use?: boolean }
    | { type: 'tool'; name: string; disable_parallel_tool_use?: boolean }
    | { type: 'none' };
  temperature?: number;
  top_p?: number;
  stop_sequences?: string[];
}

/** Tokens of an answer when the prompt says nothing, because Anthropic demands a number. */
const MAX_TOKENS = 1_024;
const FOREIGN = {
  max_tokens: 'max_tokens',
  max_completion_tokens: 'max_tokens',
  max_output_tokens: 'max_tokens',
  temperature: 'temperature',
  top_p: 'top_p',
  stop: 'stop_sequences',
  stop_sequences: 'stop_sequences',
};

export function toAnthropic({ version, messages }: RenderedPrompt): AnthropicArguments {
  if (version.response_format) cannotExpress('Anthropic', 'a response format');
  const isSystem = (message: PromptMessage) => ['system', 'developer'].includes(roleOf(message));
  const system = messages.filter(isSystem).flatMap((message) => partsOf(message).map(toSystemBlock));
  const [first] = system;
  return {
    model: version.model_name,
    max_tokens: MAX_TOKENS,
    ...toParameters(version),
    ...(first && { system: system.length === 1 ? first.text : system }),
    messages: messages
      .filter((message) => !isSystem(message))
      .map((message) => ({
        role: roleOf(message) === 'assistant' ? 'assistant' : 'user',
        content: partsOf(message).map(toBlock),
      })),
    ...(version.tools && toToolArguments(version.tools)),
  };
}

function toParameters(version: RenderedPrompt['version']): Record<string, unknown> {
  const { type, values } = readParameters(version);
  if (type !== 'anthropic') return pickParameters(values, FOREIGN);
  const { extra_body: extra, ...rest } = values;
  return { ...(extra as object | undefined), ...rest };
}

function toSystemBlock(part: PromptPart): TextBlock {
  return part.type === 'text'
    ? { type: 'text', text: part.text }
    : cannotExpress('Anthropic', `a part ${part.type} in a system message`);
}

function toBlock(part: PromptPart): AnthropicBlock {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'tool_call') {
    const { name, arguments: text } = part.tool_call;
    return { type: 'tool_use', id: part.tool_call_id, name, input: parseArguments(text) };
  }
  if (part.type === 'tool_result') {
    return { type: 'tool_result', tool_use_id: part.tool_call_id, content: toResultText(part.tool_result) };
  }
  const inline = parseDataUrl(part.image.url);
  if (!inline) return { type: 'image', source: { type: 'url', url: part.image.url } };
  return { type: 'image', source: { type: 'base64', media_type: inline.mediaType as MediaType, data: inline.data } };
}

function toToolArguments({ tools, tool_choice: choice, disable_parallel_tool_calls: isSerial }: PromptTools) {
  // Calls of earlier messages need the tools, so «none» is a choice, and the tools stay.
  const serial = isSerial === undefined ? {} : { disable_parallel_tool_use: isSerial };
  const tool_choice = choice
    ? toChoice(choice, serial)
    : isSerial === undefined
      ? undefined
      : { type: 'auto' as const, ...serial };
  return { tools: tools.map(toTool), ...(tool_choice && { tool_choice }) };
}

function toChoice(choice: NonNullable<PromptTools['tool_choice']>, serial: { disable_parallel_tool_use?: boolean }) {
  if (choice.type === 'none') return { type: 'none' as const };
  if (choice.type === 'zero_or_more') return { type: 'auto' as const, ...serial };
  if (choice.type === 'one_or_more') return { type: 'any' as const, ...serial };
  return { type: 'tool' as const, name: choice.function_name, ...serial };
}

function toTool(tool: PromptTools['tools'][number]): AnthropicTool {
  if (tool.type === 'raw') return tool.raw as AnthropicTool;
  const { name, description, parameters } = tool.function;
  return { name, ...(description !== undefined && { description }), input_schema: { type: 'object', ...parameters } };
}
