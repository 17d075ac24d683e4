// Limits of comparisons of experiments.
import { MiB } from './units.ts';

/** Experiments of a comparison. More columns do not fit on a screen. */
export const COMPARED_EXPERIMENT_COUNT_MAX = 8;
/**
 * Experiments whose numbers a comparison reads at a time, each with one connection. More would keep the connections from other
 * requests, and gain nothing where the database has few processors.
 */
export const COMPARED_READ_COUNT = 4;
/** Rows of one window. A screen shows about 20. */
export const COMPARISON_ROW_COUNT_MAX = 200;
/** Characters of a text in a row. The interface reads the whole text when a person opens it. */
export const COMPARISON_TEXT_CHARS_MAX = 2_000;
/** Characters of an output that are searched for tool calls. */
export const COMPARISON_OUTPUT_CHARS_MAX = 32_000;
/** Bytes of columns in memory. A comparison of 8 experiments of 100,000 runs takes about 84 MiB. */
export const COMPARISON_CACHE_BYTES_MAX = 96 * MiB;
/** Experiments of which a server remembers that it keeps the costs of their runs. An entry has some 100 bytes. */
export const RUN_COST_VERSION_COUNT_MAX = 256;
/** Characters of a text search. */
export const COMPARISON_SEARCH_CHARS_MAX = 1_000;
/** Examples in which keys of metadata are searched, and keys and values of one key that are listed. */
export const METADATA_KEY_EXAMPLE_COUNT_MAX = 2_000;
export const METADATA_KEY_COUNT_MAX = 100;
export const METADATA_GROUP_COUNT_MAX = 30;
/** Splits of a comparison. A dataset has a few. */
export const COMPARED_SPLIT_COUNT_MAX = 30;
/**
 * Pairs for which the bootstrap is used. Its 2,000 samples take 2 to 4 ms for this many, and the normal approximation covers as
 * well for more (docs/decisions/statistics.md).
 */
export const BOOTSTRAP_COUNT_MAX = 200;
/** Random numbers for the groups of a summary, 0.2 s. With more, groups use the normal approximation. */
export const BOOTSTRAP_DRAW_COUNT_MAX = 20_000_000;
/** Characters of the name of an annotation of a run, which is an entry of an index, and of its other texts. */
export const RUN_ANNOTATION_NAME_CHARS_MAX = 500;
export const RUN_ANNOTATION_TEXT_CHARS_MAX = 100_000;
/**
 * Runs whose traces are searched by ID, because no project of the compared experiments has them. Each takes microseconds; the
 * costs of further ones count as unknown.
 */
export const FOREIGN_TRACE_COUNT_MAX = 10_000;
/** Regressions of each experiment in a report, and characters of each of their texts. */
export const REPORT_REGRESSION_COUNT = 10;
export const REPORT_TEXT_CHARS_MAX = 600;
