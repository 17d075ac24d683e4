/** A model with prices: built-in (`isBuiltIn`) or created by a user. */
export interface GenerativeModel extends PricedModel {
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The fields of a model that determine the cost of a span. */
export interface PricedModel {
  readonly rowId: number;
  readonly name: string;
  /** Empty: any provider. */
  readonly provider: string;
  /** Expression that is searched in the span's model name (`name-pattern.ts`). */
  readonly namePattern: string;
  readonly isBuiltIn: boolean;
  /**
   * Milliseconds since the epoch. The price does not apply to spans that start earlier. Null: it applies to all spans.
   */
  readonly startTimeMs: number | null;
  readonly prices: readonly TokenPrice[];
}

export interface TokenPrice {
  /**
   * For example `input`, `cache_read`, `cache_write` and `audio` of the prompt, `output` and `reasoning` of the
   * completion.
   */
  readonly tokenType: string;
  readonly isPrompt: boolean;
  /** US dollars. */
  readonly perToken: number;
  /** Price of the whole span if one of its token counts is above a threshold. */
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

/** The token type whose price applies to other types of its side without a price. */
export const PROMPT_TOKEN_TYPE = 'input';
export const COMPLETION_TOKEN_TYPE = 'output';
