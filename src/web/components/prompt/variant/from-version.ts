import { isObject, type JsonObject } from '../../../../semconv/read-open-inference.ts';
import {
  type ContentMessage,
  type MessagePart,
  messagesOf,
  parametersOf,
  partsOf,
  type VersionContent,
} from '../version-content.ts';
import { printTool, toText } from './tools.ts';
import {
  DEFAULT_MODEL,
  type EditedMessage,
  type EditedPart,
  familyOf,
  isProvider,
  type MessageRole,
  newId,
  type PromptSource,
  type ToolChoice,
  type Variant,
} from './variant.ts';
import { fingerprintOf } from './version-input.ts';

/** A stored version as a variant. */
export function fromVersion(
  content: VersionContent,
  customProviderId: string | null,
  source: Omit<PromptSource, 'fingerprint'> | null,
): Variant {
  const provider = isProvider(content.model_provider) ? content.model_provider : DEFAULT_MODEL.provider;
  const family = familyOf(provider);
  const format = content.response_format?.json_schema;
  const variant: Variant = {
    id: newId(),
    messages: messagesOf(content).map(toMessage),
    format: content.template_format,
    model: { ...DEFAULT_MODEL, provider, name: content.model_name, customProviderId },
    parameters: flatParameters(parametersOf(content)),
    tools: (content.tools?.tools ?? []).map((tool) => ({
      id: newId(),
      text: toText(tool.type === 'raw' ? tool.raw : printTool(tool.function, family)),
    })),
    toolChoice: toChoice(content.tools?.tool_choice),
    isSerial: content.tools?.disable_parallel_tool_calls === true,
    responseFormat: format ? toText(format) : null,
    source: null,
  };
  return source ? { ...variant, source: { ...source, fingerprint: fingerprintOf(variant) } } : variant;
}

const ROLES: ReadonlyMap<string, MessageRole> = new Map([
  ['user', 'user'],
  ['human', 'user'],
  ['system', 'system'],
  ['developer', 'system'],
  ['assistant', 'ai'],
  ['model', 'ai'],
  ['ai', 'ai'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

export const toRole = (role: string): MessageRole => ROLES.get(role.toLowerCase()) ?? 'user';

const toMessage = (message: ContentMessage): EditedMessage => ({
  id: newId(),
  role: toRole(message.role),
  parts: partsOf(message).map(toPart),
});

function toPart(part: MessagePart): EditedPart {
  const id = newId();
  switch (part.type) {
    case 'text':
      return { id, type: 'text', text: part.text };
    case 'image':
      return { id, type: 'image', url: part.image.url };
    case 'tool_call':
      return {
        id,
        type: 'toolCall',
        callId: part.tool_call_id,
        name: part.tool_call.name,
        arguments: part.tool_call.arguments,
      };
    case 'tool_result':
      return {
        id,
        type: 'toolResult',
        callId: part.tool_call_id,
        result: typeof part.tool_result === 'string' ? part.tool_result : toText(part.tool_result as JsonObject),
      };
  }
}

/** The names of the extra body stand beside the others, as the vendor receives them. */
function flatParameters({ extra_body: extra, ...parameters }: JsonObject): JsonObject {
  return isObject(extra) ? { ...extra, ...parameters } : parameters;
}

function toChoice(choice: { readonly type: string; readonly function_name?: string } | undefined): ToolChoice {
  if (choice?.type === 'specific_function') return { type: 'specific_function', name: choice.function_name ?? '' };
  if (choice?.type === 'none' || choice?.type === 'zero_or_more' || choice?.type === 'one_or_more') {
    return { type: choice.type };
  }
  return { type: 'default' };
}
