// Limits of the runs of evaluators.
import { MiB } from './units.ts';

/** Duration of one evaluation with everything that it calls, as the public clients expect it. */
export const EVALUATION_MS_MAX = 60_000;
/**
 * Characters of the inputs that the metadata of an evaluation repeats, and of each text in longer ones. Every run of an
 * experiment has such metadata, and lists read it.
 */
export const EVALUATION_METADATA_CHARS_MAX = 100_000;
export const EVALUATION_METADATA_TEXT_CHARS_MAX = 2_000;
/** Characters of the explanation, and of the error, of an evaluation. Vendors and models decide how long these are. */
export const EVALUATION_EXPLANATION_CHARS_MAX = 100_000;
export const EVALUATION_ERROR_CHARS_MAX = 10_000;
/** Characters of a value that an explanation repeats. */
export const EXPLAINED_CHARS_MAX = 200;
/** Characters of a text in the file of a ready-made judge. */
export const JUDGE_TEXT_CHARS_MAX = 10_000;
/** Words that are searched for in a text one by one, and characters of each: the time is their product with the text. */
export const SEARCHED_WORD_COUNT_MAX = 1_000;
export const SEARCHED_WORD_CHARS_MAX = 1_000;
/** Characters of a text that a built-in evaluator compares, without those that are equal at both ends. The time is their product. */
export const EDIT_DISTANCE_CHARS_MAX = 50_000;
/** Characters of a text that is parsed as JSON, and compared values of two. */
export const JSON_DISTANCE_CHARS_MAX = 16 * MiB;
export const JSON_DISTANCE_VALUE_COUNT_MAX = 2_000_000;
/** Characters of a regular expression, and of the text that it is applied to. */
export const REGEX_CHARS_MAX = 2_000;
export const REGEX_TEXT_CHARS_MAX = 16 * MiB;
/** Cached compiled regular expressions. Each has tables of up to some megabytes. */
export const COMPILED_REGEX_COUNT_MAX = 20;
/**
 * Largest size of a regular expression in instructions, and its product with the characters of the text, that are applied on
 * the main thread. An instruction takes up to 25 µs to compile, and up to 65 ns for each character.
 */
export const REGEX_AT_ONCE_SIZE_MAX = 200;
export const REGEX_AT_ONCE_WORK_MAX = 100_000;
/** Time of any other one in its thread. */
export const REGEX_MS_MAX = 2_000;
/** Time for which one evaluator computes before it yields to the event loop. */
export const EVALUATION_SLICE_MS = 5;
/** Waits before a trace is submitted again while the server accepts no spans. */
export const TRACE_RETRY_MS = [200, 1_000, 3_000] as const;
/** Evaluators of one request for previews, which run one after another, and the duration of all of them. */
export const EVALUATOR_PREVIEW_COUNT_MAX = 50;
export const EVALUATOR_PREVIEW_MS_MAX = 120_000;
/** Spans of a trace that its context names, and traces of a session whose turns are its conversation. */
export const CONTEXT_SPAN_COUNT_MAX = 500;
export const CONTEXT_TRACE_COUNT_MAX = 200;
/** Labels of a confusion matrix. More are no table that a person reads. */
export const CONFUSION_LABEL_COUNT_MAX = 100;
/** Labelled targets of one calibration, which one response measures. More hardly change an interval. */
export const CALIBRATION_ITEM_COUNT_MAX = 5_000;
/** Annotations of people that are read to find these: a target may have several. */
export const LABEL_READ_COUNT_MAX = 50_000;
/** Running calibrations of a server, and evaluations that one of them runs at a time. */
export const RUNNING_CALIBRATION_COUNT_MAX = 10;
export const CALIBRATION_CONCURRENCY_MAX = 20;
/** Calibrations that are compared, and those stored per evaluator; older ones are deleted. */
export const COMPARED_CALIBRATION_COUNT_MAX = 10;
export const CALIBRATION_COUNT_MAX = 200;
/** Waits before an evaluation is tried again after a failure that may pass, unless the vendor names another. */
export const CALIBRATION_RETRY_MS = [1_000, 2_000, 4_000] as const;
export const CALIBRATION_RETRY_MS_MAX = 60_000;
/** Interval in which a server reports that its calibration is running, and the age of that sign when another one may take it. */
export const CALIBRATION_HEARTBEAT_MS = 5_000;
export const CALIBRATION_STALE_MS = 60_000;
/** Items whose contexts are read at a time, and failures in a row after which a calibration gives up. */
export const CALIBRATION_PAGE_COUNT = 50;
export const CALIBRATION_FAILURE_COUNT_MAX = 5;
/** Characters of the input, and of the output, of a span of an evaluation. The target itself is stored elsewhere. */
export const EVALUATION_SPAN_CHARS_MAX = 1 * MiB;
