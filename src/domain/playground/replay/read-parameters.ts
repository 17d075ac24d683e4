import { type ExactJson, type ExactJsonObject, ExactNumber, newJsonObject } from '../../../base/exact-json.ts';
import { familyOf, type InvocationParameters, type ModelProvider } from '../../../model/prompts/prompt-parameters.ts';
import { isJsonObject } from '../../../model/spans/nested-attributes.ts';

/** Parameters of a call as far as prompts have them. */
export interface ReadParameters {
  readonly parameters: InvocationParameters;
  /** Names that no prompt of the provider has. */
  readonly leftOut: readonly string[];
}

type Kind = 'number' | 'texts' | 'text' | 'object';

const OPENAI: Readonly<Record<string, Kind>> = {
  temperature: 'number',
  max_tokens: 'number',
  max_completion_tokens: 'number',
  frequency_penalty: 'number',
  presence_penalty: 'number',
  top_p: 'number',
  seed: 'number',
  stop: 'texts',
  reasoning_effort: 'text',
};
const NAMES: Readonly<Record<InvocationParameters['type'], Readonly<Record<string, Kind>>>> = {
  openai: OPENAI,
  anthropic: {
    ...{ max_tokens: 'number', temperature: 'number', top_p: 'number', stop_sequences: 'texts', thinking: 'object' },
  },
  google: {
    ...{ temperature: 'number', max_output_tokens: 'number', stop_sequences: 'texts', presence_penalty: 'number' },
    ...{ frequency_penalty: 'number', top_p: 'number', top_k: 'number', thinking_config: 'object' },
  },
  aws: { max_tokens: 'number', temperature: 'number', top_p: 'number', stop_sequences: 'texts' },
};

/** Parts of a body that a prompt holds elsewhere, or that belong to one call. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...['model', 'model_name', 'messages', 'input', 'contents', 'system', 'system_instruction', 'tools', 'tool_choice'],
  ...['tool_config', 'parallel_tool_calls', 'response_format', 'text', 'output_config', 'stream', 'stream_options'],
  ...['response_mime_type', 'response_json_schema', 'response_schema', 'store', 'user', 'model_id'],
]);
/** Objects that hold the parameters of Google and Bedrock. */
const GROUPS: ReadonlySet<string> = new Set(['generation_config', 'inference_config', 'config']);
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([['max_output_tokens', 'max_completion_tokens']]);
/** What Anthropic needs and a call of another vendor may lack. */
const ANTHROPIC_MAX_TOKENS = 1_024;

export function readParameters(given: ExactJsonObject, provider: ModelProvider): ReadParameters {
  const family = familyOf(provider);
  const read = newJsonObject();
  const leftOut: string[] = [];
  for (const [name, value] of fieldsOf(given)) {
    const known = family === 'openai' ? (OTHER_NAMES.get(name) ?? name) : name;
    const converted = Object.hasOwn(NAMES[family], known) ? convert(NAMES[family][known] as Kind, value) : undefined;
    if (converted !== undefined) read[known] = converted;
    else if (!ELSEWHERE.has(name) && value !== null) leftOut.push(name);
  }
  const effort = isJsonObject(given.reasoning) ? given.reasoning.effort : undefined;
  if (family === 'openai' && typeof effort === 'string') {
    read.reasoning_effort = effort;
    leftOut.splice(0, leftOut.length, ...leftOut.filter((name) => name !== 'reasoning'));
  }
  if (family === 'anthropic') read.max_tokens ??= ANTHROPIC_MAX_TOKENS;
  return { parameters: { type: family, [family]: read } as unknown as InvocationParameters, leftOut };
}

/** Fields by names with underscores, those of groups among the others. */
function fieldsOf(given: ExactJsonObject): (readonly [string, ExactJson])[] {
  return Object.entries(given).flatMap(([camel, value]) => {
    const name = toSnake(camel);
    return GROUPS.has(name) && isJsonObject(value) ? fieldsOf(value) : [[name, value] as const];
  });
}

const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function convert(kind: Kind, value: ExactJson): ExactJson | undefined {
  switch (kind) {
    case 'number':
      return typeof value === 'number' || value instanceof ExactNumber ? value : undefined;
    case 'text':
      return typeof value === 'string' ? value : undefined;
    case 'texts':
      if (typeof value === 'string') return [value];
      return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
    case 'object':
      return isJsonObject(value) ? snakeKeys(value) : undefined;
  }
}

function snakeKeys(value: ExactJsonObject): ExactJsonObject {
  const renamed = newJsonObject();
  for (const [name, item] of Object.entries(value)) renamed[toSnake(name)] = item;
  return renamed;
}
