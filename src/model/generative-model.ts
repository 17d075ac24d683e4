/** A model that has prices: shipped with the server (`isBuiltIn`) or made by somebody. */
export interface GenerativeModel extends PricedModel {
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What of a model decides about the cost of a span. */
export interface PricedModel {
  readonly rowId: number;
  readonly name: string;
  /** Empty: any. */
  readonly provider: string;
  /** Searched for in the span's model name (`name-pattern.ts`). */
  readonly namePattern: string;
  readonly isBuiltIn: boolean;
  /** Spans that start earlier do not have this price; milliseconds since the epoch, null: all do. */
  readonly startTimeMs: number | null;
  readonly prices: readonly TokenPrice[];
}

export interface TokenPrice {
  /** Such as `input`, `cache_read`, `cache_write`, `audio` of the prompt, `output`, `reasoning` of the completion. */
  readonly tokenType: string;
  readonly isPrompt: boolean;
  /** US dollars. */
  readonly perToken: number;
  /** Another price for the whole span when a count of its tokens is above a threshold. */
  readonly above?: PriceAbove | undefined;
}

export interface PriceAbove {
  /** `prompt`, `completion`, `total`, or a token type. */
  readonly count: string;
  readonly threshold: number;
  /** US dollars. */
  readonly perToken: number;
}

export type NewGenerativeModel = Omit<PricedModel, 'rowId' | 'isBuiltIn'>;

/** Token types that every other one of their side falls back to. */
export const PROMPT_TOKEN_TYPE = 'input';
export const COMPLETION_TOKEN_TYPE = 'output';
