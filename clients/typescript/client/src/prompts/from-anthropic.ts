import type { PromptVersionData } from '../generated/api.ts';
import { ArgumentError } from '../http/errors.ts';
import {
  type PromptMessage,
  type PromptPart,
  type PromptTools,
  promptVersion,
  type TemplateFormat,
} from './prompt-version.ts';

/** The fields of the arguments that a prompt stores; others are an error. */
const PARAMETERS = new Set(['max_tokens', 'temperature', 'top_p', 'stop_sequences', 'thinking', 'output_config']);

interface GivenBlock {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: unknown;
  readonly source?: {
    readonly type: string;
    readonly url?: string;
    readonly media_type?: string;
    readonly data?: string;
  };
}

/**
 * A version of a prompt from the arguments of `messages.create`. The system text becomes the first message.
 *
 * @throws {ArgumentError} for what a prompt cannot hold, such as documents
 */
export function promptVersionFromAnthropic(
  {
    model,
    messages,
    system,
    tools,
    tool_choice: choice,
    ...parameters
  }: Readonly<Record<string, unknown>> & {
    readonly model: string;
    readonly max_tokens: number;
    readonly messages: readonly object[];
  },
  options: { readonly templateFormat?: TemplateFormat; readonly description?: string } = {},
): PromptVersionData {
  const unknown = Object.keys(parameters).filter((name) => parameters[name] != null && !PARAMETERS.has(name));
  if (unknown.length > 0)
    throw new ArgumentError(`A prompt does not store ${unknown.join(', ')}. Remove it from the arguments.`);
  const given = messages as readonly {
    readonly role: 'user' | 'assistant';
    readonly content: string | readonly GivenBlock[];
  }[];
  return promptVersion({
    ...options,
    modelProvider: 'ANTHROPIC',
    modelName: model,
    template: [
      ...(system === undefined ? [] : [toMessage('system', system as string | readonly GivenBlock[])]),
      ...given.map(({ role, content }) => toMessage(role, content)),
    ],
    invocationParameters: Object.fromEntries(Object.entries(parameters).filter(([, value]) => value != null)) as never,
    ...(tools !== undefined && { tools: toTools(tools as readonly object[], choice) }),
  });
}

const toMessage = (role: PromptMessage['role'], content: string | readonly GivenBlock[]): PromptMessage => ({
  role,
  content: typeof content === 'string' ? content : content.map(toPart),
});

function toPart(block: GivenBlock): PromptPart {
  const { type, text, id = '', name, input, tool_use_id: callId, content, source } = block;
  if (type === 'text' && text !== undefined) return { type: 'text', text };
  if (type === 'image' && source) {
    const url = source.type === 'base64' ? `data:${source.media_type};base64,${source.data}` : source.url;
    if (url) return { type: 'image', image: { url } };
  }
  if (type === 'tool_use' && name) {
    return {
      type: 'tool_call',
      tool_call_id: id,
      tool_call: { type: 'function', name, arguments: JSON.stringify(input ?? {}) },
    };
  }
  if (type === 'tool_result' && callId)
    return { type: 'tool_result', tool_call_id: callId, tool_result: toResult(content) };
  throw new ArgumentError(
    `A prompt cannot hold a block ${type}. It holds text, images, and calls and results of tools.`,
  );
}

/** Text, or the texts of blocks. */
function toResult(content: unknown): unknown {
  if (!Array.isArray(content)) return content ?? '';
  const blocks = content as readonly GivenBlock[];
  if (blocks.some(({ type }) => type !== 'text')) throw new ArgumentError('A prompt stores results of tools as text.');
  return blocks.map(({ text }) => text ?? '').join('\n');
}

interface GivenTool {
  readonly type?: string;
  readonly name: string;
  readonly description?: string;
  readonly input_schema?: Record<string, unknown>;
}

function toTools(tools: readonly object[], choice: unknown): PromptTools {
  const {
    type,
    name,
    disable_parallel_tool_use: isSerial,
  } = (choice ?? {}) as {
    readonly type?: string;
    readonly name?: string;
    readonly disable_parallel_tool_use?: boolean;
  };
  return {
    type: 'tools',
    tools: tools.map(toTool),
    ...(type !== undefined && { tool_choice: toChoice(type, name) }),
    ...(isSerial !== undefined && { disable_parallel_tool_calls: isSerial }),
  };
}

function toTool(tool: object): PromptTools['tools'][number] {
  const { type = 'custom', name, description, input_schema: parameters } = tool as GivenTool;
  if (type !== 'custom' || !parameters) return { type: 'raw', raw: tool as Record<string, unknown> };
  return { type: 'function', function: { name, ...(description !== undefined && { description }), parameters } };
}

function toChoice(type: string, name: string | undefined): NonNullable<PromptTools['tool_choice']> {
  if (type === 'none') return { type: 'none' };
  if (type === 'auto') return { type: 'zero_or_more' };
  if (type === 'any') return { type: 'one_or_more' };
  if (type === 'tool' && name) return { type: 'specific_function', function_name: name };
  throw new ArgumentError(`A prompt cannot hold the choice of tools ${type}.`);
}
