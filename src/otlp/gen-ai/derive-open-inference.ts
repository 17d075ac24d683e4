import { type ExactJson, type ExactJsonObject, ExactNumber, toExactJsonText } from '../../base/exact-json.ts';
import { expectPresent } from '../../base/expect-present.ts';
import { parseExactJson } from '../../base/parse-exact-json.ts';
import { INVOCATION_PARAMETERS, KIND_OF_OPERATION, NAMES_OF_PROVIDER } from '../../semconv/gen-ai.ts';
import { VALUE_DEPTH_MAX } from '../../model/limits/spans.ts';
import { integerOfNumber } from '../attributes/token-count.ts';
import { toMessageAttributes } from './gen-ai-messages.ts';
import { asText, isObject } from './json-values.ts';

/** A bigint is an int64, a number a double. */
export type DerivedValue = string | bigint | number | readonly string[];
export type Attributes = ReadonlyMap<string, ExactJson>;
export type Derived = Iterable<readonly [string, DerivedValue]>;

/** OpenInference attributes with the meaning of a span's `gen_ai` attributes. */
export function deriveOpenInference(attributes: Attributes): Map<string, DerivedValue> {
  const sentKind = text(attributes, 'openinference.span.kind');
  const kind = sentKind?.toUpperCase() ?? kindOf(attributes);
  return new Map<string, DerivedValue>([
    ...(kind === undefined ? [] : [['openinference.span.kind', kind] as const]),
    ...providerOf(attributes),
    ...renamed(attributes, { 'gen_ai.conversation.id': 'session.id' }),
    ...requestOf(attributes, kind),
    ...tokensOf(attributes),
    ...messagesOf(attributes),
    ...toolDefinitionsOf(attributes),
    ...(kind === 'TOOL' ? toolOf(attributes) : []),
    ...(kind === 'RETRIEVER' ? retrievalOf(attributes) : []),
    ...(kind === 'TOOL' && attributes.has('gen_ai.tool.call.result') ? [] : responseOf(attributes)),
  ]);
}

function kindOf(attributes: Attributes): string | undefined {
  const operation = text(attributes, 'gen_ai.operation.name');
  if (operation !== undefined) {
    return Object.hasOwn(KIND_OF_OPERATION, operation) ? KIND_OF_OPERATION[operation] : undefined;
  }
  const has = (...names: string[]) => names.some((name) => attributes.has(`gen_ai.${name}`));
  if (has('tool.call.id', 'tool.name')) return 'TOOL';
  if (has('retrieval.documents', 'retrieval.query.text')) return 'RETRIEVER';
  if (has('embeddings.dimension.count')) return 'EMBEDDING';
  return has('input.messages', 'output.messages', 'request.model') ? 'LLM' : undefined;
}

function* providerOf(attributes: Attributes): Derived {
  const name = text(attributes, 'gen_ai.provider.name') ?? text(attributes, 'gen_ai.system')?.toLowerCase();
  if (name === undefined) return;
  const { provider, system } = Object.hasOwn(NAMES_OF_PROVIDER, name)
    ? expectPresent(NAMES_OF_PROVIDER[name], 'the name is a key')
    : { provider: undefined, system: name };
  if (provider !== undefined) yield ['llm.provider', provider];
  if (system !== undefined) yield ['llm.system', system];
}

function* requestOf(attributes: Attributes, kind: string | undefined): Derived {
  const prefix = kind === 'EMBEDDING' ? 'embedding' : 'llm';
  yield* renamed(attributes, { 'gen_ai.request.model': `${prefix}.model_name` });
  const parameters: ExactJsonObject = Object.create(null);
  for (const [name, parameter] of Object.entries(INVOCATION_PARAMETERS)) {
    const value = attributes.get(`gen_ai.request.${name}`);
    if (value !== undefined) parameters[parameter] = value;
  }
  const formats = attributes.get('gen_ai.request.encoding_formats');
  const [onlyFormat, ...otherFormats] = Array.isArray(formats) ? formats : [];
  if (onlyFormat !== undefined && otherFormats.length === 0) parameters.encoding_format = onlyFormat;
  else if (formats !== undefined) parameters.encoding_formats = formats;
  const outputType = text(attributes, 'gen_ai.output.type');
  if (outputType === 'json') parameters.response_format = { type: 'json_object' };
  if (outputType === 'text') parameters.response_format = { type: 'text' };
  if (Object.keys(parameters).length > 0) yield [`${prefix}.invocation_parameters`, toExactJsonText(parameters)];
}

function* tokensOf(attributes: Attributes): Derived {
  const count = (name: string) => integer(attributes.get(`gen_ai.usage.${name}`));
  const input = count('input_tokens');
  const output = count('output_tokens');
  const total = input !== undefined && output !== undefined ? input + output : undefined;
  for (const [key, value] of [
    ['prompt', input],
    ['completion', output],
    ['total', total],
    ['prompt_details.cache_read', count('cache_read.input_tokens')],
    ['prompt_details.cache_write', count('cache_creation.input_tokens')],
  ] as const) {
    if (value !== undefined && BigInt.asIntN(64, value) === value) yield [`llm.token_count.${key}`, value];
  }
}

function* messagesOf(attributes: Attributes): Derived {
  const instructions = list(attributes, 'gen_ai.system_instructions');
  const system =
    instructions && toMessageAttributes([{ role: 'system', parts: instructions }], 'llm.input_messages', 0);
  if (system !== undefined) yield* system;
  const input = list(attributes, 'gen_ai.input.messages');
  yield* (input && toMessageAttributes(input, 'llm.input_messages', system === undefined ? 0 : 1)) ?? [];
  const output = list(attributes, 'gen_ai.output.messages');
  yield* (output && toMessageAttributes(output, 'llm.output_messages', 0)) ?? [];
  const reasons = strings(attributes.get('gen_ai.response.finish_reasons'));
  const [onlyReason, ...otherReasons] = reasons ?? [];
  if (reasons !== undefined && onlyReason !== undefined)
    yield ['llm.finish_reason', otherReasons.length === 0 ? onlyReason : reasons];
}

function* toolDefinitionsOf(attributes: Attributes): Derived {
  const definitions = list(attributes, 'gen_ai.tool.definitions');
  if (definitions === undefined || !definitions.every(isObject)) return;
  for (const [i, definition] of definitions.entries()) {
    const { type, ...fields } = definition;
    const schema = isObject(definition.function) ? definition : { type: type ?? 'function', function: fields };
    yield [`llm.tools.${i}.tool.json_schema`, toExactJsonText(schema)];
  }
}

function* toolOf(attributes: Attributes): Derived {
  yield* renamed(attributes, {
    'gen_ai.tool.name': 'tool.name',
    'gen_ai.tool.description': 'tool.description',
    'gen_ai.tool.call.id': 'tool.id',
    'gen_ai.tool.call.arguments': 'tool.parameters',
    'gen_ai.tool.call.result': 'output.value',
  });
  const result = attributes.get('gen_ai.tool.call.result');
  const parsed = typeof result === 'string' ? parse(result) : result;
  if (isObject(parsed) || Array.isArray(parsed)) yield ['output.mime_type', 'application/json'];
}

function* retrievalOf(attributes: Attributes): Derived {
  const query = text(attributes, 'gen_ai.retrieval.query.text');
  if (query !== undefined) {
    yield ['input.value', query];
    yield ['input.mime_type', 'text/plain'];
  }
  const documents = list(attributes, 'gen_ai.retrieval.documents');
  if (documents === undefined || !documents.every(isObject)) return;
  for (const [i, document] of documents.entries()) {
    for (const name of ['id', 'score', 'content', 'metadata']) {
      const value = document[name];
      if (value === undefined || value === null) continue;
      const key = `retrieval.documents.${i}.document.${name}`;
      const isNumber = typeof value === 'number' || value instanceof ExactNumber;
      yield [key, name === 'score' && isNumber ? Number(value) : asText(value)];
    }
  }
}

function* responseOf(attributes: Attributes): Derived {
  const id = text(attributes, 'gen_ai.response.id');
  const model = text(attributes, 'gen_ai.response.model');
  if (id === undefined && model === undefined) return;
  yield ['output.value', JSON.stringify({ id, model })];
  yield ['output.mime_type', 'application/json'];
}

/** Yields texts under other names, and other values as JSON text. */
function* renamed(attributes: Attributes, names: Readonly<Record<string, string>>): Derived {
  for (const [from, to] of Object.entries(names)) {
    const value = attributes.get(from);
    if (value !== undefined) yield [to, asText(value)];
  }
}

function text(attributes: Attributes, key: string): string | undefined {
  const value = attributes.get(key);
  return typeof value === 'string' ? value : undefined;
}

/** A list that was sent as a list or as JSON text. */
function list(attributes: Attributes, key: string): ExactJson[] | undefined {
  const value = attributes.get(key);
  const parsed = typeof value === 'string' ? parse(value) : value;
  return Array.isArray(parsed) ? parsed : undefined;
}

function parse(json: string): ExactJson | undefined {
  try {
    return parseExactJson(json, { depthMax: VALUE_DEPTH_MAX });
  } catch {
    return undefined;
  }
}

function strings(value: ExactJson | undefined): string[] | undefined {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

function integer(value: ExactJson | undefined): bigint | undefined {
  if (value instanceof ExactNumber && /^-?\d+$/.test(value.text)) return BigInt(value.text);
  return typeof value === 'number' || value instanceof ExactNumber ? integerOfNumber(Number(value)) : undefined;
}
