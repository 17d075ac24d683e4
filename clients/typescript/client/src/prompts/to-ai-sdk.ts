import {
  cannotExpress,
  parseArguments,
  partsOf,
  pickParameters,
  type RenderedPrompt,
  readParameters,
  roleOf,
} from './prompt-arguments.ts';
import type { PromptMessage, PromptPart, PromptTools } from './prompt-version.ts';

type TextPart = { type: 'text'; text: string };

export type AiSdkMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | (TextPart | { type: 'image'; image: string })[] }
  | {
      role: 'assistant';
      content: string | (TextPart | { type: 'tool-call'; toolCallId: string; toolName: string; input: unknown })[];
    }
  | {
      role: 'tool';
      content: {
        type: 'tool-result';
        toolCallId: string;
        toolName: string;
        output: { type: 'text'; value: string } | { type: 'json'; value: never };
      }[];
    };

/** A tool whose schema has the mark by which the AI SDK knows its schemas. */
export type AiSdkTool = { description?: string; inputSchema: never };

/** Arguments of `generateText` and `streamText`, without the model. */
export interface AiSdkArguments {
  messages: AiSdkMessage[];
  tools?: Record<string, AiSdkTool>;
  toolChoice?: 'auto' | 'none' | 'required' | { type: 'tool'; toolName: string };
  temperature?: number;
  maxOutputTokens?: number;
  topP?: number;
  topK?: number;
  frequencyPenalty?: number;
  presencePenalty?: number;
  stopSequences?: string[];
  seed?: number;
}

/** Stored names of parameters → those of the AI SDK. It takes the model, and what only one vendor has, elsewhere. */
const PARAMETERS = {
  temperature: 'temperature',
  max_tokens: 'maxOutputTokens',
  max_completion_tokens: 'maxOutputTokens',
  max_output_tokens: 'maxOutputTokens',
  top_p: 'topP',
  top_k: 'topK',
  frequency_penalty: 'frequencyPenalty',
  presence_penalty: 'presencePenalty',
  stop: 'stopSequences',
  stop_sequences: 'stopSequences',
  seed: 'seed',
};
const SCHEMA_MARK = Symbol.for('vercel.ai.schema');

export function toAiSdk({ version, messages }: RenderedPrompt): AiSdkArguments {
  if (version.response_format)
    cannotExpress('A call of the AI SDK', 'a stored response format: pass an output of the SDK');
  const toolNames = new Map<string, string>();
  for (const part of messages.flatMap(partsOf)) {
    if (part.type === 'tool_call') toolNames.set(part.tool_call_id, part.tool_call.name);
  }
  return {
    ...pickParameters(readParameters(version).values, PARAMETERS),
    messages: messages.map((message) => toMessage(message, toolNames)),
    ...(version.tools && toToolArguments(version.tools)),
  };
}

function toMessage(message: PromptMessage, toolNames: ReadonlyMap<string, string>): AiSdkMessage {
  const role = roleOf(message);
  const parts = partsOf(message);
  if (role === 'system' || role === 'developer') return { role: 'system', content: parts.map(textOf).join('\n') };
  if (parts.some(({ type }) => type === 'tool_result'))
    return { role: 'tool', content: parts.map((part) => toResult(part, toolNames)) };
  const [first] = parts;
  const isText = parts.length === 1 && first?.type === 'text';
  if (role === 'user') return { role, content: isText ? textOf(first) : parts.map(toUserPart) };
  if (role === 'assistant') return { role, content: isText ? textOf(first) : parts.map(toAssistantPart) };
  return cannotExpress('The AI SDK', 'a message of a tool without the result of a call');
}

const textOf = (part: PromptPart): string =>
  part.type === 'text' ? part.text : cannotExpress('The AI SDK', `a part ${part.type} here`);

function toUserPart(part: PromptPart): TextPart | { type: 'image'; image: string } {
  return part.type === 'image' ? { type: 'image', image: part.image.url } : { type: 'text', text: textOf(part) };
}

function toAssistantPart(part: PromptPart) {
  if (part.type !== 'tool_call') return { type: 'text' as const, text: textOf(part) };
  const { name, arguments: text } = part.tool_call;
  return { type: 'tool-call' as const, toolCallId: part.tool_call_id, toolName: name, input: parseArguments(text) };
}

function toResult(part: PromptPart, toolNames: ReadonlyMap<string, string>) {
  if (part.type !== 'tool_result')
    return cannotExpress('The AI SDK', `a part ${part.type} beside the result of a tool`);
  const toolName = toolNames.get(part.tool_call_id);
  if (!toolName) return cannotExpress('The AI SDK', 'the result of a tool whose call is not in the prompt');
  const { tool_result: value } = part;
  const output =
    typeof value === 'string'
      ? { type: 'text' as const, value }
      : { type: 'json' as const, value: (value ?? null) as never };
  return { type: 'tool-result' as const, toolCallId: part.tool_call_id, toolName, output };
}

function toToolArguments({ tools, tool_choice: choice }: PromptTools) {
  const entries = tools.map((tool): [string, AiSdkTool] => {
    if (tool.type === 'raw') return cannotExpress('The AI SDK', 'a tool in the notation of one vendor');
    const { name, description, parameters } = tool.function;
    const schema = {
      [SCHEMA_MARK]: true,
      jsonSchema: parameters ?? { type: 'object', properties: {} },
      validate: undefined,
    };
    return [name, { ...(description !== undefined && { description }), inputSchema: schema as never }];
  });
  return { tools: Object.fromEntries(entries), ...(choice && { toolChoice: toChoice(choice) }) };
}

function toChoice(choice: NonNullable<PromptTools['tool_choice']>): NonNullable<AiSdkArguments['toolChoice']> {
  if (choice.type === 'none') return 'none';
  if (choice.type === 'zero_or_more') return 'auto';
  if (choice.type === 'one_or_more') return 'required';
  return { type: 'tool', toolName: choice.function_name };
}
