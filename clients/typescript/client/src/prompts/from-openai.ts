import type { PromptVersionData } from '../generated/api.ts';
import { ArgumentError } from '../http/errors.ts';
import {
  type ModelProvider,
  type PromptMessage,
  type PromptPart,
  type PromptTools,
  promptVersion,
  type TemplateFormat,
} from './prompt-version.ts';

/** The fields of a chat completion's arguments that a prompt stores; others are an error. */
const PARAMETERS = new Set([
  'temperature',
  'frequency_penalty',
  'presence_penalty',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'seed',
  'stop',
  'reasoning_effort',
]);

interface GivenPart {
  readonly type: string;
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}

interface GivenMessage {
  readonly role: string;
  readonly content?: string | null | readonly GivenPart[];
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function?: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

/**
 * A version of a prompt from the arguments of `chat.completions.create`.
 *
 * @throws {ArgumentError} for what a prompt cannot hold, such as audio
 */
export function promptVersionFromOpenAI(
  {
    model,
    messages,
    tools,
    tool_choice: choice,
    parallel_tool_calls: isParallel,
    response_format: format,
    ...parameters
  }: Readonly<Record<string, unknown>> & { readonly model: string; readonly messages: readonly object[] },
  options: {
    readonly modelProvider?: ModelProvider;
    readonly templateFormat?: TemplateFormat;
    readonly description?: string;
  } = {},
): PromptVersionData {
  const unknown = Object.keys(parameters).filter((name) => parameters[name] != null && !PARAMETERS.has(name));
  if (unknown.length > 0)
    throw new ArgumentError(`A prompt does not store ${unknown.join(', ')}. Remove it from the arguments.`);
  const { stop } = parameters;
  const kept = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value != null));
  const version = promptVersion({
    ...options,
    modelProvider: options.modelProvider ?? 'OPENAI',
    modelName: model,
    template: (messages as readonly GivenMessage[]).map(toMessage),
    invocationParameters: { ...kept, ...(typeof stop === 'string' && { stop: [stop] }) } as never,
    ...(tools !== undefined && {
      tools: toTools(tools as readonly object[], choice, isParallel as boolean | undefined),
    }),
  });
  return format === undefined ? version : { ...version, response_format: toFormat(format) };
}

function toMessage(message: GivenMessage): PromptMessage {
  const { role, content, tool_calls: calls = [], tool_call_id: id } = message;
  if (!['system', 'developer', 'user', 'assistant', 'tool'].includes(role))
    throw new ArgumentError(`A prompt has no messages of the role ${role}.`);
  const text = typeof content === 'string' ? content : undefined;
  if (role === 'tool') {
    const result = text ?? (content as readonly GivenPart[]).map((part) => part.text ?? '').join('\n');
    return { role, content: [{ type: 'tool_result', tool_call_id: id ?? '', tool_result: result }] };
  }
  if (calls.length === 0 && text !== undefined) return { role: role as 'user', content: text };
  const given = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  const parts = given.filter((part) => part.text !== '').map(toPart);
  for (const call of calls) {
    if (!call.function) throw new ArgumentError('A prompt stores calls of functions, and no calls of custom tools.');
    const { name, arguments: given } = call.function;
    parts.push({ type: 'tool_call', tool_call_id: call.id, tool_call: { type: 'function', name, arguments: given } });
  }
  return { role: role as 'assistant', content: parts };
}

function toPart(part: GivenPart): PromptPart {
  if (part.type === 'text' && part.text !== undefined) return { type: 'text', text: part.text };
  if (part.type === 'image_url' && part.image_url) return { type: 'image', image: { url: part.image_url.url } };
  throw new ArgumentError(
    `A prompt cannot hold a part ${part.type}. It holds text, images, and calls and results of tools.`,
  );
}

function toTools(tools: readonly object[], choice: unknown, isParallel: boolean | undefined): PromptTools {
  return {
    type: 'tools',
    tools: tools.map((tool) => {
      const isFunction = (tool as { readonly type?: unknown }).type === 'function';
      return isFunction
        ? (tool as PromptTools['tools'][number])
        : { type: 'raw', raw: tool as Record<string, unknown> };
    }),
    ...(choice !== undefined && { tool_choice: toChoice(choice) }),
    ...(isParallel !== undefined && { disable_parallel_tool_calls: !isParallel }),
  };
}

function toChoice(choice: unknown): NonNullable<PromptTools['tool_choice']> {
  if (choice === 'none') return { type: 'none' };
  if (choice === 'auto') return { type: 'zero_or_more' };
  if (choice === 'required') return { type: 'one_or_more' };
  const { function: named } = (choice ?? {}) as { readonly function?: { readonly name: string } };
  if (named) return { type: 'specific_function', function_name: named.name };
  throw new ArgumentError(`A prompt cannot hold the choice of tools ${JSON.stringify(choice)}.`);
}

function toFormat(format: unknown): NonNullable<PromptVersionData['response_format']> {
  const { type } = (format ?? {}) as { readonly type?: unknown };
  if (type === 'json_schema') return format as NonNullable<PromptVersionData['response_format']>;
  throw new ArgumentError(`A prompt stores response formats of the type json_schema, and not ${String(type)}.`);
}
