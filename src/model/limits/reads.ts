// Limits of pages, filters, events, series and other reads. Bytes unless the name has another unit.
import { MiB } from './units.ts';

/** Rows of one page of any list. */
export const PAGE_ROW_COUNT_MAX = 1_000;
/** Rows of one page of spans in columns. They have no objects, and at most about 20 KB each besides the texts of the next limit. */
export const SPAN_COLUMNS_ROW_COUNT_MAX = 8_192;
/** Bytes of texts over 4 KB in one page of whole spans: a page that holds more ends earlier. A single span may have more. */
export const PAGE_TEXT_BYTES_MAX = 64 * MiB;
/** Bytes of such texts that one read of named spans returns, all of them or none: three copies exist at the same time. */
export const SPAN_BODIES_BYTES_MAX = 128 * MiB;
/** Open streams of `/events`. Each is a mostly idle connection. */
export const EVENT_STREAM_COUNT_MAX = 1_000;
/** Traces and sessions that one stream of `/events` may follow. A page shows two or three at once. */
export const EVENT_TOPIC_COUNT_MAX = 16;
/** Traces, and sessions, that a changeset lists by row id, 8 KB per commit. With more, any of them may have changed. */
export const CHANGED_ROW_COUNT_MAX = 1_000;
/** Changes within this time are one event: a client reads again after each. */
export const EVENT_INTERVAL_MS_MIN = 500;
/** Shorter than the minute after which proxies close an idle connection. */
export const EVENT_HEARTBEAT_MS = 15_000;
/** Spans of traces in one chunk of a response: about 10 ms of the main thread. */
export const STREAMED_SPAN_COUNT = 2_000;
/** Rows of one page of annotations, which are small. Public clients request up to as many. */
export const ANNOTATION_PAGE_ROW_COUNT_MAX = 10_000;
/** Newest traces whose root spans supply the keys that the filter field suggests. */
export const OBSERVED_TRACE_COUNT = PAGE_ROW_COUNT_MAX;
/** Newest spans whose attributes a filter is compared with when it names something that is no field. */
export const OBSERVED_SPAN_COUNT = PAGE_ROW_COUNT_MAX;
/** Characters of attributes that are read for each of these: about 50 ms of the main thread. */
export const OBSERVED_CHARS_MAX = 2 * 1_024 * 1_024;
/** Keys of attributes and metadata that are suggested. */
export const OBSERVED_KEY_COUNT_MAX = 500;
/** Newest spans whose documents one summary of an evaluation reads: about 1 s of a reader. */
export const DOCUMENT_SCORE_SPAN_COUNT_MAX = 50_000;
/** Number and bytes of annotations whose target has not arrived. Above it, the oldest are dropped. */
export const PENDING_ANNOTATION_COUNT_MAX = 100_000;
export const PENDING_ANNOTATION_BYTES_MAX = 64 * MiB;
/**
 * Time after which an annotation without its target is dropped. Exporters retry for minutes, and queues of offline
 * hosts for hours.
 */
export const PENDING_ANNOTATION_MS_MAX = 24 * 3_600_000;
/** UTF-8 bytes of the name of an annotation config, which is in an index. */
export const ANNOTATION_CONFIG_NAME_BYTES_MAX = 1_024;
/** Values of one repeated query parameter that are compared one by one (`attribute`, `identifier`, …), or listed in a body. */
export const FILTER_VALUE_COUNT_MAX = 1_000;
/** Different values by which one read groups spans. Each is searched in every span that may have one. */
export const GROUPED_VALUE_COUNT_MAX = 100;
/** Objects of each kind that a search by name returns. */
export const SEARCH_COUNT_MAX = 25;
/** Tables of spans in one request. Clients request one. */
export const SPAN_QUERY_COUNT_MAX = 100;
/** Bytes of attributes and events in the tables of a request, with about ten bytes of memory each. */
export const SPAN_TABLE_BYTES_MAX = 128 * 1_024 * 1_024;
/** Cells of a table, or of a page of a streamed one, with the missing ones. Each attribute of any span is a column. */
export const SPAN_TABLE_CELL_COUNT_MAX = 50_000_000;
/** Columns that the pages of a streamed table have together. A page of spans with others begins with its own columns. */
export const STREAMED_COLUMN_COUNT_MAX = 2_000;
/** Cells of a table that are written without yielding: a few milliseconds of the main thread. */
export const TABLE_BATCH_CELL_COUNT = 20_000;
/** Traces that one export names: more than a user selects. Each page of the file is searched among them. */
export const EXPORT_TRACE_COUNT_MAX = 20_000;
/** UTF-16 units of a filter text, enough for a list of some thousand IDs. */
export const FILTER_CHARS_MAX = 100_000;
/** Nodes of a filter's tree. Each becomes an SQL term, and the work of the planner grows faster than their number. */
export const FILTER_NODE_COUNT_MAX = 10_000;
/** Nesting of a filter's nodes and brackets. Users nest a handful; parser, evaluator and SQL are recursive. */
export const FILTER_DEPTH_MAX = 100;
/** Nesting of comprehensions. Each is a subquery per row of the enclosing one. */
export const FILTER_COMPREHENSION_DEPTH_MAX = 3;
/** Distinct annotations in one filter. Each is joined to the spans, and their rows multiply. */
export const FILTER_ANNOTATION_COUNT_MAX = 16;
/** Characters of a filter that an error quotes, and of the whole error. */
export const FILTER_SOURCE_CHARS_MAX = 80;
export const FILTER_MESSAGE_CHARS_MAX = 300;
/**
 * Nesting of lists and objects in a REST body; deeper bodies get 400. Higher than the limit of spans, so that those get
 * their own error.
 */
export const BODY_JSON_DEPTH_MAX = 500;
/** Issues that one 422 lists, and characters of the input that each repeats: the response must not be ten times a bad body. */
export const VALIDATION_ISSUE_COUNT_MAX = 1_000;
export const VALIDATION_INPUT_CHARS_MAX = 2_000;
/** Time that a read may take, by class, before it is interrupted with a clear error. */
export const READ_DEADLINE_MS = { interface: 15_000, api: 30_000, export: 600_000, background: 600_000 } as const;
/** Concurrent reads by class. Further ones wait. */
export const READ_CONCURRENCY = { interface: 4, api: 4, export: 1, background: 1 } as const;
/** Shares of the time of reads while all classes wait. An export gets a fifth beside users who look at pages all the time. */
export const READ_SHARES = { interface: 4, api: 4, export: 1, background: 1 } as const;
/** Waiting reads by class. Another one gets 503. */
export const READ_QUEUE_COUNT_MAX = 1_000;

/** Bins of one time series. */
export const SERIES_BIN_COUNT_MAX = 50_000;
/**
 * Years that a series in a named time zone may cover, including its first bin. The server searches all of them for
 * changes of the UTC offset, which takes about 0.1 ms per year.
 */
export const TIME_ZONE_YEARS_MAX = 100;
/** Cached offset changes, by time zone and range of years. */
export const TIME_ZONE_CACHE_COUNT_MAX = 64;
/** Minutes, hours, days or weeks per bin. */
export const SERIES_SCALE_COUNT_MAX = 10_000;

/**
 * Newest spans that facets count: 50 to 100 ms of processor time with 500,000 stored spans
 * (`bench/span-store/filters`).
 */
export const FACET_SPAN_COUNT_MAX = 20_000;
/** Newest traces whose root spans are counted. Finding a root span reads all spans of its trace. */
export const FACET_TRACE_COUNT_MAX = 10_000;
/** Values of one facet, and metadata keys that are facets. */
export const FACET_VALUE_COUNT_MAX = 50;
export const FACET_METADATA_KEY_COUNT = 6;

/** Days of the reported growth of the store. */
export const STORAGE_DAY_COUNT_MAX = 366;

/** Saved views of one project. */
export const SAVED_VIEW_COUNT_MAX = 200;
export const SAVED_VIEW_NAME_LENGTH_MAX = 100;
/** Characters of the query and the columns of a saved view, enough for a long filter. */
export const SAVED_VIEW_TEXT_LENGTH_MAX = 100_000;
