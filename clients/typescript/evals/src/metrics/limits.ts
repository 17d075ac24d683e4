// Limits of code metrics. The time of each is a product of two sizes, and what a model wrote may have any size.

/** Characters of each of two texts that are compared by edits, without those that are equal at both ends. */
export const EDIT_DISTANCE_CHARS_MAX = 50_000;
/** Tokens of each of two texts whose longest common subsequence is computed. */
export const SUBSEQUENCE_TOKENS_MAX = 50_000;
/** Characters of a text that is parsed as JSON, and compared values of two. */
export const JSON_CHARS_MAX = 16 * 1024 * 1024;
export const JSON_VALUES_MAX = 2_000_000;
/** Characters of a regular expression, of the text that it is applied to, and milliseconds of one application. */
export const REGEX_CHARS_MAX = 2_000;
export const REGEX_TEXT_CHARS_MAX = 16 * 1024 * 1024;
export const REGEX_MS_MAX = 2_000;
/** Words that are searched for in a text one by one, and characters of each. */
export const SEARCHED_WORDS_MAX = 1_000;
export const SEARCHED_WORD_CHARS_MAX = 1_000;
/** Items of each of two lists, and tool calls of each of two trajectories. */
export const LIST_ITEMS_MAX = 100_000;
export const TRAJECTORY_CALLS_MAX = 1_000;
/** Characters of a value that an explanation repeats. */
export const EXPLAINED_CHARS_MAX = 200;
