import {
  cannotExpress,
  parseArguments,
  parseDataUrl,
  partsOf,
  pickParameters,
  type RenderedPrompt,
  readParameters,
  roleOf,
} from './prompt-arguments.ts';
import type { PromptMessage, PromptPart, PromptTools } from './prompt-version.ts';

type ImageFormat = 'png' | 'jpeg' | 'gif' | 'webp';

export type BedrockBlock =
  | { text: string }
  | { image: { format: ImageFormat; source: { bytes: Uint8Array } } }
  | { toolUse: { toolUseId: string; name: string; input: never } }
  | { toolResult: { toolUseId: string; content: ({ text: string } | { json: never })[] } };

/** Arguments of `ConverseCommand`. */
export interface BedrockArguments {
  modelId: string;
  messages: { role: 'user' | 'assistant'; content: BedrockBlock[] }[];
  system?: { text: string }[];
  inferenceConfig?: { maxTokens?: number; temperature?: number; topP?: number; stopSequences?: string[] };
  toolConfig?: {
    tools: { toolSpec: { name: string; description?: string; inputSchema: { json: never } } }[];
    toolChoice?: { auto: object } | { any: object } | { tool: { name: string } };
  };
}

const VENDOR = 'Bedrock Converse';
const FORMATS = new Map<string, ImageFormat>([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
]);
const PARAMETERS = {
  max_tokens: 'maxTokens',
  max_completion_tokens: 'maxTokens',
  max_output_tokens: 'maxTokens',
  temperature: 'temperature',
  top_p: 'topP',
  stop: 'stopSequences',
  stop_sequences: 'stopSequences',
};

export function toBedrock({ version, messages }: RenderedPrompt): BedrockArguments {
  if (version.response_format) cannotExpress(VENDOR, 'a response format');
  const isSystem = (message: PromptMessage) => ['system', 'developer'].includes(roleOf(message));
  const system = messages.filter(isSystem).flatMap((message) => partsOf(message).map(toSystemBlock));
  const parameters = pickParameters(readParameters(version).values, PARAMETERS);
  return {
    modelId: version.model_name,
    messages: messages
      .filter((message) => !isSystem(message))
      .map((message) => ({
        role: roleOf(message) === 'assistant' ? 'assistant' : 'user',
        content: partsOf(message).map(toBlock),
      })),
    ...(system.length > 0 && { system }),
    ...(Object.keys(parameters).length > 0 && { inferenceConfig: parameters }),
    ...(version.tools && { toolConfig: toToolConfig(version.tools) }),
  };
}

const toSystemBlock = (part: PromptPart): { text: string } =>
  part.type === 'text' ? { text: part.text } : cannotExpress(VENDOR, `a part ${part.type} in a system message`);

function toBlock(part: PromptPart): BedrockBlock {
  if (part.type === 'text') return { text: part.text };
  if (part.type === 'image') return toImage(part.image.url);
  const { tool_call_id: toolUseId } = part;
  if (part.type === 'tool_call') {
    const { name, arguments: text } = part.tool_call;
    return { toolUse: { toolUseId, name, input: parseArguments(text) as never } };
  }
  const { tool_result: result } = part;
  const content = typeof result === 'string' ? { text: result } : { json: (result ?? null) as never };
  return { toolResult: { toolUseId, content: [content] } };
}

function toImage(url: string): BedrockBlock {
  const inline = parseDataUrl(url);
  const format = inline && FORMATS.get(inline.mediaType);
  if (!inline || !format)
    return cannotExpress(VENDOR, 'an image that is not a data: address of PNG, JPEG, GIF or WebP');
  const bytes = Uint8Array.from(atob(inline.data), (sign) => sign.charCodeAt(0));
  return { image: { format, source: { bytes } } };
}

function toToolConfig({ tools, tool_choice: choice, disable_parallel_tool_calls: isSerial }: PromptTools) {
  if (isSerial) cannotExpress(VENDOR, 'tools that are called one after another');
  return {
    tools: tools.map((tool) => {
      if (tool.type === 'raw') return tool.raw as { toolSpec: { name: string; inputSchema: { json: never } } };
      const { name, description, parameters } = tool.function;
      const inputSchema = { json: (parameters ?? { type: 'object' }) as never };
      return { toolSpec: { name, ...(description !== undefined && { description }), inputSchema } };
    }),
    ...(choice && { toolChoice: toChoice(choice) }),
  };
}

function toChoice(choice: NonNullable<PromptTools['tool_choice']>) {
  if (choice.type === 'zero_or_more') return { auto: {} };
  if (choice.type === 'one_or_more') return { any: {} };
  if (choice.type === 'none') return cannotExpress(VENDOR, 'tools that must not be called');
  return { tool: { name: choice.function_name } };
}
