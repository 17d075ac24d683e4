import {
  SPAN_COST_PICO_MAX,
  SPAN_TOKEN_TYPE_COUNT_MAX,
  TOKEN_COUNT_MAX,
  TOKEN_TYPE_CHARS_MAX,
} from '../limits/models.ts';
import { COMPLETION_TOKEN_TYPE, PROMPT_TOKEN_TYPE, type PricedModel, type TokenPrice } from './generative-model.ts';

/**
 * Costs are whole numbers of 10⁻¹² US dollars ("pico"). Their sums do not depend on the order or on the division into
 * batches, and the cost of a deleted span can be subtracted exactly.
 */
export const PICO_PER_DOLLAR = 1e12;

/** Cost of one span. Without a matching price, the model is null, and there are tokens but no amounts. */
export interface SpanCost {
  readonly modelRowId: number | null;
  readonly tokensPrompt: number;
  readonly tokensCompletion: number;
  readonly promptPico: number | null;
  readonly completionPico: number | null;
  /** Details of the types that have tokens. */
  readonly details: readonly CostDetail[];
}

export interface CostDetail {
  readonly tokenType: string;
  readonly isPrompt: boolean;
  readonly tokens: number;
  readonly costPico: number | null;
}

/** Token counts from an application. A count that was not sent is undefined. */
export interface TokenCounts {
  readonly prompt: number | undefined;
  readonly completion: number | undefined;
  readonly total: number | undefined;
  readonly promptDetails: ReadonlyMap<string, number>;
  readonly completionDetails: ReadonlyMap<string, number>;
}

/** Reads the value of the attribute `llm.token_count`. */
export function toTokenCounts(value: unknown): TokenCounts {
  const counts = isObject(value) ? value : {};
  return {
    prompt: toCount(counts.prompt),
    completion: toCount(counts.completion),
    total: toCount(counts.total),
    promptDetails: toDetails(counts.prompt_details),
    completionDetails: toDetails(counts.completion_details),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A whole number of at least 0. Undefined if the value is not one. */
function toCount(value: unknown): number | undefined {
  const isText = typeof value === 'string' && /^\s*\d{1,15}\s*$/.test(value);
  const count = isText ? Number(value) : value;
  return typeof count === 'number' && count >= 0 ? Math.min(Math.trunc(count), TOKEN_COUNT_MAX) : undefined;
}

const NO_DETAILS: ReadonlyMap<string, number> = new Map();

function toDetails(value: unknown): ReadonlyMap<string, number> {
  if (!isObject(value)) return NO_DETAILS;
  const details = new Map<string, number>();
  for (const [tokenType, given] of Object.entries(value)) {
    const count = toCount(given);
    if (!count || tokenType === '' || tokenType.length > TOKEN_TYPE_CHARS_MAX) continue;
    if (details.size < SPAN_TOKEN_TYPE_COUNT_MAX) details.set(tokenType, count);
  }
  return details;
}

/**
 * Undefined if neither side of the span has a count. Tokens of a side without a detail have the side's own type
 * (`input`, `output`). A missing count is the total minus the other side.
 */
export function computeCost(counts: TokenCounts, model: PricedModel | undefined): SpanCost | undefined {
  const { total, promptDetails, completionDetails } = counts;
  let prompt = counts.prompt ?? sumOf(promptDetails);
  let completion = counts.completion ?? sumOf(completionDetails);
  if (prompt === undefined && completion === undefined) return undefined;
  prompt ??= total === undefined ? 0 : Math.max(0, total - (completion ?? 0));
  completion ??= total === undefined ? 0 : Math.max(0, total - prompt);
  const split = [
    ...splitSide(PROMPT_TOKEN_TYPE, true, prompt, promptDetails),
    ...splitSide(COMPLETION_TOKEN_TYPE, false, completion, completionDetails),
  ];
  const details = split.map((part) => ({ ...part, costPico: priceOf(part, model, split) }));
  return {
    modelRowId: model?.rowId ?? null,
    tokensPrompt: sumTokens(split, true),
    tokensCompletion: sumTokens(split, false),
    promptPico: model ? sumPico(details, true) : null,
    completionPico: model ? sumPico(details, false) : null,
    details,
  };
}

const sumOf = (details: ReadonlyMap<string, number>): number | undefined =>
  details.size === 0 ? undefined : [...details.values()].reduce((sum, count) => sum + count, 0);

type Part = Omit<CostDetail, 'costPico'>;

function splitSide(
  ownType: string,
  isPrompt: boolean,
  count: number,
  given: ReadonlyMap<string, number>,
): readonly Part[] {
  if (given.size === 0) return count === 0 ? [] : [{ tokenType: ownType, isPrompt, tokens: count }];
  const details = new Map(given);
  const rest = Math.max(0, count - (sumOf(details) ?? 0));
  if (rest > 0) details.set(ownType, (details.get(ownType) ?? 0) + rest);
  return Array.from(details, ([tokenType, tokens]) => ({ tokenType, isPrompt, tokens }));
}

const sumTokens = (parts: readonly Part[], isPrompt: boolean): number =>
  parts.reduce((sum, part) => (part.isPrompt === isPrompt ? sum + part.tokens : sum), 0);

const sumPico = (details: readonly CostDetail[], isPrompt: boolean): number =>
  Math.min(
    SPAN_COST_PICO_MAX,
    details.reduce((sum, detail) => (detail.isPrompt === isPrompt ? sum + (detail.costPico ?? 0) : sum), 0),
  );

/** Null if the model has a price neither for the type nor for its side. */
function priceOf(
  { tokenType, isPrompt, tokens }: Part,
  model: PricedModel | undefined,
  split: readonly Part[],
): number | null {
  const ownType = isPrompt ? PROMPT_TOKEN_TYPE : COMPLETION_TOKEN_TYPE;
  const price = model && (findPrice(model, tokenType, isPrompt) ?? findPrice(model, ownType, isPrompt));
  if (!price) return null;
  const { above } = price;
  const isAbove = above !== undefined && countOf(above.count, split) > above.threshold;
  const perToken = isAbove ? above.perToken : price.perToken;
  return Math.min(SPAN_COST_PICO_MAX, Math.round(tokens * perToken * PICO_PER_DOLLAR));
}

function countOf(count: string, split: readonly Part[]): number {
  if (count === 'prompt') return sumTokens(split, true);
  if (count === 'completion') return sumTokens(split, false);
  const parts = count === 'total' ? split : split.filter(({ tokenType }) => tokenType === count);
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}

const findPrice = ({ prices }: PricedModel, tokenType: string, isPrompt: boolean): TokenPrice | undefined =>
  prices.find((price) => price.isPrompt === isPrompt && price.tokenType === tokenType);
