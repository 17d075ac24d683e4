import { type ExactJson, type ExactJsonObject, isJsonObject, newJsonObject } from '../../../base/exact-json.ts';
import { PROMPT_VERSION_ATTRIBUTES, readPromptVersionValue } from '../../../semconv/prompt-attributes.ts';
import { SpandrelError } from '../../../model/errors.ts';
import type { PromptVersion } from '../../../model/prompts/prompt.ts';
import type {
  ChatTemplate,
  PromptMessage,
  PromptTemplate,
  TemplateFormat,
} from '../../../model/prompts/prompt-template.ts';
import type { PromptTool, PromptTools } from '../../../model/prompts/prompt-tools.ts';
import { joinAttributeParts } from '../../../model/spans/nested-attributes.ts';
import type { SpanBody } from '../../../model/spans/span.ts';
import type { Ports } from '../../ports.ts';
import { attributeAt, decodeJson, decodeObject, textAt } from './attribute-at.ts';
import { matchTemplate, placeText } from './match-template.ts';
import { isSerial, readResponseFormat, readToolChoice } from './read-choice.ts';
import { readSpanMessages } from './read-messages.ts';
import { readModel } from './read-model.ts';
import { readParameters } from './read-parameters.ts';
import { readTools } from './read-tools.ts';
import type { RecordedTemplate, ReplayPart, ReplayWarning, SpanReplay } from './span-replay.ts';

/**
 * The recorded call of a span, as the playground runs it again. Parts that cannot be read have a warning each, and the rest is
 * kept. Variables that the span lacks are recovered by its template, or by that of a version.
 *
 * @throws {SpandrelError} `PROMPT_VERSION_NOT_FOUND` for a version that the caller names
 */
export async function replaySpan(
  { prompts }: Pick<Ports, 'prompts'>,
  body: SpanBody,
  versionRowId: number | null = null,
): Promise<SpanReplay> {
  const warnings: ReplayWarning[] = [];
  const attributes = readAttributes(body, warnings);
  const wanted = versionRowId ?? versionOf(attributes);
  const version = wanted === null ? undefined : (await prompts.findVersions([wanted])).get(wanted);
  if (versionRowId !== null && version === undefined) {
    throw new SpandrelError('PROMPT_VERSION_NOT_FOUND', 'The prompt version could not be found');
  }
  return toReplay(attributes, body, { version, isNamed: versionRowId !== null }, warnings);
}

function readAttributes({ attributeParts }: SpanBody, warnings: ReplayWarning[]): ExactJsonObject {
  try {
    return joinAttributeParts(attributeParts);
  } catch {
    warnings.push({ part: 'ATTRIBUTES', message: 'The attributes of the span are not a JSON object.' });
    return newJsonObject();
  }
}

function versionOf(attributes: ExactJsonObject): number | null {
  for (const name of PROMPT_VERSION_ATTRIBUTES) {
    const rowId = readPromptVersionValue(textAt(attributes, name) ?? '');
    if (rowId !== undefined) return rowId;
  }
  return null;
}

interface KnownVersion {
  readonly version: PromptVersion | undefined;
  /** Whether the caller has named it. */
  readonly isNamed: boolean;
}

function toReplay(
  attributes: ExactJsonObject,
  body: SpanBody,
  { version, isNamed }: KnownVersion,
  warnings: ReplayWarning[],
): SpanReplay {
  const warn = (part: ReplayPart, message: string) => void warnings.push({ part, message });
  const orWarn = <Value>(value: Value | undefined, part: ReplayPart, message: string, otherwise: Value): Value => {
    if (value === undefined) warn(part, message);
    return value ?? otherwise;
  };
  const model = readModel(attributes);
  if (model.modelName === '') warn('MODEL', 'The span names no model.');
  else if (model.provider === null) warn('MODEL', `The provider of the model ${model.modelName} is not known.`);
  const provider = model.provider ?? 'OPENAI';
  const invocation = attributeAt(attributes, 'llm.invocation_parameters');
  const given = orWarn(
    invocation === undefined ? newJsonObject() : decodeObject(invocation),
    ...(['PARAMETERS', 'The invocation parameters are not a JSON object.', newJsonObject()] as const),
  );
  const { parameters, leftOut } = readParameters(given, provider);
  if (leftOut.length > 0) warn('PARAMETERS', `Some parameters are left out: ${leftOut.slice(0, 20).join(', ')}.`);
  const messages = readMessages(attributes, body);
  const tools = orWarn(readTools(attributeAt(attributes, 'llm.tools')), 'TOOLS', 'Some tools cannot be read.', []);
  const responseFormat = orWarn(
    readResponseFormat(given),
    ...(['RESPONSE_FORMAT', 'The response format cannot be read.', null] as const),
  );
  const known = orWarn(messages, 'INPUT_MESSAGES', 'The input messages cannot be read.', []);
  const template = isNamed
    ? versionTemplate(version)
    : (recordedTemplate(attributes, known) ?? versionTemplate(version));
  const variables = readVariables(attributes, template, known, warn);
  const output = readOutput(attributes, body, warn);
  const content = {
    modelProvider: provider,
    modelName: model.modelName,
    invocationParameters: parameters,
    tools: toPromptTools(tools, given),
    responseFormat,
  };
  return {
    sent: { ...content, template: { type: 'chat', messages: known }, templateFormat: 'NONE' },
    template: template ?? null,
    connection: model.connection,
    promptVersionRowId: version?.rowId ?? null,
    ...variables,
    output,
    warnings,
  };
}

/** Messages of the call. One that has none may have a text. */
function readMessages(attributes: ExactJsonObject, body: SpanBody): PromptMessage[] | undefined {
  const messages = readSpanMessages(attributeAt(attributes, 'llm.input_messages'));
  if (messages === undefined || messages.length > 0) return messages;
  const [prompt] = [attributeAt(attributes, 'llm.prompts')].flat();
  const text = textAt(prompt, 'prompt.text') ?? (decodeObject(body.input ?? undefined) ? undefined : body.input);
  return text ? [{ role: 'user', content: text }] : undefined;
}

/** The template that the span contains: messages as JSON, or the text of one of the messages. */
function recordedTemplate(attributes: ExactJsonObject, sent: readonly PromptMessage[]): RecordedTemplate | undefined {
  const text = textAt(attributes, 'llm.prompt_template.template');
  if (!text) return undefined;
  const decoded = decodeJson(text);
  const list = isJsonObject(decoded) ? decoded.messages : decoded;
  const messages = Array.isArray(list) ? readTemplateMessages(list) : undefined;
  const templateFormat = formatOf(text);
  const template: ChatTemplate = { type: 'chat', messages: messages ?? placeText(text, templateFormat, sent) };
  return { template, templateFormat };
}

/** Messages as the server records them, or as spans have them. */
function readTemplateMessages(list: ExactJson[]): readonly PromptMessage[] | undefined {
  const isOurs = list.every(
    (item) =>
      isJsonObject(item) &&
      typeof item.role === 'string' &&
      (typeof item.content === 'string' || (Array.isArray(item.content) && item.content.every(isOwnPart))),
  );
  return isOurs ? (list as unknown as PromptMessage[]) : readSpanMessages(list);
}

const isOwnPart = (part: ExactJson): boolean =>
  isJsonObject(part) &&
  (typeof part.text === 'string' ||
    isJsonObject(part.image) ||
    (typeof part.tool_call_id === 'string' && (isJsonObject(part.tool_call) || part.tool_result !== undefined)));

const versionTemplate = (version: PromptVersion | undefined): RecordedTemplate | undefined =>
  version && { template: asChat(version.template), templateFormat: version.templateFormat };

const asChat = (template: PromptTemplate): ChatTemplate =>
  template.type === 'chat' ? template : { type: 'chat', messages: [{ role: 'user', content: template.template }] };

/** A span does not say the format of its template. */
function formatOf(text: string): TemplateFormat {
  if (/\{\{[^{}]+\}\}/.test(text)) return 'MUSTACHE';
  // JSON text has braces and quotes.
  return /\{[A-Za-z_][\w.]*\}/.test(text) ? 'F_STRING' : 'NONE';
}

function readVariables(
  attributes: ExactJsonObject,
  known: RecordedTemplate | undefined,
  messages: readonly PromptMessage[],
  warn: (part: ReplayPart, message: string) => void,
): Pick<SpanReplay, 'variables' | 'variablesSource'> {
  const recorded = attributeAt(attributes, 'llm.prompt_template.variables');
  const read = recorded === undefined ? undefined : decodeObject(recorded);
  if (recorded !== undefined && read === undefined) warn('VARIABLES', 'The variables are not a JSON object.');
  if (read) return { variables: read, variablesSource: 'RECORDED' };
  const matched = known && matchTemplate(known.template, known.templateFormat, messages);
  if (matched) return { variables: matched, variablesSource: 'RECOVERED' };
  if (known && recorded === undefined) warn('VARIABLES', 'The variables cannot be recovered by the template.');
  return { variables: newJsonObject(), variablesSource: 'NONE' };
}

function readOutput(
  attributes: ExactJsonObject,
  { output }: SpanBody,
  warn: (part: ReplayPart, message: string) => void,
): readonly PromptMessage[] {
  const messages = readSpanMessages(attributeAt(attributes, 'llm.output_messages'));
  if (messages === undefined) warn('OUTPUT_MESSAGES', 'The output messages cannot be read.');
  if (messages && messages.length > 0) return messages;
  if (output === null || output === '') return [];
  const isJson = (textAt(attributes, 'output.mime_type') ?? '').includes('json');
  if (isJson && decodeJson(output) === undefined) warn('OUTPUT_VALUE', 'The output value is not JSON.');
  return [{ role: 'assistant', content: output }];
}

function toPromptTools(tools: readonly PromptTool[], parameters: ExactJsonObject): PromptTools | null {
  if (tools.length === 0) return null;
  const choice = readToolChoice(parameters);
  return {
    type: 'tools',
    tools,
    ...(choice && { tool_choice: choice }),
    ...(isSerial(parameters) && { disable_parallel_tool_calls: true }),
  };
}
