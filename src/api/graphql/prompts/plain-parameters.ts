import { familyOf, type ModelProvider, type ParameterFamily } from '../../../model/prompts/prompt-parameters.ts';

type Fields = Readonly<Record<string, unknown>>;

const FAMILIES: ReadonlySet<string> = new Set<ParameterFamily>(['openai', 'anthropic', 'google', 'aws']);

/** Vendor's names that the input of a family has as fields. */
const NAMES: Readonly<Record<ParameterFamily, ReadonlySet<string>>> = {
  openai: new Set([
    'temperature',
    'max_tokens',
    'max_completion_tokens',
    'frequency_penalty',
    'presence_penalty',
    'top_p',
    'seed',
    'stop',
    'reasoning_effort',
  ]),
  anthropic: new Set(['max_tokens', 'temperature', 'top_p', 'stop_sequences', 'output_config', 'thinking']),
  google: new Set([
    'temperature',
    'max_output_tokens',
    'stop_sequences',
    'presence_penalty',
    'frequency_penalty',
    'top_p',
    'top_k',
    'thinking_config',
    'thinking_level',
  ]),
  aws: new Set(['max_tokens', 'temperature', 'top_p', 'stop_sequences']),
};

const HAS_EXTRA_BODY: ReadonlySet<string> = new Set<ParameterFamily>(['openai', 'anthropic']);

/** Largest response of a model of Anthropic that states none. */
const ANTHROPIC_MAX_TOKENS = 1_024;

/**
 * Converts the parameters of a `ChatPromptVersionInput` from the older public form, a JSON object by the names of the vendor,
 * to the present one. Names that the family does not know go into its extra body, or stay for GraphQL to reject. Any other
 * value stays as it is.
 */
export function withCurrentParameters(input: Fields): Fields {
  const { invocationParameters: parameters, modelProvider } = input;
  if (!isObject(parameters) || isCurrent(parameters) || typeof modelProvider !== 'string') return input;
  const family = familyOf(modelProvider as ModelProvider);
  return { ...input, invocationParameters: { [family]: toCurrent(parameters, family) } };
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** GraphQL rejects several families at once, or a family beside other names. */
const isCurrent = (parameters: Fields): boolean =>
  Object.entries(parameters).some(([name, value]) => FAMILIES.has(name) && isObject(value));

function toCurrent(parameters: Fields, family: ParameterFamily): Fields {
  const { extra_body: extraBody, ...given } = Object.fromEntries(
    Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined),
  );
  const known: [string, unknown][] = family === 'anthropic' ? [['maxTokens', ANTHROPIC_MAX_TOKENS]] : [];
  const unknown: [string, unknown][] = isObject(extraBody) ? Object.entries(extraBody) : [];
  for (const [name, value] of Object.entries(given)) {
    if (NAMES[family].has(name)) known.push(toField(name, value));
    else if (HAS_EXTRA_BODY.has(family)) unknown.push([name, value]);
    else known.push([name, value]);
  }
  if (extraBody !== undefined && !isObject(extraBody)) known.push(['extraBody', extraBody]);
  else if (unknown.length > 0) known.push(['extraBody', Object.fromEntries(unknown)]);
  return Object.fromEntries(known);
}

function toField(name: string, value: unknown): [string, unknown] {
  switch (name) {
    case 'reasoning_effort':
      return ['reasoningEffort', toEnum(value)];
    case 'output_config':
      return ['outputConfig', withEnums(value)];
    case 'thinking_config':
      return ['thinkingConfig', withEnums(value)];
    case 'thinking_level':
      return ['thinkingConfig', { thinkingLevel: toEnum(value), includeThoughts: true }];
    case 'thinking':
      return ['thinking', toThinking(value)];
    default:
      return [toCamelCase(name), value];
  }
}

/** `{"type": "enabled", "budget_tokens": 2048}` as `{enabled: {budgetTokens: 2048}}`. */
function toThinking(value: unknown): unknown {
  if (!isObject(value) || typeof value.type !== 'string') return value;
  const { type, ...rest } = value;
  return { [type]: type === 'disabled' ? { disabled: true } : withEnums(rest) };
}

const ENUMS: ReadonlySet<string> = new Set(['effort', 'display', 'thinking_level']);

const withEnums = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, one]) => [toCamelCase(name), ENUMS.has(name) ? toEnum(one) : one]),
      )
    : value;

const toEnum = (value: unknown): unknown => (typeof value === 'string' ? value.toUpperCase() : value);

const toCamelCase = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
