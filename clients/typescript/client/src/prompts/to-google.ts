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

export interface GooglePart {
  text?: string;
  inlineData?: { mimeType: string; data: string };
  fileData?: { fileUri: string };
  functionCall?: { id: string; name: string; args: Record<string, unknown> };
  functionResponse?: { id: string; name: string; response: Record<string, unknown> };
}

/** Arguments of `models.generateContent` of `@google/genai`. */
export interface GoogleArguments {
  model: string;
  contents: { role: 'user' | 'model'; parts: GooglePart[] }[];
  config: Record<string, unknown>;
}

const VENDOR = 'Google';
const PARAMETERS = {
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  max_output_tokens: 'maxOutputTokens',
  max_tokens: 'maxOutputTokens',
  max_completion_tokens: 'maxOutputTokens',
  stop_sequences: 'stopSequences',
  stop: 'stopSequences',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  seed: 'seed',
};
const THINKING = { thinking_budget: 'thinkingBudget', include_thoughts: 'includeThoughts' };

export function toGoogle({ version, messages }: RenderedPrompt): GoogleArguments {
  const isSystem = (message: PromptMessage) => ['system', 'developer'].includes(roleOf(message));
  const system = messages.filter(isSystem).flatMap((message) => partsOf(message).map(toSystemText));
  const names = new Map<string, string>();
  for (const part of messages.flatMap(partsOf)) {
    if (part.type === 'tool_call') names.set(part.tool_call_id, part.tool_call.name);
  }
  const { response_format: format, tools } = version;
  return {
    model: version.model_name,
    contents: messages
      .filter((message) => !isSystem(message))
      .map((message) => ({
        role: roleOf(message) === 'assistant' ? 'model' : 'user',
        parts: partsOf(message).map((part) => toPart(part, names)),
      })),
    config: {
      ...toParameters(version),
      ...(system.length > 0 && { systemInstruction: system.join('\n') }),
      ...(tools && toToolArguments(tools)),
      ...(format && { responseMimeType: 'application/json', responseJsonSchema: format.json_schema.schema ?? {} }),
    },
  };
}

function toParameters(version: RenderedPrompt['version']): Record<string, unknown> {
  const { values } = readParameters(version);
  const thinking = values.thinking_config as Record<string, unknown> | undefined;
  const level = thinking?.thinking_level;
  return {
    ...pickParameters(values, PARAMETERS),
    ...(thinking && {
      thinkingConfig: {
        ...pickParameters(thinking, THINKING),
        ...(typeof level === 'string' && { thinkingLevel: level.toUpperCase() }),
      },
    }),
  };
}

const toSystemText = (part: PromptPart): string =>
  part.type === 'text' ? part.text : cannotExpress(VENDOR, `a part ${part.type} in a system message`);

function toPart(part: PromptPart, names: ReadonlyMap<string, string>): GooglePart {
  if (part.type === 'text') return { text: part.text };
  if (part.type === 'image') {
    const inline = parseDataUrl(part.image.url);
    return inline
      ? { inlineData: { mimeType: inline.mediaType, data: inline.data } }
      : { fileData: { fileUri: part.image.url } };
  }
  const { tool_call_id: id } = part;
  if (part.type === 'tool_call') {
    return { functionCall: { id, name: part.tool_call.name, args: parseArguments(part.tool_call.arguments) } };
  }
  const name = names.get(id) ?? cannotExpress(VENDOR, 'the result of a tool whose call is not in the prompt');
  const { tool_result: result } = part;
  const isObject = typeof result === 'object' && result !== null && !Array.isArray(result);
  return {
    functionResponse: { id, name, response: isObject ? (result as Record<string, unknown>) : { output: result } },
  };
}

function toToolArguments({ tools, tool_choice: choice, disable_parallel_tool_calls: isSerial }: PromptTools) {
  if (isSerial) cannotExpress(VENDOR, 'tools that are called one after another');
  const declarations = tools.flatMap((tool) => {
    if (tool.type === 'raw') return [];
    const { name, description, parameters } = tool.function;
    return [
      {
        name,
        ...(description !== undefined && { description }),
        ...(parameters && { parametersJsonSchema: parameters }),
      },
    ];
  });
  const raw = tools.flatMap((tool) => (tool.type === 'raw' ? [tool.raw] : []));
  return {
    tools: [...(declarations.length > 0 ? [{ functionDeclarations: declarations }] : []), ...raw],
    ...(choice && { toolConfig: { functionCallingConfig: toChoice(choice) } }),
  };
}

function toChoice(choice: NonNullable<PromptTools['tool_choice']>) {
  if (choice.type === 'none') return { mode: 'NONE' };
  if (choice.type === 'zero_or_more') return { mode: 'AUTO' };
  if (choice.type === 'one_or_more') return { mode: 'ANY' };
  return { mode: 'ANY', allowedFunctionNames: [choice.function_name] };
}
