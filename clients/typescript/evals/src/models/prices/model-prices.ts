import { ArgumentError } from '../../errors.ts';
import { MODEL_PRICES_FILE } from '../../generated/model-prices.ts';
import type { Model, ModelPrices, ModelResponse, ModelUsage } from '../model.ts';

interface PriceEntry {
  readonly provider?: string;
  readonly namePattern: string;
  readonly prompt: { readonly input: number; readonly cache_read?: number; readonly cache_write?: number };
  readonly completion: { readonly output: number };
  /** Prices of a call whose prompt has more tokens. */
  readonly above?: { readonly count: string; readonly threshold: number } & Pick<PriceEntry, 'prompt' | 'completion'>;
}

let entries: readonly PriceEntry[] | undefined;
/** Name → entry; names of models are few. */
const found = new Map<string, PriceEntry | undefined>();
const FOUND_COUNT_MAX = 1_000;

/** @throws {ArgumentError} for a price that is no number from 0 */
export function checkPrices(prices: ModelPrices): void {
  for (const name of ['input', 'output', 'cacheRead', 'cacheWrite'] as const) {
    const price = prices[name];
    const isAbsent = price === undefined && name.startsWith('cache');
    if (!isAbsent && !(Number.isFinite(price) && (price as number) >= 0)) {
      throw new ArgumentError(
        `prices.${name} is dollars for a million tokens, a number from 0, and not ${String(price)}.`,
      );
    }
  }
}

/** Dollars of a call; undefined when the price or the tokens are unknown. */
export function costOf(model: Pick<Model, 'name' | 'prices'>, usage: ModelUsage | undefined): number | undefined {
  if (usage?.inputTokens === undefined || usage.outputTokens === undefined) return undefined;
  const prices = model.prices ?? tablePrices(model.name, usage.inputTokens);
  if (!prices) return undefined;
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const plain = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const dollars =
    plain * prices.input +
    cacheReadTokens * (prices.cacheRead ?? prices.input) +
    cacheWriteTokens * (prices.cacheWrite ?? prices.input) +
    outputTokens * prices.output;
  return dollars / 1_000_000;
}

/** The response with its cost, unless it has one. */
export function withCost(model: Model, response: ModelResponse): ModelResponse {
  if (response.cost !== undefined) return response;
  const cost = costOf(model, response.usage);
  return cost === undefined ? response : { ...response, cost };
}

function tablePrices(name: string, inputTokens: number): ModelPrices | undefined {
  const entry = findEntry(name);
  if (!entry) return undefined;
  const { prompt, completion } = entry.above && inputTokens > entry.above.threshold ? entry.above : entry;
  return {
    input: prompt.input,
    output: completion.output,
    ...(prompt.cache_read !== undefined && { cacheRead: prompt.cache_read }),
    ...(prompt.cache_write !== undefined && { cacheWrite: prompt.cache_write }),
  };
}

function findEntry(name: string): PriceEntry | undefined {
  if (found.has(name)) return found.get(name);
  entries ??= (JSON.parse(MODEL_PRICES_FILE) as { models: PriceEntry[] }).models;
  const entry = entries.find(({ namePattern }) => new RegExp(namePattern).test(name));
  if (found.size >= FOUND_COUNT_MAX) found.clear();
  found.set(name, entry);
  return entry;
}
