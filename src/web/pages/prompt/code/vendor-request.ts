import { isObject, type Json, type JsonObject } from '../../../../semconv/read-open-inference.ts';
import {
  type ContentTool,
  type ContentTools,
  type MessagePart,
  messagesOf,
  parametersOf,
  partsOf,
} from '../../../components/prompt/version-content.ts';
import type { CodePrompt } from './code-prompt.ts';
import { type CodeValue, fromJson, TemplateValue, toMap } from './code-value.ts';

export type VendorRequest = ReadonlyMap<string, CodeValue>;

/** Body of a request to the chat completions of OpenAI, or of a vendor with the same interface. */
export function toOpenAiRequest(prompt: CodePrompt): VendorRequest {
  const { content } = prompt;
  const { extra_body: extra, ...parameters } = parametersOf(content);
  const format = content.response_format?.json_schema;
  return toMap([
    ['model', content.model_name],
    ['messages', openAiMessages(prompt)],
    ...Object.entries(parameters).map(([name, value]) => [name, fromJson(value as Json)] as const),
    ...openAiTools(content.tools),
    ['response_format', format && fromJson({ type: 'json_schema', json_schema: format as unknown as JsonObject })],
    ...(isObject(extra) ? Object.entries(extra).map(([name, value]) => [name, fromJson(value as Json)] as const) : []),
  ]);
}

const OPENAI_ROLES: ReadonlyMap<string, string> = new Map([
  ['ai', 'assistant'],
  ['model', 'assistant'],
]);

function openAiMessages(prompt: CodePrompt): readonly CodeValue[] {
  return messagesOf(prompt.content).flatMap((message, messageIndex): readonly CodeValue[] => {
    const parts = partsOf(message);
    const results = parts.filter((part) => part.type === 'tool_result');
    if (results.length > 0) {
      return results.map(({ tool_call_id: id, tool_result: result }) =>
        toMap([
          ['role', 'tool'],
          ['tool_call_id', id],
          ['content', typeof result === 'string' ? result : JSON.stringify(result)],
        ]),
      );
    }
    const calls = parts.filter((part) => part.type === 'tool_call');
    const shown = parts.flatMap((part, partIndex) => openAiPart(prompt, part, messageIndex, partIndex));
    const [only] = shown;
    const isText = shown.length === 1 && only?.get('type') === 'text';
    return [
      toMap([
        ['role', OPENAI_ROLES.get(message.role) ?? message.role],
        ['content', shown.length === 0 ? undefined : isText ? only.get('text') : shown],
        [
          'tool_calls',
          calls.length === 0
            ? undefined
            : calls.map(({ tool_call_id: id, tool_call: { name, arguments: text } }) =>
                fromJson({ id, type: 'function', function: { name, arguments: text } }),
              ),
        ],
      ]),
    ];
  });
}

function openAiPart(prompt: CodePrompt, part: MessagePart, messageIndex: number, partIndex: number): VendorRequest[] {
  if (part.type === 'text') {
    return [
      toMap([
        ['type', 'text'],
        ['text', prompt.textAt(messageIndex, partIndex)],
      ]),
    ];
  }
  if (part.type !== 'image') return [];
  return [
    toMap([
      ['type', 'image_url'],
      ['image_url', toMap([['url', part.image.url]])],
    ]),
  ];
}

function openAiTools(tools: ContentTools | null): readonly (readonly [string, CodeValue | undefined])[] {
  if (!tools) return [];
  const { tool_choice: choice, disable_parallel_tool_calls: isSerial } = tools;
  return [
    ['tools', tools.tools.map((tool) => fromJson(tool.type === 'raw' ? tool.raw : (tool as unknown as JsonObject)))],
    ['tool_choice', choice && openAiChoice(choice)],
    ['parallel_tool_calls', isSerial === true ? false : undefined],
  ];
}

function openAiChoice({ type, function_name: name }: NonNullable<ContentTools['tool_choice']>): CodeValue {
  if (type === 'specific_function') return fromJson({ type: 'function', function: { name: name ?? '' } });
  return type === 'none' ? 'none' : type === 'one_or_more' ? 'required' : 'auto';
}

/** Body of a request to the messages of Anthropic. */
export function toAnthropicRequest(prompt: CodePrompt): VendorRequest {
  const { content } = prompt;
  const { extra_body: extra, max_tokens: maxTokens, ...parameters } = parametersOf(content);
  const messages = messagesOf(content);
  const isSystem = ({ role }: { readonly role: string }) => role === 'system' || role === 'developer';
  const system = messages.flatMap((message, messageIndex) =>
    isSystem(message)
      ? partsOf(message).flatMap((part, partIndex) =>
          part.type === 'text' ? [prompt.textAt(messageIndex, partIndex)] : [],
        )
      : [],
  );
  return toMap([
    ['model', content.model_name],
    ['max_tokens', fromJson((maxTokens as Json | undefined) ?? 1_024)],
    ['system', system.length === 0 ? undefined : joined(system)],
    [
      'messages',
      messages.flatMap((message, messageIndex): readonly CodeValue[] =>
        isSystem(message)
          ? []
          : [
              toMap([
                ['role', message.role === 'user' || message.role === 'tool' ? 'user' : 'assistant'],
                [
                  'content',
                  partsOf(message).map((part, partIndex) => anthropicPart(prompt, part, messageIndex, partIndex)),
                ],
              ]),
            ],
      ),
    ],
    ...Object.entries(parameters).map(([name, value]) => [name, fromJson(value as Json)] as const),
    ...anthropicTools(content.tools),
    ...(isObject(extra) ? Object.entries(extra).map(([name, value]) => [name, fromJson(value as Json)] as const) : []),
  ]);
}

const joined = (texts: readonly TemplateValue[]): TemplateValue =>
  new TemplateValue(texts.flatMap(({ parts }, index) => (index === 0 ? parts : [{ text: '\n\n' }, ...parts])));

function anthropicPart(prompt: CodePrompt, part: MessagePart, messageIndex: number, partIndex: number): CodeValue {
  switch (part.type) {
    case 'text':
      return toMap([
        ['type', 'text'],
        ['text', prompt.textAt(messageIndex, partIndex)],
      ]);
    case 'tool_call':
      return fromJson({
        type: 'tool_use',
        id: part.tool_call_id,
        name: part.tool_call.name,
        input: parseObject(part.tool_call.arguments),
      });
    case 'tool_result':
      return fromJson({
        type: 'tool_result',
        tool_use_id: part.tool_call_id,
        content: typeof part.tool_result === 'string' ? part.tool_result : JSON.stringify(part.tool_result),
      });
    case 'image':
      return fromJson({ type: 'image', source: { type: 'url', url: part.image.url } });
  }
}

/** Arguments as the model wrote them may be no JSON. */
function parseObject(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function anthropicTools(tools: ContentTools | null): readonly (readonly [string, CodeValue | undefined])[] {
  if (!tools) return [];
  const { tool_choice: choice, disable_parallel_tool_calls: isSerial } = tools;
  const serial: JsonObject = isSerial === true ? { disable_parallel_tool_use: true } : {};
  const type = choice?.type ?? 'zero_or_more';
  const chosen: JsonObject =
    type === 'specific_function'
      ? { type: 'tool', name: choice?.function_name ?? '' }
      : { type: type === 'none' ? 'none' : type === 'one_or_more' ? 'any' : 'auto' };
  return [
    ['tools', tools.tools.map(anthropicTool)],
    ['tool_choice', choice || isSerial ? fromJson({ ...chosen, ...serial }) : undefined],
  ];
}

function anthropicTool(tool: ContentTool): CodeValue {
  if (tool.type === 'raw') return fromJson(tool.raw);
  const { name, description, parameters } = tool.function;
  return toMap([
    ['name', name],
    ['description', description],
    ['input_schema', fromJson(parameters ?? { type: 'object', properties: {} })],
  ]);
}
