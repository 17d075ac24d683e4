import {
  cannotExpress,
  isOpenAiLike,
  partsOf,
  pickParameters,
  type RenderedPrompt,
  readParameters,
  roleOf,
  toResultText,
} from './prompt-arguments.ts';
import type { PromptMessage, PromptPart, PromptTools } from './prompt-version.ts';

type TextPart = { type: 'text'; text: string };
type ImagePart = { type: 'image_url'; image_url: { url: string } };
type ToolCall = { id: string; type: 'function'; function: { name: string; arguments: string } };

export type OpenAiMessage =
  | { role: 'system' | 'developer'; content: string | TextPart[] }
  | { role: 'user'; content: string | (TextPart | ImagePart)[] }
  | { role: 'assistant'; content?: string | TextPart[] | null; tool_calls?: ToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

export type OpenAiTool = {
  type: 'function';
  function: { name: string; description?: string; parameters?: Record<string, unknown>; strict?: boolean };
};

/** Arguments of `chat.completions.create`, also of Azure OpenAI. */
export interface OpenAiArguments {
  model: string;
  messages: OpenAiMessage[];
  tools?: OpenAiTool[];
  tool_choice?: 'none' | 'auto' | 'required' | { type: 'function'; function: { name: string } };
  parallel_tool_calls?: boolean;
  response_format?: {
    type: 'json_schema';
    json_schema: { name: string; description?: string; schema?: Record<string, unknown>; strict?: boolean };
  };
  temperature?: number;
  max_tokens?: number;
  top_p?: number;
}

/** Other vendors' names of parameters that OpenAI has, too. */
const FOREIGN = {
  temperature: 'temperature',
  max_tokens: 'max_tokens',
  max_output_tokens: 'max_tokens',
  top_p: 'top_p',
  frequency_penalty: 'frequency_penalty',
  presence_penalty: 'presence_penalty',
  stop_sequences: 'stop',
};

export function toOpenAi({ version, messages }: RenderedPrompt): OpenAiArguments {
  const { tools, response_format: format } = version;
  return {
    model: version.model_name,
    ...openAiParameters(version),
    messages: messages.flatMap(toMessages),
    ...(tools && toToolArguments(tools)),
    ...(format && { response_format: format }),
  };
}

/** Stored parameters of a vendor like OpenAI as they are, and those of others by their names. */
export function openAiParameters(version: RenderedPrompt['version']): Record<string, unknown> {
  const { type, values } = readParameters(version);
  if (!isOpenAiLike(type)) return pickParameters(values, FOREIGN);
  const { extra_body: extra, ...rest } = values;
  return { ...(extra as object | undefined), ...rest };
}

function toToolArguments({ tools, tool_choice: choice, disable_parallel_tool_calls: isSerial }: PromptTools) {
  return {
    tools: tools.map((tool) => (tool.type === 'raw' ? (tool.raw as OpenAiTool) : tool)),
    ...(choice && { tool_choice: toChoice(choice) }),
    ...(isSerial !== undefined && { parallel_tool_calls: !isSerial }),
  };
}

function toChoice(choice: NonNullable<PromptTools['tool_choice']>): NonNullable<OpenAiArguments['tool_choice']> {
  if (choice.type === 'none') return 'none';
  if (choice.type === 'zero_or_more') return 'auto';
  if (choice.type === 'one_or_more') return 'required';
  return { type: 'function', function: { name: choice.function_name } };
}

/** A message, and one more for each result of a tool in it. */
function toMessages(message: PromptMessage): OpenAiMessage[] {
  const parts = partsOf(message);
  const results = parts.flatMap((part): OpenAiMessage[] =>
    part.type === 'tool_result'
      ? [{ role: 'tool', tool_call_id: part.tool_call_id, content: toResultText(part.tool_result) }]
      : [],
  );
  const rest = parts.filter(({ type }) => type !== 'tool_result');
  return rest.length === 0 ? results : [toMessage(message, rest), ...results];
}

function toMessage(message: PromptMessage, parts: readonly PromptPart[]): OpenAiMessage {
  const role = roleOf(message);
  if (role === 'user') return { role, content: collapse(parts.map((part) => toContent(part, true))) };
  const texts = parts.filter(({ type }) => type !== 'tool_call').map((part) => toContent(part, false) as TextPart);
  if (role === 'tool') cannotExpress('OpenAI', 'a message of a tool without the result of a call');
  if (role !== 'assistant') return { role, content: collapse(texts) };
  const calls = parts.flatMap((part) => (part.type === 'tool_call' ? [toCall(part)] : []));
  if (calls.length === 0) return { role, content: collapse(texts) };
  return { role, ...(texts.length > 0 && { content: collapse(texts) }), tool_calls: calls };
}

function toContent(part: PromptPart, isUser: boolean): TextPart | ImagePart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'image' && isUser) return { type: 'image_url', image_url: { url: part.image.url } };
  return cannotExpress('OpenAI', `a part ${part.type} in this message`);
}

const toCall = (part: Extract<PromptPart, { type: 'tool_call' }>): ToolCall => ({
  id: part.tool_call_id,
  type: 'function',
  function: { name: part.tool_call.name, arguments: part.tool_call.arguments || '{}' },
});

/** One text alone is a string. */
function collapse<Part extends TextPart | ImagePart>(parts: readonly Part[]): string | Part[] {
  const [first] = parts;
  return parts.length === 1 && first?.type === 'text' ? first.text : [...parts];
}
