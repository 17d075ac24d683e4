import { isObject, type Json, type JsonObject } from '../../../../semconv/read-open-inference.ts';
import { readTool } from './tools.ts';
import { type EditedPart, parseJson, type Variant } from './variant.ts';

/** `ChatPromptVersionInput` of a variant. Texts that are no JSON are left out; `problemsOf` names them. */
export function toVersionInput(variant: Variant): JsonObject {
  const { model, messages, format, tools, toolChoice, isSerial } = variant;
  const toolInputs = tools.flatMap(({ text }) => toToolInput(parseJson(text)));
  const responseFormat = toResponseFormat(variant.responseFormat);
  return {
    templateFormat: format,
    template: {
      messages: messages.map(({ role, parts }) => ({
        role: role.toUpperCase(),
        content: (parts.length === 0 ? [EMPTY_PART] : parts).map(toPartInput),
      })),
    },
    invocationParameters: variant.parameters,
    ...(toolInputs.length > 0 && {
      tools: {
        tools: toolInputs,
        ...(toolChoice.type !== 'default' && { toolChoice: toChoiceInput(toolChoice) }),
        ...(isSerial && { disableParallelToolCalls: true }),
      },
    }),
    ...(responseFormat && { responseFormat }),
    modelProvider: model.provider,
    modelName: model.name,
    ...(model.customProviderId !== null && { customProviderId: model.customProviderId }),
  };
}

/** Identifies the content of a variant, so that changes can be told. */
export const fingerprintOf = (variant: Variant): string => JSON.stringify(toVersionInput(variant));

export const isUnsaved = (variant: Variant): boolean =>
  variant.source !== null && variant.source.fingerprint !== fingerprintOf(variant);

const EMPTY_PART: EditedPart = { id: '', type: 'text', text: '' };

function toPartInput(part: EditedPart): JsonObject {
  switch (part.type) {
    case 'text':
      return { text: { text: part.text } };
    case 'image':
      return { image: { url: part.url } };
    case 'toolCall':
      return {
        toolCall: { toolCallId: part.callId, toolCall: { name: part.name, arguments: part.arguments } },
      };
    case 'toolResult':
      return { toolResult: { toolCallId: part.callId, result: part.result } };
  }
}

function toToolInput(value: Json | undefined): readonly JsonObject[] {
  const read = readTool(value);
  if (read) return [{ function: { ...read } as JsonObject }];
  return isObject(value) ? [{ raw: value }] : [];
}

const toChoiceInput = (choice: Variant['toolChoice']): JsonObject => {
  switch (choice.type) {
    case 'specific_function':
      return { functionName: choice.name };
    case 'none':
      return { none: true };
    case 'one_or_more':
      return { oneOrMore: true };
    default:
      return { zeroOrMore: true };
  }
};

function toResponseFormat(text: string | null): JsonObject | undefined {
  const value = text === null ? undefined : parseJson(text);
  if (!isObject(value)) return undefined;
  const { name, description, schema, strict } = value;
  return {
    type: 'json_schema',
    jsonSchema: {
      name: typeof name === 'string' && name !== '' ? name : 'response',
      ...(typeof description === 'string' && { description }),
      ...(isObject(schema) && { schema }),
      ...(typeof strict === 'boolean' && { strict }),
    },
  };
}

/** Reasons why a variant cannot run, in the words of its column. */
export function problemsOf({ messages, tools, toolChoice, responseFormat, model }: Variant): readonly string[] {
  const names = tools.flatMap(({ text }) => readTool(parseJson(text))?.name ?? []);
  return [
    ...(model.name.trim() === '' ? ['Choose a model.'] : []),
    ...(messages.length === 0 ? ['Add a message.'] : []),
    ...tools.flatMap(({ text }, index) =>
      isObject(parseJson(text)) ? [] : [`Tool ${index + 1} is not a JSON object.`],
    ),
    ...(toolChoice.type === 'specific_function' && !names.includes(toolChoice.name)
      ? [`No tool has the name ${toolChoice.name}, which the model must call.`]
      : []),
    ...(responseFormat !== null && !isObject(parseJson(responseFormat))
      ? ['The response format is not a JSON object.']
      : []),
  ];
}
