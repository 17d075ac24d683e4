import type { ReadOptions } from './read-options.ts';

// Amounts are in 10⁻¹² dollars.

/** Totals of cost rows. */
export interface Costs {
  readonly tokensPrompt: number;
  readonly tokensCompletion: number;
  /** Null for a span without a matching price, which adds nothing to totals. */
  readonly promptPico: number | null;
  readonly completionPico: number | null;
}

/** Costs of one token type, of prompts or completions. Main types come first, then types by name. */
export interface CostsOfType {
  readonly tokenType: string;
  readonly isPrompt: boolean;
  readonly tokens: number;
  /** Null when no price matched. */
  readonly pico: number | null;
}

/** Main token types. Others follow by name. */
const TYPE_ORDER = ['input', 'output', 'cache_read', 'cache_write', 'reasoning', 'audio'];

/** Order of `CostsOfType`. */
export function compareTokenTypes(a: CostsOfType, b: CostsOfType): number {
  if (a.isPrompt !== b.isPrompt) return a.isPrompt ? -1 : 1;
  const rank = ({ tokenType }: CostsOfType) => TYPE_ORDER.indexOf(tokenType) + 1 || TYPE_ORDER.length + 1;
  return rank(a) - rank(b) || (a.tokenType < b.tokenType ? -1 : 1);
}

/** Rows with costs. */
export type CostOwner = 'spans' | 'traces' | 'sessions';

/** Costs of traces in columns, in no order. A trace without a cost row, or whose ID is not 32 hexadecimal digits, is absent. */
export interface TraceCosts {
  /** Four words per trace: low and high word of the first 16 digits of its ID, then of the others. */
  readonly idWords: Uint32Array;
  readonly tokens: Float64Array;
  /** NaN when no price matched, so that the sum is 0. */
  readonly picos: Float64Array;
}

export interface CostReader {
  /** Costs of all traces of projects. One read for hundreds of thousands of traces. */
  listTraceCosts(query: { readonly projectIds: readonly number[] }, options?: ReadOptions): Promise<TraceCosts>;
}
