import assert from 'node:assert/strict';

// All limits of the server with their reasons. Bytes unless the name says otherwise.
const KiB = 1024;
const MiB = 1024 * KiB;
const GiB = 1024 * MiB;

/** Size of a request's body as received, before inflating. A larger body gets 413 (gRPC: RESOURCE_EXHAUSTED). */
export const BODY_BYTES_MAX = 64 * MiB;
/** Size of an inflated OTLP request. A larger one gets 413, so that a gzip bomb does not fill the memory. */
export const DECODED_BYTES_MAX = 64 * MiB;
/** Size of a JSON body of a REST call, and of a call with many items. */
export const JSON_BODY_BYTES_MAX = 16 * MiB;
export const BULK_JSON_BODY_BYTES_MAX = 64 * MiB;
/** Request line and headers together, enough for a thousand trace IDs in a query. More gets 431. */
export const HEADER_BYTES_MAX = 60 * KiB;
/** Headers of a request. uWebSockets.js is compiled for at most 100. More gets 431. */
export const HEADER_COUNT_MAX = 90;
/** Rejected origins and host names that are logged, each once. A page could invent any number of them. */
export const LOGGED_SOURCE_COUNT_MAX = 100;
/** Characters of a rejected origin or host name in a log line or a response. */
export const SHOWN_SOURCE_LENGTH_MAX = 260;
/** Addresses of forwarding headers that are considered, from the end. More proxies in a row are no real case. */
export const FORWARDED_ADDRESS_COUNT_MAX = 20;
/** Addresses whose requests are counted, about 200 bytes each. One more evicts the least recently used one. */
export const RATE_LIMIT_BUCKET_COUNT_MAX = 20_000;
/** Size of the headers that the HTTP parsers accept before they send 431 themselves, without our headers. */
export const PARSER_HEADER_BYTES_MAX = 64 * KiB;
/** A body without progress for this time is dropped with 408. */
export const BODY_STALL_MS_MAX = 30_000;
/** Progress that counts in that time. A body that is sent byte by byte must not occupy memory for days. */
export const BODY_STALL_BYTES_MIN = 16 * KiB;
/**
 * Share of the received bytes that must arrive in that time as well, so a stalling client cannot hold 60 MB for
 * minutes.
 */
export const BODY_STALL_SHARE_MIN = 1 / 20;
/** The connection is closed if the client reads nothing of its response for this time. */
export const RESPONSE_STALL_MS_MAX = 60_000;
/**
 * Bytes of a rejected body that are read and dropped, so that the client can read the response. If more remain, the
 * connection closes.
 */
export const DROPPED_BYTES_MAX = 64 * MiB;
/** Bytes of a response that are passed to the socket at once. */
export const RESPONSE_CHUNK_BYTES = 64 * KiB;
/** Concurrent exports of one gRPC connection. Each may hold a message. */
export const GRPC_STREAM_COUNT_MAX = 100;
/** Open gRPC calls over all connections, including those whose message is incomplete. One more is UNAVAILABLE. */
export const GRPC_CALL_COUNT_MAX = 512;
/** Open gRPC connections. One more closes the longest idle one. An exporter has one connection, which takes 100 KiB. */
export const GRPC_CONNECTION_COUNT_MAX = 1_000;
/** TCP connections to the gRPC port whose TLS handshake is not finished. */
export const GRPC_HANDSHAKE_COUNT_MAX = 100;
/** Deadline of a TLS handshake, over gRPC and `node:http`. */
export const TLS_HANDSHAKE_MS_MAX = 15_000;
/** Interval at which TLS files are checked for changes. A check costs three calls of `stat`. */
export const TLS_POLL_MS = 10_000;
/** Open TCP connections of the HTTP listener. Another one is closed immediately. */
export const CONNECTION_COUNT_MAX = 10_000;
/** On SIGTERM: time for running requests before they are closed. */
export const DRAIN_MS_MAX = 10_000;
/**
 * Time from SIGTERM to the end of the process. An earlier end loses nothing, because the journal has everything that
 * was acknowledged.
 */
export const STOP_MS_MAX = 40_000;

/**
 * Commas and opening brackets of a JSON body. 64 MiB of OTLP with short keys have 7 million, but 64 MiB of brackets
 * alone would take several GB after parsing.
 */
export const JSON_SIGN_COUNT_MAX = 8_000_000;
/**
 * Distinct keys of a JSON body of REST. This many take a quarter of a second to store; a span has at most 50,000
 * attributes.
 */
export const JSON_KEY_COUNT_MAX = 200_000;
/**
 * OTLP/JSON up to this size is read by `JSON.parse`, in at most 100 ms. A larger body is read by a parser that keeps
 * only the keys of OTLP.
 */
export const PLAIN_JSON_BYTES_MAX = 1 * MiB;
/** Maximum heap of one JSON value: an object with a unique key (816 MiB for 8 million commas and brackets). */
export const JSON_SIGN_HEAP_BYTES_MAX = 110;
/** Heap per byte of a JSON text: two bytes per character of its strings, which exist twice during the conversion. */
const JSON_TEXT_HEAP_BYTES = 4;
/** Maximum heap of a JSON text and its parsed values. */
export const jsonHeapBytes = (textBytes: number, signCount: number): number =>
  textBytes * JSON_TEXT_HEAP_BYTES + signCount * JSON_SIGN_HEAP_BYTES_MAX;
/**
 * JavaScript heap of a decode thread: several times the need of the largest allowed body. No body may reach it, because
 * Node 22 and 24 often end the whole process where only the thread should end.
 */
export const DECODE_HEAP_BYTES_MAX = 2 * GiB;

/** Spans in one request. */
export const REQUEST_SPAN_COUNT_MAX = 1_000_000;
/** Attributes of one span including its events. A span with more is rejected with the reason. */
export const SPAN_ATTRIBUTE_COUNT_MAX = 50_000;
/** Bytes of a trace ID or span ID over OTLP: four times the size in OpenTelemetry. Every row and index holds the ID. */
export const OTLP_ID_BYTES_MAX = 64;
/** Nesting of OTLP AnyValue (arrays and key-value lists) and of JSON inside attributes. Deeper values are rejected. */
export const VALUE_DEPTH_MAX = 100;
/** Levels that dotted attribute keys may create. Further segments stay in one key. */
export const KEY_DEPTH_MAX = 100;
/** An attribute leaf of at most this many UTF-8 bytes of JSON is short (see `SpanColumns.attributes`). */
export const LEAF_BYTES_MAX = 200;
/** Characters of input and output in lists. */
export const PREVIEW_CHARS_MAX = 200;

/** Bytes of requests between admission and acknowledgement. More gets 503 with Retry-After. */
export const INFLIGHT_BYTES_MAX = 256 * MiB;
/** Requests that wait for a decode thread. Another one gets 503. */
export const DECODE_QUEUE_COUNT_MAX = 512;
/** Bytes that are journaled but not yet stored. More gets 503, so that disk use is bounded. */
export const BACKLOG_BYTES_MAX = 4 * GiB;
/** Seconds that exporters are told to wait on 503. */
export const RETRY_AFTER_SECONDS = 1;

/** Size of a journal segment. It is preallocated, so that fdatasync writes data and no file size. */
export const SEGMENT_BYTES = 128 * MiB;
/** Maximum bytes of one group commit of the journal. */
export const GROUP_COMMIT_BYTES_MAX = 16 * MiB;
/** Applied segments are kept for this time for inspection, up to this many bytes. */
export const JOURNAL_GRACE_MS = 600_000;
export const JOURNAL_GRACE_BYTES_MAX = 1 * GiB;
/** Interval at which applied segments are removed. */
export const JOURNAL_TRIM_MS = 10_000;
/** Interval at which free space is measured, and at which a journal that could not be written retries. */
export const STORAGE_PROBE_MS = 1_000;
/** Free space reserved for Postgres and for the store, which rewrites up to three row groups at a checkpoint. */
export const STORE_RESERVE_BYTES = 256 * MiB;
/** Maximum share of a small disk that is reserved. */
export const STORE_RESERVE_SHARE_MAX = 0.1;
/**
 * Bytes reserved in addition for each journal byte after the last checkpoint, because the journal may compress better.
 */
export const STORE_RESERVE_PER_JOURNAL_BYTE = 2;
/** Minimum free space to begin a checkpoint, in addition to the text that it writes. */
export const CHECKPOINT_FREE_BYTES_MIN = 4 * MiB;

/** A commit of the store ends at the first of these limits. A larger single request is one commit. */
export const COMMIT_ROW_COUNT_MAX = 8 * 2048;
export const COMMIT_BYTES_MAX = 32 * MiB;
/** While spans arrive, commits start at least this far apart. A single span is committed immediately. */
export const COMMIT_INTERVAL_MS_MIN = 20;

/** UTF-8 bytes of a project's name. An entry of a unique index in Postgres may have 2,704. */
export const PROJECT_NAME_BYTES_MAX = 2_000;

/** UTF-8 bytes of other unique names and IDs (datasets, splits, labels, external IDs), as for projects. */
export const INDEXED_TEXT_BYTES_MAX = 2_000;
/** Rows that the text of one error names: a caller reads the first of them, and a request may name any number. */
export const ERROR_ROW_COUNT_MAX = 100;
/** A dataset's file as it comes, and inflated: disk and time, not memory, since it is never held whole. */
export const DATASET_FILE_BYTES_MAX = 4 * GiB;
export const DATASET_INFLATED_BYTES_MAX = 16 * GiB;
/** Up to this size, a file waits in memory for the rest of its form. A larger one is written to a temporary file. */
export const DATASET_FILE_MEMORY_BYTES = 1 * MiB;
/** Characters of one line or record of a file, which must fit into memory. */
export const DATASET_ROW_CHARS_MAX = 64 * MiB;
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
/** Bytes and number of the fields of a form, without its file. */
export const FORM_FIELD_BYTES_MAX = 1 * MiB;
export const FORM_FIELD_COUNT_MAX = 10_000;
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
/** Runs or evaluations, and their characters, in one database statement. */
export const RUN_BATCH_COUNT = 100;
export const RUN_BATCH_CHARS = 4 * MiB;
/** Repetitions of an experiment. Incomplete ones are listed one by one. */
export const REPETITION_COUNT_MAX = 10_000;
/** Memory of the database for a sort or join of such a statement. Larger ones use its disk. */
export const DATASET_WORK_MEMORY_MIB = 32;
/**
 * Spans of one page of an export, and the target number of its characters: the page has as many spans as fit, estimated
 * from the previous ones. An export has one page in memory.
 */
export const SPAN_EXPORT_PAGE_ROW_COUNT = 1_000;
export const SPAN_EXPORT_PAGE_CHARS = 4 * MiB;
/** Size of an imported file of spans as received. Its inflated size is limited like that of a dataset file. */
export const SPAN_IMPORT_BYTES_MAX = 64 * GiB;
/** Bytes of one line, like a request with one span. */
export const SPAN_LINE_BYTES_MAX = 64 * MiB;
/** Spans, and their characters, of one journal record of an import. */
export const SPAN_IMPORT_BATCH_ROW_COUNT = 1_000;
export const SPAN_IMPORT_BATCH_CHARS = 4 * MiB;
/** Rejected lines that the response to an import names. */
export const SPAN_IMPORT_REFUSAL_COUNT_MAX = 100;
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

/** Connections of the pool to the metadata database, and the same number to its read replica. */
export const METADATA_CONNECTION_COUNT_MAX = 10;
/** Connections of the embedded Postgres: the pool, the session of its owner, `db move`, and three psql sessions. */
export const EMBEDDED_CONNECTION_COUNT_MAX = 25;
/** The database cancels a metadata statement after this time. Migrations and moves have no limit. */
export const METADATA_STATEMENT_MS_MAX = 30_000;
/** Maximum wait for a lock when a project is created. The spans of all projects wait behind it. */
export const PROJECT_LOCK_MS_MAX = 2_000;
/** Pause before the creation of a project is retried. Its spans are stored during the pause. */
export const PROJECT_RETRY_MS = 5_000;
/** Wait for a free or a new connection. */
export const METADATA_CONNECT_MS_MAX = 5_000;
/** Wait for a connection to the read replica. The primary serves the read after it. */
export const REPLICA_CONNECT_MS_MAX = 1_000;
/** Interval between checks of the read replica. A lost one returns within it. */
export const REPLICA_CHECK_MS = 1_000;
/** Time for the replica to say how far it is. A replica that takes longer counts as lost. */
export const REPLICA_CHECK_MS_MAX = 2_000;
/** Age of the data on the replica above which the primary serves all reads. */
export const REPLICA_LAG_MS_MAX = 10_000;
/** Wait of a read for the last write of its caller on the replica. The primary serves the read after it. */
export const REPLICA_WAIT_MS_MAX = 1;
/** Callers whose last write the replica does not have yet. Above it, all reads wait for the newest of these writes. */
export const REPLICA_WRITER_COUNT_MAX = 10_000;
/** Lifetime of a connection, shorter than the hour after which gateways and cloud logins close it. */
export const METADATA_CONNECTION_SECONDS_MAX = 3_300;
/** Time at start for a database to become reachable, because both may have been started together. */
export const METADATA_START_MS_MAX = 30_000;
/** Time for the embedded Postgres to write its checkpoint and stop. After it, Postgres is stopped immediately. */
export const EMBEDDED_STOP_MS_MAX = 10_000;
/** Longest pause before a crashed embedded Postgres is restarted. */
export const EMBEDDED_RESTART_MS_MAX = 10_000;

/** Default memory of the span store's buffers. More only speeds up large scans. */
export const STORE_MEMORY_BYTES_MAX = 1 * GiB;
/** Disk space for sorts and joins that exceed that memory. */
export const STORE_TEMP_BYTES_MAX = 10 * GiB;
/** Memory of block filters, about 4 bytes per span. Searches scan the oldest blocks beyond it row by row. */
export const BLOCK_FILTER_BYTES_MAX = 256 * MiB;
/**
 * Memory of the newest spans, from which pages are built without a query: about 200,000 spans of agents. The limit is
 * lower if the store's buffers have less than four times as much.
 */
export const RECENT_SPAN_BYTES_MAX = 256 * MiB;
/**
 * Memory of hourly aggregates with the latency of each trace: about 4 million traces. Beyond it, the database is
 * queried.
 */
export const RANGE_SUM_BYTES_MAX = 32 * MiB;
/** Aggregates of a project are evicted after this many changes without a read. */
export const UNASKED_CHANGE_COUNT_MAX = 2 ** 18;
/**
 * Spans between two checkpoints under continuous load. Later ones are replayed after a crash. At least four of the
 * store's row groups: the incomplete row groups that checkpoints leave are then too far apart for DuckDB to merge
 * everything between them.
 */
export const STORE_CHECKPOINT_ROW_COUNT = 5 * 16_384;
/** Bytes of text that cause an earlier checkpoint. Until then they are in the store's memory, uncompressed. */
export const STORE_CHECKPOINT_BYTES = 256 * MiB;
/** Time without writes that causes a checkpoint, so that an idle server starts immediately. */
export const STORE_CHECKPOINT_IDLE_MS = 5_000;
/** Maximum time between checkpoints under a low load, so that journal segments can be removed. */
export const STORE_CHECKPOINT_INTERVAL_MS = 60_000;
/** Longest pause before a store thread is restarted after it ended. */
export const STORE_RESTART_MS_MAX = 30_000;
/** Deleted traces whose sort position is kept for cursors that name them, about 10 bytes each on disk. */
export const DELETED_TRACE_COUNT_MAX = 1_000_000;

/** Rows of one page of any list. */
export const PAGE_ROW_COUNT_MAX = 1_000;
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
/** Characters of attributes that are read for it: about 50 ms of the main thread. */
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
/** Values of one repeated query parameter (`trace_id`, `name`, …). */
export const FILTER_VALUE_COUNT_MAX = 1_000;
/** Objects of each kind that a search by name returns. */
export const SEARCH_COUNT_MAX = 25;
/** Tables of spans in one request. Clients request one. */
export const SPAN_QUERY_COUNT_MAX = 100;
/** Characters of attributes and events in the tables of a request, with about ten bytes of memory each. */
export const SPAN_TABLE_CHARS_MAX = 128 * 1_024 * 1_024;
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
/** Waiting reads by class. Another one gets 503. */
export const READ_QUEUE_COUNT_MAX = 1_000;

/** Characters and tokens of a GraphQL document, which is parsed without yielding. Long texts belong in variables. */
export const GRAPHQL_DOCUMENT_CHARS_MAX = 1 * MiB;
export const GRAPHQL_TOKEN_COUNT_MAX = 20_000;
/**
 * Fields of a document. Validation compares all pairs, 50 ms for this many. The interface's largest operation has 63.
 */
export const GRAPHQL_FIELD_COUNT_MAX = 500;
/** Fields after fragments are expanded, counted per type of an interface or union. Both can double at every level. */
export const GRAPHQL_EXPANDED_FIELD_COUNT_MAX = 4_000;
/**
 * Operations with more expanded fields are interpreted. Compiling blocks the event loop for 0.1 to 0.5 ms per field.
 */
export const GRAPHQL_COMPILED_FIELD_COUNT_MAX = 250;
/** Schema introspections in one operation, 60 ms each. Tools need one. */
export const GRAPHQL_INTROSPECTION_COUNT_MAX = 2;
/** Nesting of fields, and number of aliases, of one GraphQL operation. */
export const GRAPHQL_DEPTH_MAX = 20;
export const GRAPHQL_ALIAS_COUNT_MAX = 50;
/** Commas and opening brackets of a GraphQL request. `JSON.parse` blocks the event loop for 50 ms for this many. */
export const GRAPHQL_JSON_SIGN_COUNT_MAX = 500_000;
/** Values of one list argument of a query, and of a mutation. The size of the body limits nested lists. */
export const GRAPHQL_QUERY_LIST_COUNT_MAX = 1_000;
export const GRAPHQL_MUTATION_LIST_COUNT_MAX = 10_000;
/**
 * Cost of one GraphQL request in resolved fields. It is estimated from the document before execution, where the sizes
 * of nested lists multiply, and counted again as lists are built. The interface's table of 1,000 spans is estimated at
 * 238,000.
 */
export const GRAPHQL_COST_MAX = 1_000_000;
/**
 * Estimated cost of a field with its own store query, and estimated size of a list that the document does not limit.
 */
export const GRAPHQL_READ_COST = 50;
export const GRAPHQL_UNKNOWN_LIST_COUNT = 5;
/** Estimated cost of all concurrent requests. Further requests wait, except those that cost less than a page. */
export const GRAPHQL_RUNNING_COST_MAX = 2 * GRAPHQL_COST_MAX;
export const GRAPHQL_PAGE_COST = 100_000;
export const GRAPHQL_WAITING_COUNT_MAX = 100;
/** Objects in all lists of one GraphQL response, because nested lists multiply. */
export const GRAPHQL_ITEM_COUNT_MAX = 200_000;
/** Characters of all texts of one GraphQL response, and of all responses that are being built. */
export const GRAPHQL_TEXT_CHARS_MAX = 128 * MiB;
export const GRAPHQL_RUNNING_TEXT_CHARS_MAX = 512 * MiB;
/** Failed fields of one GraphQL response. With more, the whole request fails. */
export const GRAPHQL_ERROR_COUNT_MAX = 1_000;
/** Time from the first to the last read of a GraphQL query. Several reads of 15 s may run one after the other. */
export const GRAPHQL_QUERY_MS_MAX = 60_000;
/** Time that GraphQL requests hold the event loop before they yield to other work. */
export const GRAPHQL_SLICE_MS = 8;
/** Reads of one GraphQL request that run or wait in the store at a time; its further ones wait outside. */
export const GRAPHQL_READ_COUNT_MAX = 4;
/** Body of a GraphQL request: its document and variables. */
export const GRAPHQL_BODY_BYTES_MAX = 8 * MiB;
/** Cached compiled GraphQL documents, and characters of their texts. */
export const GRAPHQL_COMPILED_COUNT_MAX = 500;
export const GRAPHQL_COMPILED_CHARS_MAX = 8 * MiB;
/** Characters of a shortened input or output in GraphQL. */
export const GRAPHQL_TRUNCATED_CHARS_MAX = 100;
/** Projects of a complete list. */
export const PROJECT_LIST_COUNT_MAX = 100_000;
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

/** Characters of a provider's config as JSON: some headers and keys. */
export const PROVIDER_CONFIG_CHARS_MAX = 64 * 1_024;

/** Characters of the key of a secret. Names of environment variables are much shorter. */
export const SECRET_KEY_CHARS_MAX = 256;
/** Characters of a secret: a private key or the JSON of a service account has a few thousand. */
export const SECRET_VALUE_CHARS_MAX = 64 * 1_024;
/** Hosts that one secret is bound to. A vendor has a few. */
export const SECRET_HOST_COUNT_MAX = 100;
/** Secrets of one request, which are stored in one transaction. */
export const SECRET_CHANGE_COUNT_MAX = 1_000;
/** Encrypted texts that a rotation reads at a time, so that it never holds all of them in memory. */
export const RESEAL_BATCH_COUNT = 100;

/** Saved views of one project. */
export const SAVED_VIEW_COUNT_MAX = 200;
export const SAVED_VIEW_NAME_LENGTH_MAX = 100;
/** Characters of the query and the columns of a saved view, enough for a long filter. */
export const SAVED_VIEW_TEXT_LENGTH_MAX = 100_000;

/** Rejected requests and spans that the ingest status lists. */
export const INGEST_ERROR_COUNT_MAX = 200;
/** Most recent clients that the ingest status lists. */
export const INGEST_CLIENT_COUNT_MAX = 100;
/** Characters of a client's user agent that are kept. */
export const USER_AGENT_LENGTH_MAX = 200;
/**
 * Interval between log lines about rejected traces of one client for one reason. A broken exporter retries constantly.
 */
export const REJECTION_LOG_INTERVAL_MS = 60_000;
/**
 * Clients and reasons that the log distinguishes at a time. The others share one line, so clients cannot flood the log.
 */
export const REJECTION_LOG_KEY_COUNT_MAX = 200;
/** Characters of a reason in the log. A reason may quote the request. */
export const REJECTION_LOG_REASON_LENGTH_MAX = 500;
/** Length and number of the bins of the ingest status: a quarter of an hour. */
export const ACTIVITY_BIN_MS = 10_000;
export const ACTIVITY_BIN_COUNT = 90;

/** Response of an identity provider, inflated. Metadata, keys and claims of the largest providers take a tenth. */
export const OIDC_RESPONSE_BYTES_MAX = 512 * KiB;
/** One call to an identity provider. A sign-in makes at most four, while a person waits. */
export const OIDC_REQUEST_MS_MAX = 10_000;
/** Age of the metadata of an identity provider. Its keys are fetched at each sign-in. */
export const OIDC_METADATA_MS_MAX = 3_600_000;
/** Difference between the clocks of server and identity provider that the times of an ID token may have. */
export const OIDC_CLOCK_TOLERANCE_S = 60;
/** File with a client assertion. A JWT with a chain of certificates has a few KiB. */
export const CLIENT_ASSERTION_BYTES_MAX = 64 * KiB;
/** Levels of the claims of a user. */
export const CLAIMS_DEPTH_MAX = 32;
/** Characters of a claim that is stored: a subject, a group, the URL of a picture. */
export const CLAIM_LENGTH_MAX = 1_024;
/** Groups of a user. A directory names every mailing list, and each request of the user may look at all. */
export const GROUP_COUNT_MAX = 5_000;
/** Members of a group that an identity provider sends over SCIM, about twice the largest group that one provisions. */
export const GROUP_MEMBER_COUNT_MAX = 50_000;
/** Size of a request of SCIM: a group of 50,000 members at 80 bytes each. */
export const SCIM_BODY_BYTES_MAX = 4 * MiB;
/** Levels of JSON in such a request. A user has three. */
export const SCIM_JSON_DEPTH_MAX = 16;
/** Operations of one PATCH. Providers send a few, and one for each member of a group at most. */
export const SCIM_OPERATION_COUNT_MAX = 1_000;
/** Commas and brackets of such a request, which bound its memory: a group of 50,000 members with four fields each. */
export const SCIM_VALUE_COUNT_MAX = 300_000;
/** Resources of a page, and those without a `count`. */
export const SCIM_PAGE_ROW_COUNT_MAX = 200;
export const SCIM_PAGE_ROW_COUNT = 100;
/** Members in one response. A list with more must exclude the members. */
export const SCIM_LISTED_MEMBER_COUNT_MAX = 100_000;
/** Characters, comparisons and levels of a filter. Providers send one or two comparisons. */
export const SCIM_FILTER_LENGTH_MAX = 2_000;
export const SCIM_FILTER_COMPARISON_COUNT_MAX = 50;
export const SCIM_FILTER_DEPTH_MAX = 20;
/** Evaluation of one JMESPath expression, which blocks the event loop. A usual one takes 1 ms. */
export const JMESPATH_MS_MAX = 500;
/** Characters of the name of a user from an identity provider or a directory. */
export const DISPLAY_NAME_LENGTH_MAX = 200;
/** Characters of a name and a password for the directory. */
export const LDAP_USERNAME_LENGTH_MAX = 256;
export const LDAP_PASSWORD_LENGTH_MAX = 1_024;
/** Bytes of the attribute that identifies a user of the directory. An index of Postgres must hold it. */
export const LDAP_UNIQUE_ID_LENGTH_MAX = 512;
/** Sign-ins at the directory at a time, and those that wait. More are rejected, because the directory is overloaded. */
export const LDAP_SIGN_IN_COUNT_MAX = 10;
export const LDAP_WAITING_COUNT_MAX = 100;
/** Connection to a server of the directory, with its TLS handshake; one operation; a whole sign-in with its waiting. */
export const LDAP_CONNECT_MS_MAX = 10_000;
export const LDAP_OPERATION_MS_MAX = 30_000;
export const LDAP_TOTAL_MS_MAX = 60_000;
/** Mails in memory. More are dropped with a line in the log: a flood of resets must not fill the memory. */
export const MAIL_QUEUE_COUNT_MAX = 500;
/** Connections to the mail server at a time. Mail servers limit them per client. */
export const MAIL_CONCURRENCY = 2;
/** Attempts for one mail, 5 s and 30 s apart, which covers a restart of the mail server. */
export const MAIL_ATTEMPT_COUNT_MAX = 3;
export const MAIL_RETRY_MS = 5_000;
/** Time to connect to the mail server, and from there to its greeting. */
export const MAIL_CONNECT_MS_MAX = 10_000;
/** Time without any data from the mail server. */
export const MAIL_REPLY_MS_MAX = 20_000;
/** Time of one attempt. A slow mail server must not hold up other mails for longer. */
export const MAIL_ATTEMPT_MS_MAX = 60_000;
/** Time between two storage warnings to one administrator. */
export const STORAGE_WARNING_INTERVAL_HOURS = 24;
/** Time for running attempts when the server stops. */
export const MAIL_CLOSE_MS_MAX = 3_000;

assert(DECODED_BYTES_MAX < SEGMENT_BYTES, 'a record must fit into one segment');
assert(HEADER_BYTES_MAX < PARSER_HEADER_BYTES_MAX, 'the server must send 431 before its parser does');
assert(
  DRAIN_MS_MAX + MAIL_CLOSE_MS_MAX + EMBEDDED_STOP_MS_MAX < STOP_MS_MAX,
  'the parts must have time to close in order',
);
assert(BODY_BYTES_MAX <= INFLIGHT_BYTES_MAX, 'the largest request must be admissible');
assert(2 * JSON_SIGN_COUNT_MAX * JSON_SIGN_HEAP_BYTES_MAX < DECODE_HEAP_BYTES_MAX, 'no body may take a whole heap');
assert(
  VALUE_DEPTH_MAX < BODY_JSON_DEPTH_MAX,
  'a span that is nested too deeply must be readable, so that the error can name it',
);
assert(GRAPHQL_TRUNCATED_CHARS_MAX < PREVIEW_CHARS_MAX, 'a preview must show whether there is more');
assert(PAGE_ROW_COUNT_MAX <= GRAPHQL_QUERY_LIST_COUNT_MAX, 'the nodes of a page must be readable by their IDs');
assert(GRAPHQL_PAGE_COST < GRAPHQL_COST_MAX, 'a page must not wait');
assert(SEGMENT_BYTES < BACKLOG_BYTES_MAX, 'the backlog must hold at least one segment');
assert(METADATA_CONNECTION_COUNT_MAX + 5 <= EMBEDDED_CONNECTION_COUNT_MAX, 'the embedded Postgres must admit its pool');
assert(DATASET_UPLOAD_COUNT_MAX < METADATA_CONNECTION_COUNT_MAX / 2, 'uploads must leave connections to others');

/** Rows of credentials and accounts in one query, when a server fills its cache at the start. */
export const CREDENTIAL_BATCH_ROW_COUNT = 10_000;
/** Time for which a change of a credential is kept for other servers. They read changes at least every few seconds. */
export const CREDENTIAL_CHANGE_SECONDS_MAX = 600;
/** Interval in which changes are read when notifications arrive, as a safety net, and when a pooler swallows them. */
export const CREDENTIAL_SYNC_MS = 5_000;
export const CREDENTIAL_POLL_MS = 400;
/**
 * While Postgres is unavailable, known credentials stay valid for this time, so that exporters go on. Then requests get 503,
 * because a revocation might be missed for longer.
 */
export const CREDENTIAL_STALE_MS_MAX = 15 * 60_000;
/** Interval in which the last uses of keys are stored. */
export const KEY_USE_MS = 60_000;
/** Interval in which expired tokens and sessions are deleted. */
export const CREDENTIAL_SWEEP_MS = 10 * 60_000;
/** A refresh token that is sent again within this time comes from a second tab or a retry, not from a thief. */
export const REFRESH_REPLAY_SECONDS_MAX = 10;
/** Days after which a session ends although it is in use. */
export const SESSION_DAYS_MAX = 30;
/** Failed sign-ins are forgotten after this time without another one. */
export const SIGN_IN_FAILURE_MINUTES_MAX = 20;
/** Time of the lock after the last allowed failure. */
export const SIGN_IN_LOCK_SECONDS = 300;
/** Passwords that are hashed at once, and that wait for it. More get 503. A hash takes 19 MiB and a core. */
export const PASSWORD_HASH_COUNT_MAX = 2;
export const PASSWORD_HASH_QUEUE_LENGTH_MAX = 200;
/** Changes with an entry in the audit log that run or wait. More get 503. */
export const AUDITED_CHANGE_COUNT_MAX = 1_000;
/** Attempts to sign in to one account, with those that wait for earlier ones. More get 503. */
export const SIGN_IN_QUEUE_LENGTH_MAX = 100;
/** Longer passwords are rejected unread, because hashing takes time with their length. */
export const PASSWORD_LENGTH_MAX = 1_024;
/** Length of the name or email of an account, and of the name and description of a key. */
export const ACCOUNT_TEXT_LENGTH_MAX = 256;
export const KEY_TEXT_LENGTH_MAX = 2_000;
/** Projects that a key names, which every server holds in memory. */
export const KEY_PROJECT_COUNT_MAX = 100;
/** Members of a project, which every server holds in memory. */
export const PROJECT_MEMBER_COUNT_MAX = 1_000;
/** Length of the name of a group, which an identity provider chooses. */
export const GROUP_NAME_LENGTH_MAX = 500;
/** Identities that a user can link. Every sign-in of the user may use any of them. */
export const LINKED_IDENTITY_COUNT_MAX = 20;
/** Size of the body of a route of sign-in. */
export const SIGN_IN_BODY_BYTES_MAX = 16 * KiB;
/** Length of a token in a request. Ours have about 220 characters. */
export const TOKEN_LENGTH_MAX = 2_048;
/** Time in which our own notification must arrive on a connection that listens, and the wait before another connection. */
export const LISTEN_PROOF_MS_MAX = 2_000;
export const LISTEN_RETRY_MS = 5_000;
/** Entries of the audit log that its check reads at once. */
export const AUDIT_BATCH_ROW_COUNT = 5_000;
/** Entries of a page of the audit log, and of an export of it as CSV. */
export const AUDIT_PAGE_ROW_COUNT_MAX = 1_000;
export const AUDIT_EXPORT_ROW_COUNT_MAX = 100_000;
/** Interval in which old entries of the audit log are deleted. */
export const AUDIT_SWEEP_MS = 6 * 3_600_000;
/** Time that the end of a connection that listens may take. */
export const LISTEN_CLOSE_MS_MAX = 1_000;
/** Time in which a person must sign in at the identity provider. */
export const OAUTH2_COOKIE_SECONDS = 15 * 60;
/** Time in which a user must decide about an application, and in which the application must redeem its code. */
export const OAUTH2_REQUEST_SECONDS = 15 * 60;
export const OAUTH2_CODE_SECONDS = 5 * 60;
/** Length of the state of an authorization request. 22 characters of base64url are 128 random bits. */
export const OAUTH2_STATE_LENGTH_MIN = 22;
export const OAUTH2_STATE_LENGTH_MAX = 512;
/** Scopes of a request, and the length of each. They are shown to the user. */
export const OAUTH2_SCOPE_COUNT_MAX = 20;
export const OAUTH2_SCOPE_LENGTH_MAX = 100;
/** Redirect URIs of an application, the length of each, and the length of its name. Anyone may register applications. */
export const OAUTH2_REDIRECT_COUNT_MAX = 10;
export const OAUTH2_REDIRECT_LENGTH_MAX = 1_000;
export const OAUTH2_CLIENT_NAME_LENGTH_MAX = 100;
/** Applications that no user has accepted: per address and day, and in total. More registrations get 429. */
export const OAUTH2_UNUSED_CLIENTS_PER_DAY_MAX = 50;
export const OAUTH2_UNUSED_CLIENT_COUNT_MAX = 10_000;
/** Days after which an application that no user has accepted is deleted, and a grant after its end. */
export const OAUTH2_UNUSED_CLIENT_DAYS_MAX = 7;
export const OAUTH2_DEAD_GRANT_DAYS_MAX = 30;
