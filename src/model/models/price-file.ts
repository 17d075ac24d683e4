import { MODEL_NAME_CHARS_MAX, MODEL_PRICE_COUNT_MAX, TOKEN_TYPE_CHARS_MAX } from '../limits/models.ts';
import type { NewGenerativeModel, PriceAbove, TokenPrice } from './generative-model.ts';
import { checkNamePattern } from './name-pattern.ts';

/** Content of `config/model-prices.json`. */
export interface PriceFile {
  /** Day on which the prices were valid, for example `2025-11-30`. */
  readonly asOf: string;
  readonly models: readonly NewGenerativeModel[];
}

/**
 * Reads the text of a price file:
 *
 *     {"asOf": "…", "models": [{"name": "…", "provider": "…", "namePattern": "…", "startTime": "…",
 *       "prompt": {"input": 2.5, …}, "completion": {"output": 10, …},
 *       "above": {"count": "prompt", "threshold": 200000, "prompt": {…}, "completion": {…}}}]}
 *
 * Prices are US dollars for a million tokens, by token type. `provider`, `startTime`, `completion` and `above` may be absent.
 *
 * @throws {Error} with the location of the problem.
 */
export function parsePriceFile(text: string): PriceFile {
  const file = expectObject(JSON.parse(text), 'the file');
  expectKeys(file, ['asOf', 'note', 'models'], 'the file');
  const asOf = expectText(file.asOf, 'asOf', 10);
  if (!Array.isArray(file.models) || file.models.length === 0) throw new Error('models: expected a list of models');
  const models = file.models.map(toModel);
  const names = new Set<string>();
  for (const { name } of models) {
    if (names.has(name)) throw new Error(`model ${name}: the name is not unique`);
    names.add(name);
  }
  return { asOf, models };
}

const MODEL_KEYS = ['name', 'provider', 'namePattern', 'startTime', 'prompt', 'completion', 'above'];

function toModel(value: unknown, index: number): NewGenerativeModel {
  const model = expectObject(value, `model ${index}`);
  const name = expectText(model.name, `model ${index}: name`, MODEL_NAME_CHARS_MAX);
  const where = `model ${name}`;
  expectKeys(model, MODEL_KEYS, where);
  const namePattern = expectText(model.namePattern, `${where}: namePattern`, Number.MAX_SAFE_INTEGER);
  try {
    checkNamePattern(namePattern);
  } catch (error) {
    throw new Error(`${where}: namePattern: ${(error as Error).message}`, { cause: error });
  }
  const above = model.above === undefined ? undefined : expectObject(model.above, `${where}: above`);
  if (above) expectKeys(above, ['count', 'threshold', 'prompt', 'completion'], `${where}: above`);
  const prices = [
    ...toPrices(model.prompt, above, true, where),
    ...(model.completion === undefined ? [] : toPrices(model.completion, above, false, where)),
  ];
  if (!prices.some(({ tokenType }) => tokenType === 'input'))
    throw new Error(`${where}: prompt: has no price for input`);
  if (prices.length > MODEL_PRICE_COUNT_MAX) throw new Error(`${where}: more than ${MODEL_PRICE_COUNT_MAX} prices`);
  return {
    name,
    provider: model.provider === undefined ? '' : expectText(model.provider, `${where}: provider`, 100),
    namePattern,
    startTimeMs: model.startTime === undefined ? null : expectTime(model.startTime, `${where}: startTime`),
    prices,
  };
}

function toPrices(
  value: unknown,
  above: Record<string, unknown> | undefined,
  isPrompt: boolean,
  where: string,
): TokenPrice[] {
  const side = isPrompt ? 'prompt' : 'completion';
  const higher = above?.[side] === undefined ? {} : expectObject(above[side], `${where}: above: ${side}`);
  const given = expectObject(value, `${where}: ${side}`);
  const unknownTokenType = Object.keys(higher).find((tokenType) => !Object.hasOwn(given, tokenType));
  if (unknownTokenType !== undefined)
    throw new Error(`${where}: above: ${side}: ${unknownTokenType} has no price below the threshold`);
  return Object.entries(given).map(([tokenType, price]) => {
    const at = `${where}: ${side}: ${tokenType}`;
    if (tokenType.length > TOKEN_TYPE_CHARS_MAX)
      throw new Error(`${at}: expected a name of at most ${TOKEN_TYPE_CHARS_MAX} characters`);
    const perToken = toPerToken(price, at);
    return above && Object.hasOwn(higher, tokenType)
      ? { tokenType, isPrompt, perToken, above: toAbove(above, higher[tokenType], at) }
      : { tokenType, isPrompt, perToken };
  });
}

const toAbove = (above: Record<string, unknown>, price: unknown, at: string): PriceAbove => ({
  count: expectText(above.count, `${at}: above: count`, TOKEN_TYPE_CHARS_MAX),
  threshold: expectNumber(above.threshold, `${at}: above: threshold`),
  perToken: toPerToken(price, `${at}: above`),
});

const toPerToken = (perMillion: unknown, at: string): number => expectNumber(perMillion, at) / 1e6;

function expectObject(value: unknown, where: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Error(`${where}: expected an object`);
}

function expectKeys(value: Record<string, unknown>, keys: readonly string[], where: string): void {
  const unknownKey = Object.keys(value).find((key) => !keys.includes(key));
  if (unknownKey !== undefined) throw new Error(`${where}: unknown key ${unknownKey}`);
}

function expectText(value: unknown, where: string, charsMax: number): string {
  if (typeof value === 'string' && value !== '' && value.length <= charsMax) return value;
  throw new Error(`${where}: expected a non-empty text`);
}

function expectNumber(value: unknown, where: string): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  throw new Error(`${where}: expected a number of at least 0, received ${JSON.stringify(value)}`);
}

function expectTime(value: unknown, where: string): number {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) throw new Error(`${where}: expected a date such as 2025-02-01`);
  return time;
}
