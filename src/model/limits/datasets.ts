// Limits of projects, datasets, experiments, prompts, evaluators and files. Bytes unless the name says otherwise.
import { GiB, KiB, MiB } from './units.ts';

/** UTF-8 bytes of a project's name. An entry of a unique index in Postgres may have 2,704. */
export const PROJECT_NAME_BYTES_MAX = 2_000;

/** UTF-8 bytes of other unique names and IDs (datasets, splits, labels, external IDs), as for projects. */
export const INDEXED_TEXT_BYTES_MAX = 2_000;
/** Rows that the text of one error names: a caller reads the first of them, and a request may name any number. */
export const ERROR_ROW_COUNT_MAX = 100;
/** A dataset's file as it comes, and inflated: disk and time, not memory, since it is never held whole. */
export const DATASET_FILE_BYTES_MAX = 4 * GiB;
export const DATASET_INFLATED_BYTES_MAX = 16 * GiB;
/**
 * Parquet stores a repeated value once, so a small file may contain any number of rows and bytes of text. These are the
 * largest files of either that are read whatever their size, and the ratios to the bytes of a file above that.
 */
export const PARQUET_ROW_COUNT_FREE = 1_000_000;
export const PARQUET_ROWS_PER_BYTE_MAX = 1;
export const PARQUET_TEXT_BYTES_FREE = 256 * MiB;
export const PARQUET_TEXT_RATIO_MAX = 200;
/** Bytes of text of one page of a Parquet file, which is in memory, unless it is one row. */
export const PARQUET_PAGE_BYTES_MAX = 64 * MiB;
/** Up to this size, a file waits in memory for the rest of its form. A larger one is written to a temporary file. */
export const DATASET_FILE_MEMORY_BYTES = 1 * MiB;
/** Characters of one line or record of a file, which must fit into memory. */
export const DATASET_ROW_CHARS_MAX = 64 * MiB;
/** Characters of a line of JSON that is read at once. A longer one leaves the event loop to others while it is read. */
export const DATASET_JSON_AT_ONCE_CHARS_MAX = 256 * KiB;
/**
 * Arrow streams: bytes of a message head, which lists the columns or describes a batch; bytes of a batch, or of all
 * dictionaries, which are in memory; rows of a batch, because a column of nulls takes no bytes; columns and their
 * nested fields.
 */
export const DATASET_ARROW_HEAD_BYTES_MAX = 16 * MiB;
export const DATASET_ARROW_BATCH_BYTES_MAX = 128 * MiB;
export const DATASET_ARROW_DICTIONARY_BYTES_MAX = 128 * MiB;
export const DATASET_ARROW_BATCH_ROW_COUNT_MAX = 2 ** 24;
export const DATASET_ARROW_FIELD_COUNT_MAX = 10_000;
export const DATASET_ARROW_FIELD_DEPTH_MAX = 64;
/** Bytes of a column of a batch that is decoded at once, and is in memory twice then. */
export const DATASET_ARROW_DECODED_BYTES_MAX = 4 * MiB;
/** Bytes and number of the fields of a form, without its file. A file with 10,000 columns has a field for each of them. */
export const FORM_FIELD_BYTES_MAX = 2 * MiB;
export const FORM_FIELD_COUNT_MAX = 20_000;
/** Time for which parts of a form are read before other requests have their turn. */
export const FORM_SLICE_MS = 5;
/** Rejected rows of a file that the response names, with their texts in total. A person corrects a file, not each row. */
export const REJECTED_ROW_COUNT_MAX = 1_000;
export const REJECTED_TEXT_CHARS_MAX = 4 * MiB;
/** Examples of each kind that the plan of an upload shows, and characters of each of their values. */
export const UPLOAD_SAMPLE_COUNT_MAX = 20;
export const UPLOAD_SAMPLE_CHARS_MAX = 10_000;
/** Rows of the preview of a Parquet file, and bytes of its start and end that a client sends for it. */
export const PREVIEW_ROW_COUNT = 20;
export const PARQUET_PREVIEW_BYTES_MAX = 16 * MiB;
/** Uploads whose state is kept in memory for clients that lost their connection. */
export const UPLOAD_STATE_COUNT_MAX = 1_000;
/** Characters of the ID that a client gives to its upload. */
export const UPLOAD_ID_CHARS_MAX = 100;
/** Rows of an upload, and their characters, in one database statement. */
export const DATASET_BATCH_ROW_COUNT = 1_000;
export const DATASET_BATCH_CHARS = 4 * MiB;
/** Concurrent uploads, each with its own connection, and uploads that wait. Another one gets 429. */
export const DATASET_UPLOAD_COUNT_MAX = 3;
export const DATASET_UPLOAD_QUEUE_COUNT_MAX = 1_000;
/** Duration of a statement over a whole dataset (matching, deleting). A million rows take a minute on a slow disk. */
export const DATASET_STATEMENT_MS_MAX = 900_000;
/** The largest integer of a 32-bit column. */
export const ROW_INTEGER_MAX = 2_147_483_647;
/** Time from the last change of an ephemeral experiment to its deletion. */
export const EPHEMERAL_EXPERIMENT_MS = 86_400_000;
/** Experiments that one statement summarizes. Each may have many runs, and a statement has a time limit. */
export const SUMMARIZED_EXPERIMENT_COUNT = 4;
/** Groups of equal errors that a page shows, and characters of an error by which they are grouped. */
export const ERROR_GROUP_COUNT_MAX = 100;
export const ERROR_GROUP_CHARS_MAX = 2_000;
/** Newest experiments whose results a list of evaluators shows. */
export const RECENT_EXPERIMENT_COUNT = 10;
/** Newest annotations of people with which an evaluator is compared. More hardly change a share or a correlation. */
export const ANNOTATION_PAIR_COUNT_MAX = 20_000;
/** Keys of metadata that a menu offers, and groups that a table shows. */
export const METADATA_KEY_COUNT_MAX = 200;
export const EXPERIMENT_GROUP_COUNT_MAX = 500;
/** Characters of a note on an experiment, which are pages of text and not a file, and notes, which are read at once. */
export const EXPERIMENT_NOTE_CHARS_MAX = 20_000;
export const EXPERIMENT_NOTE_COUNT_MAX = 200;
/** Runs or evaluations, and their characters, in one database statement. */
export const RUN_BATCH_COUNT = 100;
export const RUN_BATCH_CHARS = 4 * MiB;
/** Runs or evaluations of one request: ten such statements. A client that has more sends several requests. */
export const RUN_LIST_COUNT_MAX = 1_000;
/** Issues that the response to such a request describes in full. Of further items only the first issue is listed. */
export const RUN_LIST_ISSUE_COUNT_MAX = 100;
/** Repetitions of an experiment. Incomplete ones are listed one by one. */
export const REPETITION_COUNT_MAX = 10_000;
/** Memory of the database for a sort or join of such a statement. Larger ones use its disk. */
export const DATASET_WORK_MEMORY_MIB = 32;
/** Processes of the database that help with the list of a large dataset, if it has that many to spare. */
export const DATASET_WORKER_COUNT = 2;
/**
 * Spans of one page of an export, and the target number of its characters: the page has as many spans as fit, estimated
 * from the previous ones. An export has one page in memory.
 */
export const SPAN_EXPORT_PAGE_ROW_COUNT = 1_000;
export const SPAN_EXPORT_PAGE_CHARS = 4 * MiB;
/** Spans of one page of a streamed table, which are in columns. */
export const SPAN_TABLE_PAGE_ROW_COUNT = 2_048;
/** Target of a page whose spans are all over the store, so that reading it scans much of the store. */
export const SPAN_SCATTERED_PAGE_CHARS = 16 * MiB;
/** Size of an imported file of spans as received. Its inflated size is limited like that of a dataset file. */
export const SPAN_IMPORT_BYTES_MAX = 64 * GiB;
/** Bytes of one line, like a request with one span. */
export const SPAN_LINE_BYTES_MAX = 64 * MiB;
/** Spans, and their characters, of one journal record of an import. */
export const SPAN_IMPORT_BATCH_ROW_COUNT = 1_000;
export const SPAN_IMPORT_BATCH_CHARS = 4 * MiB;
/** Rejected lines that the response to an import names. */
export const SPAN_IMPORT_REJECTION_COUNT_MAX = 100;
/** Spans that are read at a time to create examples. Their bodies may be long. */
export const SPAN_EXAMPLE_BATCH_COUNT = 200;
/** Examples that are read from the database at a time for a streamed response. */
export const EXAMPLE_BATCH_ROW_COUNT = 1_000;
/** Bytes of a streamed request body that wait for their reader before the connection is paused. */
export const BODY_STREAM_BYTES = 1 * MiB;
/** Characters of an identifier, and bytes of a label's name, which are entries of the same kind of index. */
export const IDENTIFIER_CHARS_MAX = 1_000;
export const LABEL_NAME_BYTES_MAX = 1_000;
/** Characters of a rendered text, and steps to render it. Nested lists of a template multiply. */
export const RENDERED_CHARS_MAX = 16 * MiB;
export const RENDER_STEP_COUNT_MAX = 1_000_000;
/** Nesting of sections in a template. */
export const TEMPLATE_DEPTH_MAX = 50;
/** Highlighted tags of a template. More are shown as text: a page with as many marks is no longer readable. */
export const TEMPLATE_TAG_COUNT_MAX = 5_000;
/** Datasets, versions or experiments of a complete list, which reads only row ids. */
export const DATASET_LIST_COUNT_MAX = 100_000;
/** Prompts of a complete list, which reads only row ids. */
export const PROMPT_LIST_COUNT_MAX = 100_000;
/** Evaluators of a complete list, which reads only row ids. */
export const EVALUATOR_LIST_COUNT_MAX = 100_000;
/** Evaluators of one dataset. Each evaluates every run of an experiment. */
export const DATASET_EVALUATOR_COUNT_MAX = 1_000;
/** Outputs of one evaluator, and labels of an output. Each is a function, or a word, in the request to the model. */
export const EVALUATOR_OUTPUT_COUNT_MAX = 100;
export const EVALUATOR_LABEL_COUNT_MAX = 1_000;
/** Inputs of a mapping, characters of a path in it, and characters of all of its literals as JSON. */
export const MAPPED_INPUT_COUNT_MAX = 1_000;
export const MAPPING_PATH_CHARS_MAX = 1_000;
export const MAPPING_LITERAL_CHARS_MAX = 1_000_000;
/** Spans that one request adds to a dataset: a selection that a person can look through. A table uploads more. */
export const ADDED_SPAN_COUNT_MAX = 20_000;
/** Spans of one preview. The dialog shows one at a time, and marks the repeated ones of a short selection. */
export const PREVIEWED_SPAN_COUNT_MAX = 200;
/** Sources of one dataset, and of one project. Each has a count that is read when they are listed. */
export const DATASET_SOURCE_COUNT_MAX = 100;
/** New matches of a source that are counted. More are shown as "20,000+". */
export const NEW_MATCH_COUNT_MAX = ADDED_SPAN_COUNT_MAX;
/** Fields of one side of a mapping, and characters of a name of a field. */
export const MAPPED_FIELD_COUNT_MAX = 100;
export const MAPPED_NAME_CHARS_MAX = 200;
