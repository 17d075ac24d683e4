// Limits of lists of examples.
import { MiB } from './units.ts';

/** Rows of a window of examples. A screen shows about 60. */
export const EXAMPLE_WINDOW_ROW_COUNT_MAX = 1_000;
/** Memory of the row ids of lists that people read, eight bytes for each example. */
export const EXAMPLE_INDEX_BYTES_MAX = 64 * MiB;
/** Examples of one selection that people change together. The request lists them. */
export const EXAMPLE_SELECTION_COUNT_MAX = 20_000;
/** Characters of a field, or of a value in it, in a table. */
export const EXAMPLE_EXCERPT_CHARS = 400;
/** Characters of a field in which values are looked up for a table. In a longer one they are not shown. */
export const EXAMPLE_CELL_SOURCE_CHARS_MAX = 50_000;
/** Columns of values, and keys of their paths. */
export const EXAMPLE_CELL_COUNT_MAX = 30;
export const EXAMPLE_CELL_DEPTH_MAX = 20;
/** Examples that are read to list the keys of a dataset, their depth, and the listed keys. */
export const EXAMPLE_KEY_SAMPLE_COUNT = 200;
export const EXAMPLE_KEY_DEPTH_MAX = 3;
export const EXAMPLE_KEY_COUNT_MAX = 300;
