import { type ExactJson, type ExactJsonObject, isJsonObject } from '../../base/exact-json.ts';
import type { GoogleParameters } from '../../model/prompts/prompt-parameters.ts';
import type { FunctionDefinition, PromptTools, ResponseFormat, ToolChoice } from '../../model/prompts/prompt-tools.ts';
import type { ChatMessage, ChatPart, ChatRequest } from '../contract/chat-model.ts';
import { parseDataUrl } from '../data-url.ts';
import { toArgumentsObject } from '../tool-arguments.ts';

/** The body of a request. The model and whether the response is streamed are parts of its URL. */
export function toBody(model: string, { messages, parameters, responseFormat, tools }: ChatRequest): ExactJsonObject {
  const system = messages.filter(({ role }) => role === 'system').map(toText);
  const config = toGenerationConfig(parameters.type === 'google' ? parameters.google : {}, responseFormat);
  return {
    contents: toContents(model, messages),
    ...(system.length > 0 && { systemInstruction: { parts: [{ text: system.join('\n') }] } }),
    ...toTools(tools),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
  } as ExactJsonObject;
}

/** Results of parallel calls belong into one message. */
function toContents(model: string, messages: readonly ChatMessage[]): ExactJson[] {
  const namesByCallId = new Map<string, string>();
  const contents: { role: string; parts: ExactJson[] }[] = [];
  let isAfterResult = false;
  for (const { role, parts } of messages) {
    if (role === 'system') continue;
    for (const part of parts) if (part.type === 'toolCall') namesByCallId.set(part.toolCall.id, part.toolCall.name);
    const converted = parts.map((part) => toPart(part, namesByCallId));
    const last = contents.at(-1);
    if (role === 'tool' && isAfterResult && last) last.parts.push(...converted);
    else contents.push({ role: role === 'assistant' ? 'model' : 'user', parts: signCalls(model, converted) });
    isAfterResult = role === 'tool';
  }
  return contents as unknown as ExactJson[];
}

/**
 * Models from 3 reject calls in earlier messages without the signature of the model's thoughts. This value, which the vendor documents, marks that a call
 * is from elsewhere. The first call of a message needs it.
 */
function signCalls(model: string, parts: ExactJson[]): ExactJson[] {
  if (!/gemini-([3-9]|\d\d)/.test(model)) return parts;
  const first = parts.findIndex((part) => isJsonObject(part) && part.functionCall !== undefined);
  return parts.map((part, index) =>
    index === first ? { ...(part as ExactJsonObject), thoughtSignature: 'skip_thought_signature_validator' } : part,
  );
}

function toPart(part: ChatPart, namesByCallId: ReadonlyMap<string, string>): ExactJson {
  switch (part.type) {
    case 'text':
      return { text: part.text };
    case 'image': {
      const data = parseDataUrl(part.url);
      if (data) return { inlineData: { mimeType: data.mediaType, data: data.base64 } };
      return { fileData: { fileUri: part.url, ...mediaTypeOf(part.url) } };
    }
    case 'toolCall': {
      const { id, name } = part.toolCall;
      return { functionCall: { ...(id !== '' && { id }), name, args: toArgumentsObject(part.toolCall) } };
    }
    case 'toolResult': {
      const { toolCallId: id, result } = part;
      // The vendor takes objects only.
      const response = isJsonObject(result) ? result : { result };
      return { functionResponse: { ...(id !== '' && { id }), name: namesByCallId.get(id) ?? id, response } };
    }
  }
}

const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['heic', 'image/heic'],
]);

/** The vendor cannot request the type of a file, so it must be sent. */
function mediaTypeOf(url: string): object {
  const mimeType = MEDIA_TYPES.get(/\.(\w+)(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? '');
  return mimeType === undefined ? {} : { mimeType };
}

const toText = ({ parts }: ChatMessage): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

/** Names of the vendor's REST interface. */
const NAMES = {
  temperature: 'temperature',
  max_output_tokens: 'maxOutputTokens',
  stop_sequences: 'stopSequences',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  top_p: 'topP',
  top_k: 'topK',
} as const satisfies Partial<Record<keyof GoogleParameters, string>>;

function toGenerationConfig(parameters: GoogleParameters, format: ResponseFormat | null): object {
  const config: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(NAMES)) {
    const given = parameters[name as keyof typeof NAMES];
    if (given !== undefined) config[value] = given;
  }
  return {
    ...config,
    ...toThinkingConfig(parameters.thinking_config),
    ...(format && { responseMimeType: 'application/json' }),
    ...(format?.json_schema.schema && { responseJsonSchema: format.json_schema.schema }),
  };
}

/** A level also requests the thoughts, unless the prompt overrides it. */
function toThinkingConfig(thinking: GoogleParameters['thinking_config']): object {
  if (thinking === undefined) return {};
  const {
    thinking_budget,
    thinking_level,
    include_thoughts = thinking_level === undefined ? undefined : true,
  } = thinking;
  return {
    thinkingConfig: {
      ...(thinking_budget !== undefined && { thinkingBudget: thinking_budget }),
      ...(thinking_level !== undefined && { thinkingLevel: thinking_level.toUpperCase() }),
      ...(include_thoughts !== undefined && { includeThoughts: include_thoughts }),
    },
  };
}

function toTools(tools: PromptTools | null): object {
  if (tools === null) return {};
  const functions = tools.tools.flatMap((tool) => (tool.type === 'function' ? [toDeclaration(tool.function)] : []));
  const raw = tools.tools.flatMap((tool) => (tool.type === 'raw' ? [tool.raw] : []));
  return {
    tools: [...(functions.length > 0 ? [{ functionDeclarations: functions }] : []), ...raw],
    ...(tools.tool_choice && { toolConfig: { functionCallingConfig: toChoice(tools.tool_choice) } }),
  };
}

const toDeclaration = ({ name, description, parameters }: FunctionDefinition): object => ({
  name,
  ...(description !== undefined && { description }),
  ...(parameters && { parametersJsonSchema: parameters }),
});

function toChoice(choice: ToolChoice): object {
  switch (choice.type) {
    case 'none':
      return { mode: 'NONE' };
    case 'zero_or_more':
      return { mode: 'AUTO' };
    case 'one_or_more':
      return { mode: 'ANY' };
    case 'specific_function':
      return { mode: 'ANY', allowedFunctionNames: [choice.function_name] };
  }
}
