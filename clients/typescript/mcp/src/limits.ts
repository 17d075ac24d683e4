// Limits of answers, calls and connections.

/** Characters of an answer, unless the call says otherwise. */
export const ANSWER_CHARS = 20_000;
/** What a call may choose instead. */
export const ANSWER_CHARS_MIN = 4_000;
export const ANSWER_CHARS_MAX = 100_000;
/** Characters of an answer that are kept for its frame and its list of what was left out. */
export const FRAME_CHARS = 1_200;
/** Characters of a window of a body, unless the call says otherwise. */
export const WINDOW_CHARS = 8_000;
/** Left-out texts that an answer names one by one. */
export const NAMED_OMISSION_COUNT = 5;

/** Rows of one request to the server, and of the first one, which shows how large rows are. */
export const PAGE_ROW_COUNT = 100;
export const FIRST_PAGE_ROW_COUNT = 10;
/** Spans whose sizes, or annotations, are read in one request. */
export const SPAN_BATCH_ROW_COUNT = 50;
/** Bytes of spans that are read for the sizes of their bodies in one answer. */
export const SIZED_CHARS_MAX = 16 * 1024 * 1024;
/** Spans of a trace up to which the cost of each is read. */
export const PRICED_SPAN_COUNT_MAX = 500;

/** Length of an identifier, and of a filter. */
export const IDENTIFIER_CHARS_MAX = 1_000;
export const FILTER_CHARS_MAX = 10_000;
export const TEXT_CHARS_MAX = 200_000;
/** Identifiers in a list, and examples of one upload. */
export const ID_COUNT_MAX = 100;
export const EXAMPLE_COUNT_MAX = 1_000;

/** Time of a call, in milliseconds. */
export const CALL_MS_MAX = 60_000;
/** Time in which calls are answered after stdin has ended, in milliseconds. */
export const ANSWER_AFTER_END_MS_MAX = 10_000;
/** Time for the errors of those that were not. */
export const ERROR_AFTER_END_MS_MAX = 1_000;
/** Calls that run at the same time, and calls that wait for them. */
export const RUNNING_CALL_COUNT_MAX = 8;
export const WAITING_CALL_COUNT_MAX = 64;
/** Body of a request over HTTP, and a message over stdio. */
export const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;
/** Streams of change events over HTTP, which never carry an event: the tools of a server do not change. */
export const SUBSCRIPTION_COUNT_MAX = 16;
