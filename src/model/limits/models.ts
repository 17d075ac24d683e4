// Limits of models, prices and costs.

/** Characters of the expression that identifies a priced model, and of model names in which it is searched. */
export const MODEL_PATTERN_CHARS_MAX = 1_000;
/** Compiled name patterns that a thread keeps: those of the built-in models and of many of a user's own. */
export const COMPILED_PATTERN_COUNT_MAX = 2_000;
export const MODEL_NAME_CHARS_MAX = 500;
/** Models that users create, and prices of one. The table of all prices is a journal record. */
export const CUSTOM_MODEL_COUNT_MAX = 5_000;
export const MODEL_PRICE_COUNT_MAX = 50;
/** Cached pairs of model name and provider with their price. */
export const PRICED_NAME_COUNT_MAX = 10_000;
/** Token types of one side of a span, and characters of a type. Further types count as the side's own type. */
export const SPAN_TOKEN_TYPE_COUNT_MAX = 30;
export const TOKEN_TYPE_CHARS_MAX = 100;
/** Tokens of one count. A larger value is not a token count. */
export const TOKEN_COUNT_MAX = 2 ** 40;
/**
 * Cost of one side of a span, and of all spans of a trace or session, in 10⁻¹² dollars: about 9,000 and 9 million
 * dollars.
 */
export const SPAN_COST_PICO_MAX = Number.MAX_SAFE_INTEGER;
export const COST_SUM_PICO_MAX = 9e18;
/** Requests for recomputations that may wait. */
export const OPEN_RECOMPUTATION_COUNT_MAX = 100;
/** Spans whose costs one journal record recomputes, which is one transaction of the store. */
export const RECOMPUTE_ROW_COUNT = 32_768;
