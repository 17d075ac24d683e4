import { MiB } from './units.ts';

// Limits of calls to models for the playground and for jobs.

/** Repetitions of one chat completion. Each is a paid call. */
export const CHAT_REPETITION_COUNT_MAX = 100;
/** Repetitions that run at the same time. The public contract fixes it. */
export const CHAT_REPETITIONS_AT_ONCE = 3;
/** Chat completions of one stream that run at the same time. */
export const CHAT_CELLS_AT_ONCE_MAX = 32;
/** Variants of a prompt that one stream runs over a dataset. */
export const CHAT_VARIANT_COUNT_MAX = 16;
/**
 * Characters of one text of a recorded span. A rendered template has at most `RENDERED_CHARS_MAX`; bodies with images are
 * longer, and a record of the journal holds input and output several times.
 */
export const CHAT_SPAN_TEXT_CHARS_MAX = 4 * MiB;
/** Attempts to record a span while the ingest pipeline is overloaded, and the wait before each further one. */
export const CHAT_SPAN_ATTEMPT_COUNT_MAX = 8;
export const CHAT_SPAN_RETRY_MS = 250;

// Limits of estimates before a run.

/** Examples that an estimate reads, from several offsets of the dataset. */
export const ESTIMATE_SAMPLE_COUNT_MAX = 100;
export const ESTIMATE_SAMPLE_OFFSET_COUNT = 5;
/** Variants and evaluators of one estimate. The playground has at most eight variants. */
export const ESTIMATE_VARIANT_COUNT_MAX = 20;
export const ESTIMATE_EVALUATOR_COUNT_MAX = 50;
/** Cases of a run that has no dataset. */
export const ESTIMATE_CASE_COUNT_MAX = 1_000_000;
