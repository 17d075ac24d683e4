import assert from 'node:assert/strict';

// Every limit of the server, beside each other, each with its reason. Bytes unless the name says otherwise.
const KiB = 1024;
const MiB = 1024 * KiB;
const GiB = 1024 * MiB;

/** A request's body as it comes, before inflating. More is 413 (gRPC: RESOURCE_EXHAUSTED). */
export const BODY_BYTES_MAX = 64 * MiB;
/** An OTLP request inflated. More is 413: a gzip bomb must not reach memory. */
export const DECODED_BYTES_MAX = 64 * MiB;
/** A JSON body of a REST call, and of one that takes many things at once. */
export const JSON_BODY_BYTES_MAX = 16 * MiB;
export const BULK_JSON_BODY_BYTES_MAX = 64 * MiB;
/** Request line and headers together: room for a thousand trace IDs in a query. More is 431. */
export const HEADER_BYTES_MAX = 60 * KiB;
/** Headers of a request. uWebSockets.js is compiled for 100 at most; one more is 431 there and here. */
export const HEADER_COUNT_MAX = 90;
/** Rejected origins and host names that are logged, each once. A page could invent any number of them. */
export const LOGGED_SOURCE_COUNT_MAX = 100;
/** Characters of a rejected origin or host name in a log line or a response. */
export const SHOWN_SOURCE_LENGTH_MAX = 260;
/** What the HTTP parsers below ours take before they answer 431 themselves, without our headers. */
export const PARSER_HEADER_BYTES_MAX = 64 * KiB;
/** A body that makes no progress for this long is given up with 408. */
export const BODY_STALL_MS_MAX = 30_000;
/** What counts as progress in that time: a body sent a byte at a time must not hold its memory for days. */
export const BODY_STALL_BYTES_MIN = 16 * KiB;
/**
 * Share of the received bytes that must arrive in that time as well, so a stalling client cannot hold 60 MB for
 * minutes.
 */
export const BODY_STALL_SHARE_MIN = 1 / 20;
/** A reader that takes nothing of its response for this long is cut off. */
export const RESPONSE_STALL_MS_MAX = 60_000;
/** Bytes of a refused body that are read and dropped, so that its sender can see the answer; of more, the connection goes. */
export const DROPPED_BYTES_MAX = 64 * MiB;
/** Bytes of a response handed to the socket at once. */
export const RESPONSE_CHUNK_BYTES = 64 * KiB;
/** Exports that one gRPC connection may have open at once; each may hold a message. */
export const GRPC_STREAM_COUNT_MAX = 100;
/** Open gRPC calls over all connections, including those whose message is incomplete. One more is UNAVAILABLE. */
export const GRPC_CALL_COUNT_MAX = 512;
/** Open gRPC connections. One more closes the longest idle one. An exporter has one connection, which takes 100 KiB. */
export const GRPC_CONNECTION_COUNT_MAX = 1_000;
/** TCP connections to the gRPC port whose TLS handshake is not finished. */
export const GRPC_HANDSHAKE_COUNT_MAX = 100;
/** Deadline of a TLS handshake, over gRPC and `node:http`. */
export const TLS_HANDSHAKE_MS_MAX = 15_000;
/** Open TCP connections of the HTTP listener; one more is closed at once. */
export const CONNECTION_COUNT_MAX = 10_000;
/** On SIGTERM: time for requests in flight to end before they are cut off. */
export const DRAIN_MS_MAX = 10_000;
/** From SIGTERM to the end of the process, which loses nothing when it comes early: the journal has what was acknowledged. */
export const STOP_MS_MAX = 40_000;

/**
 * Commas and opening brackets of a JSON body: 64 MiB of OTLP with short keys have 7 million, while 64 MiB of nothing but
 * brackets would take several GB once they are parsed.
 */
export const JSON_SIGN_COUNT_MAX = 8_000_000;
/** Different keys of a JSON body of REST: that many take a quarter of a second to keep; a span has 50,000 attributes at most. */
export const JSON_KEY_COUNT_MAX = 200_000;
/** OTLP/JSON up to this is read by the engine's parser, 100 ms at worst; more by one that keeps only the keys that OTLP has. */
export const PLAIN_JSON_BYTES_MAX = 1 * MiB;
/** Heap that a value of JSON takes at most: an object with a key that no other has (816 MiB for 8 million signs). */
export const JSON_SIGN_HEAP_BYTES_MAX = 110;
/** Heap for each byte of a JSON text: two bytes per character of its strings, held twice while they are converted. */
const JSON_TEXT_HEAP_BYTES = 4;
/** Maximum heap of a JSON text and its parsed values. */
export const jsonHeapBytes = (textBytes: number, signCount: number): number =>
  textBytes * JSON_TEXT_HEAP_BYTES + signCount * JSON_SIGN_HEAP_BYTES_MAX;
/**
 * JavaScript heap of a thread that decodes: several times what the largest body within the limits takes. No body may reach
 * it: Node 22 and 24 often end the whole process where a thread should end alone.
 */
export const DECODE_HEAP_BYTES_MAX = 2 * GiB;

/** Spans in one request. */
export const REQUEST_SPAN_COUNT_MAX = 1_000_000;
/** Attributes of one span, its events included; a span with more is rejected with its reason. */
export const SPAN_ATTRIBUTE_COUNT_MAX = 50_000;
/** Bytes of a trace ID or span ID over OTLP: four times the size in OpenTelemetry. Every row and index holds the ID. */
export const OTLP_ID_BYTES_MAX = 64;
/** Nesting of OTLP AnyValue (arrays and key-value lists) and of JSON inside attributes; deeper is refused. */
export const VALUE_DEPTH_MAX = 100;
/** Levels that dotted attribute keys may open; further segments stay one key. */
export const KEY_DEPTH_MAX = 100;
/** An attribute leaf of at most this many UTF-8 bytes of JSON is a small one (see `SpanColumns.attributes`). */
export const LEAF_BYTES_MAX = 200;
/** Characters of input and output that lists show. */
export const PREVIEW_CHARS_MAX = 200;

/** Bytes of requests between admission and acknowledgement. Over it: 503 with Retry-After. */
export const INFLIGHT_BYTES_MAX = 256 * MiB;
/** Requests waiting for a decode worker. One more is 503. */
export const DECODE_QUEUE_COUNT_MAX = 512;
/** Bytes journaled but not yet in the store. Over it: 503, so that disk use is bounded. */
export const BACKLOG_BYTES_MAX = 4 * GiB;
/** Seconds an exporter is told to wait on 503. */
export const RETRY_AFTER_SECONDS = 1;

/** A journal segment; preallocated, so that fdatasync writes data and no file size. */
export const SEGMENT_BYTES = 128 * MiB;
/** Bytes that one group commit of the journal writes at most. */
export const GROUP_COMMIT_BYTES_MAX = 16 * MiB;
/** Applied segments are kept this long for people to look at, and at most so many bytes of them. */
export const JOURNAL_GRACE_MS = 600_000;
export const JOURNAL_GRACE_BYTES_MAX = 1 * GiB;
/** How often applied segments are looked for and removed. */
export const JOURNAL_TRIM_MS = 10_000;
/** Interval at which free space is measured, and at which a journal that could not be written retries. */
export const STORAGE_PROBE_MS = 1_000;
/** Free space reserved for Postgres and for the store, which rewrites up to three row groups at a checkpoint. */
export const STORE_ROOM_BYTES = 256 * MiB;
/** Maximum share of a small disk that is reserved. */
export const STORE_ROOM_SHARE_MAX = 0.1;
/**
 * Bytes reserved in addition for each journal byte after the last checkpoint, because the journal may compress better.
 */
export const STORE_ROOM_PER_JOURNAL_BYTE = 2;
/** Minimum free space to begin a checkpoint, in addition to the text that it writes. */
export const CHECKPOINT_ROOM_BYTES = 4 * MiB;

/** A commit to the store closes at whichever of these it reaches first; a single request may be larger and is one commit. */
export const COMMIT_ROW_COUNT_MAX = 8 * 2048;
export const COMMIT_BYTES_MAX = 32 * MiB;
/** While spans keep coming, commits start at least this far apart; a lone span is committed at once. */
export const COMMIT_INTERVAL_MS_MIN = 20;

/** UTF-8 bytes of a project's name: the entry of a unique index in Postgres holds 2,704. */
export const PROJECT_NAME_BYTES_MAX = 2_000;

/** UTF-8 bytes of other unique names and ids (datasets, splits, labels, external ids): as for projects. */
export const INDEXED_TEXT_BYTES_MAX = 2_000;
/** Rows that the text of one error names: a caller looks at the first of them, and a request may name any number. */
export const ERROR_ROW_COUNT_MAX = 100;
/** A dataset's file as it comes, and inflated: disk and time, not memory, since it is never held whole. */
export const DATASET_FILE_BYTES_MAX = 4 * GiB;
export const DATASET_INFLATED_BYTES_MAX = 16 * GiB;
/** Up to here a file waits in memory for the rest of its form; more goes to a temporary file. */
export const DATASET_FILE_MEMORY_BYTES = 1 * MiB;
/** Characters of one line or record of a file: what is held at least. */
export const DATASET_ROW_CHARS_MAX = 64 * MiB;
/**
 * Arrow streams: bytes of a message's head, which lists the columns or says where a batch's are, and of a batch or all
 * dictionaries, which are held; rows of a batch, as a column of nulls takes no bytes; columns and what they are made of.
 */
export const DATASET_ARROW_HEAD_BYTES_MAX = 16 * MiB;
export const DATASET_ARROW_BATCH_BYTES_MAX = 128 * MiB;
export const DATASET_ARROW_DICTIONARY_BYTES_MAX = 128 * MiB;
export const DATASET_ARROW_BATCH_ROW_COUNT_MAX = 2 ** 24;
export const DATASET_ARROW_FIELD_COUNT_MAX = 10_000;
export const DATASET_ARROW_FIELD_DEPTH_MAX = 64;
/** Bytes of the fields of a form without its file, and their number. */
export const FORM_FIELD_BYTES_MAX = 1 * MiB;
export const FORM_FIELD_COUNT_MAX = 10_000;
/** Rows of an upload that go to the database in one statement, and their characters. */
export const DATASET_BATCH_ROW_COUNT = 1_000;
export const DATASET_BATCH_CHARS = 4 * MiB;
/** Uploads that are written at once, each on a connection of its own; and those that wait. One more is 429. */
export const DATASET_UPLOAD_COUNT_MAX = 3;
export const DATASET_UPLOAD_QUEUE_COUNT_MAX = 1_000;
/** A statement over a whole dataset (matching, deleting): a million rows take a minute on a slow disk. */
export const DATASET_STATEMENT_MS_MAX = 900_000;
/** The largest integer of a column that holds 32 bits. */
export const ROW_INTEGER_MAX = 2_147_483_647;
/** From the last change of an ephemeral experiment until it is deleted. */
export const EPHEMERAL_EXPERIMENT_MS = 86_400_000;
/** Runs or evaluations that go to the database in one statement, and their characters. */
export const RUN_BATCH_COUNT = 100;
export const RUN_BATCH_CHARS = 4 * MiB;
/** Repetitions of an experiment; what is left to do is listed one by one. */
export const REPETITION_COUNT_MAX = 10_000;
/** Memory that the database may take for a sort or join of such a statement; beyond it uses its disk. */
export const DATASET_WORK_MEMORY_MIB = 32;
/**
 * Spans of one page of an export, and the characters that a page should have about: as many spans as fit, by the size
 * of those before. A page is what an export holds in memory.
 */
export const SPAN_EXPORT_PAGE_ROW_COUNT = 1_000;
export const SPAN_EXPORT_PAGE_CHARS = 4 * MiB;
/** A file of spans that is imported, as it comes; inflated it is bounded as a dataset's. */
export const SPAN_IMPORT_BYTES_MAX = 64 * GiB;
/** Bytes of one line, as of a request with one span. */
export const SPAN_LINE_BYTES_MAX = 64 * MiB;
/** Spans of one record of the journal that an import makes, and their characters. */
export const SPAN_IMPORT_BATCH_ROW_COUNT = 1_000;
export const SPAN_IMPORT_BATCH_CHARS = 4 * MiB;
/** Lines that an import names of those it refused. */
export const SPAN_IMPORT_REFUSAL_COUNT_MAX = 100;
/** Spans that are read at a time while examples are made of them: their bodies may be long. */
export const SPAN_EXAMPLE_BATCH_COUNT = 200;
/** Examples read from the database at a time while an answer is streamed. */
export const EXAMPLE_BATCH_ROW_COUNT = 1_000;
/** Bytes of a streamed request body that wait for their reader before the connection is paused. */
export const BODY_STREAM_BYTES = 1 * MiB;
/** Characters of an identifier, and bytes of a label's name: entries of the same kind of index. */
export const IDENTIFIER_CHARS_MAX = 1_000;
export const LABEL_NAME_BYTES_MAX = 1_000;
/** Characters of a rendered text, and steps to render it: lists inside lists of a template multiply. */
export const RENDERED_CHARS_MAX = 16 * MiB;
export const RENDER_STEP_COUNT_MAX = 1_000_000;
/** Sections of a template inside each other. */
export const TEMPLATE_DEPTH_MAX = 50;
/** Datasets, versions or experiments that a list of all of them reads, by row id alone. */
export const DATASET_LIST_COUNT_MAX = 100_000;
/** Prompts that a list of all of them reads, by row id alone. */
export const PROMPT_LIST_COUNT_MAX = 100_000;
/** Evaluators that a list of all of them reads, by row id alone. */
export const EVALUATOR_LIST_COUNT_MAX = 100_000;
/** Evaluators of one dataset: every run of an experiment is evaluated by each. */
export const DATASET_EVALUATOR_COUNT_MAX = 1_000;
/** Outputs of one evaluator, and labels of an output: each is a function, or a word, that a model is told of. */
export const EVALUATOR_OUTPUT_COUNT_MAX = 100;
export const EVALUATOR_LABEL_COUNT_MAX = 1_000;
/** Inputs that a mapping names, characters of a path in it, and of all of its literals as JSON. */
export const MAPPED_INPUT_COUNT_MAX = 1_000;
export const MAPPING_PATH_CHARS_MAX = 1_000;
export const MAPPING_LITERAL_CHARS_MAX = 1_000_000;

/** Connections to the metadata database that the pool opens, and again as many to its read replica. */
export const METADATA_CONNECTION_COUNT_MAX = 10;
/** What the embedded Postgres admits: the pool, its owner's session, `db move`, and three people with psql. */
export const EMBEDDED_CONNECTION_COUNT_MAX = 25;
/** A metadata statement that takes longer is cancelled by the database. Migrations and moves may take any time. */
export const METADATA_STATEMENT_MS_MAX = 30_000;
/** Maximum wait for a lock when a project is created. The spans of all projects wait behind it. */
export const PROJECT_LOCK_MS_MAX = 2_000;
/** Pause before the creation of a project is retried. Its spans are stored during the pause. */
export const PROJECT_RETRY_MS = 5_000;
/** Waiting for a connection, a free one or a new one. */
export const METADATA_CONNECT_MS_MAX = 5_000;
/** A connection's life: shorter than the hour after which gateways and cloud logins drop it. */
export const METADATA_CONNECTION_SECONDS_MAX = 3_300;
/** Time that a database has at start to become reachable: both may have been started at once. */
export const METADATA_START_MS_MAX = 30_000;
/** Time that the embedded Postgres has to write its checkpoint and end; then it is told to end at once. */
export const EMBEDDED_STOP_MS_MAX = 10_000;
/** Longest pause before the embedded Postgres, having crashed, is started again. */
export const EMBEDDED_RESTART_MS_MAX = 10_000;

/** Memory for the span store's buffers where nothing else is set; more speeds up large scans only. */
export const STORE_MEMORY_BYTES_MAX = 1 * GiB;
/** Disk that sorts and joins larger than that memory may use. */
export const STORE_TEMP_BYTES_MAX = 10 * GiB;
/** Filters of blocks of spans in memory, about 4 bytes a span; of the oldest blocks beyond it every row is looked at. */
export const BLOCK_FILTER_BYTES_MAX = 256 * MiB;
/**
 * The newest spans as they came, of which pages are made without asking the store: some 200,000 of agents. Less where the
 * store has less than four times as much for its buffers.
 */
export const RECENT_SPAN_BYTES_MAX = 256 * MiB;
/** Sums of projects by hour, with the latency of each trace, so some 4 million traces; of more the database is asked. */
export const RANGE_SUM_BYTES_MAX = 32 * MiB;
/** Changes of a project after which its sums go when nobody has asked for them meanwhile. */
export const UNASKED_CHANGE_COUNT_MAX = 2 ** 18;
/**
 * Spans between two checkpoints while spans keep coming. What came since is replayed after a crash. At least four of the
 * store's row groups: then the incomplete ones that checkpoints leave lie too far apart for DuckDB to merge all between.
 */
export const STORE_CHECKPOINT_ROW_COUNT = 5 * 16_384;
/** Bytes of text after which a checkpoint is made before: until then they lie in the store's memory, uncompressed. */
export const STORE_CHECKPOINT_BYTES = 256 * MiB;
/** A checkpoint is also made when nothing was written for this long, so that a quiet server starts at once, */
export const STORE_CHECKPOINT_IDLE_MS = 5_000;
/** and this long after the last one even if there is always a little to write, so that the journal can go. */
export const STORE_CHECKPOINT_INTERVAL_MS = 60_000;
/** Longest pause before a store thread that died is started again. */
export const STORE_RESTART_MS_MAX = 30_000;
/** Deleted traces whose place among others is kept, for cursors that name them: about 10 bytes each on disk. */
export const DELETED_TRACE_COUNT_MAX = 1_000_000;

/** Rows of one page of any list. */
export const PAGE_ROW_COUNT_MAX = 1_000;
/** Bytes of texts over 4 KB in one page of whole spans: a page that holds more ends earlier. A single span may have more. */
export const PAGE_TEXT_BYTES_MAX = 64 * MiB;
/** Bytes of such texts that one read of named spans returns, all of them or none: three copies exist at the same time. */
export const SPAN_BODIES_BYTES_MAX = 128 * MiB;
/** Open streams of `/events`; each is a connection that does nothing most of the time. */
export const EVENT_STREAM_COUNT_MAX = 1_000;
/** Traces and sessions that one stream of `/events` may follow. A page shows two or three at once. */
export const EVENT_TOPIC_COUNT_MAX = 16;
/** Traces, and sessions, that a changeset lists by row id, 8 KB per commit. With more, any of them may have changed. */
export const CHANGED_ROW_COUNT_MAX = 1_000;
/** Changes within this time are one event: a client reads again after each. */
export const EVENT_INTERVAL_MS_MIN = 500;
/** Under the minute after which proxies close a silent connection. */
export const EVENT_HEARTBEAT_MS = 15_000;
/** Spans of traces that one piece of an answer has: about 10 ms of the main thread. */
export const STREAMED_SPAN_COUNT = 2_000;
/** Rows of one page of annotations, which are small; public clients ask for up to as many. */
export const ANNOTATION_PAGE_ROW_COUNT_MAX = 10_000;
/** Traces whose root spans' keys are offered to who types a filter, the newest, */
export const OBSERVED_TRACE_COUNT = PAGE_ROW_COUNT_MAX;
/** characters of attributes that are read for it, about 50 ms of the main thread, */
export const OBSERVED_CHARS_MAX = 2 * 1_024 * 1_024;
/** and keys that are offered, of attributes and of metadata. */
export const OBSERVED_KEY_COUNT_MAX = 500;
/** Spans whose documents one summary of an evaluation reads, the newest: their attributes, about 1 s of a reader. */
export const DOCUMENT_SCORE_SPAN_COUNT_MAX = 50_000;
/** Annotations whose target has not come, and their bytes. Of more the oldest are given up. */
export const PENDING_ANNOTATION_COUNT_MAX = 100_000;
export const PENDING_ANNOTATION_BYTES_MAX = 64 * MiB;
/** An annotation whose target has not come for this long is given up: exporters retry for minutes, queues of offline hosts for hours. */
export const PENDING_ANNOTATION_MS_MAX = 24 * 3_600_000;
/** UTF-8 bytes of the name of an annotation config, which an index holds. */
export const ANNOTATION_CONFIG_NAME_BYTES_MAX = 1_024;
/** Values of one repeated query parameter (`trace_id`, `name`, …). */
export const FILTER_VALUE_COUNT_MAX = 1_000;
/** Things of each kind that a search by name finds. */
export const SEARCH_COUNT_MAX = 25;
/** Tables of spans that one request asks for; clients ask for one. */
export const SPAN_QUERY_COUNT_MAX = 100;
/** Characters of attributes and events that the tables of a request are made of: some ten bytes of memory each. */
export const SPAN_TABLE_CHARS_MAX = 128 * 1_024 * 1_024;
/** Cells of a table that are written at once: some milliseconds of the main thread. */
export const TABLE_BATCH_CELL_COUNT = 20_000;
/** Traces that one export names: more than a person selects, and each page of the file is looked for among them. */
export const EXPORT_TRACE_COUNT_MAX = 20_000;
/** UTF-16 units of a filter text: room for a list of some thousand ids. */
export const FILTER_CHARS_MAX = 100_000;
/** Nodes of a filter's tree: each becomes a term of SQL, and a planner's work grows faster than their number. */
export const FILTER_NODE_COUNT_MAX = 10_000;
/** Nodes of a filter inside each other, and its brackets: people nest a handful; parser, evaluator and SQL recurse. */
export const FILTER_DEPTH_MAX = 100;
/** Comprehensions inside each other: each is a subquery that runs per row of the one around it. */
export const FILTER_COMPREHENSION_DEPTH_MAX = 3;
/** Different annotations in one filter: each is joined to the spans, and the choices among their rows multiply. */
export const FILTER_ANNOTATION_COUNT_MAX = 16;
/** Characters of a filter that an error repeats, and of the whole error. */
export const FILTER_SOURCE_CHARS_MAX = 80;
export const FILTER_MESSAGE_CHARS_MAX = 300;
/** Lists and objects inside each other in a REST body; deeper is 400. Beyond what spans may nest, so that those get their own answer. */
export const BODY_JSON_DEPTH_MAX = 500;
/** Issues that one 422 lists, and characters of the input that each repeats: the response must not be ten times a bad body. */
export const VALIDATION_ISSUE_COUNT_MAX = 1_000;
export const VALIDATION_INPUT_CHARS_MAX = 2_000;
/** Time that a read may take, by class, before it is interrupted with a clear error. */
export const READ_DEADLINE_MS = { interface: 15_000, api: 30_000, export: 600_000, background: 600_000 } as const;
/** Reads running at once, by class; further ones wait. */
export const READ_CONCURRENCY = { interface: 4, api: 4, export: 1, background: 1 } as const;
/** Reads waiting for their turn, by class; one more is 503. */
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
/** Fields inside each other, and aliases, of one GraphQL operation. */
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
/** Objects in all lists of one GraphQL answer together: lists inside lists multiply. */
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
/** Compiled GraphQL documents that are kept, and characters of their texts. */
export const GRAPHQL_COMPILED_COUNT_MAX = 500;
export const GRAPHQL_COMPILED_CHARS_MAX = 8 * MiB;
/** Characters of an input or output that GraphQL shows as its beginning. */
export const GRAPHQL_TRUNCATED_CHARS_MAX = 100;
/** Projects that a list of all of them reads. */
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
/** Minutes, hours, days or weeks of one bin. */
export const SERIES_SCALE_COUNT_MAX = 10_000;

/** Characters of the expression that finds a priced model, and of model names that it is searched in. */
export const MODEL_PATTERN_CHARS_MAX = 1_000;
export const MODEL_NAME_CHARS_MAX = 500;
/** Models that people make, and prices of one: the table of all prices is a record of the journal. */
export const CUSTOM_MODEL_COUNT_MAX = 5_000;
export const MODEL_PRICE_COUNT_MAX = 50;
/** Pairs of model name and provider whose price is remembered. */
export const PRICED_NAME_COUNT_MAX = 10_000;
/** Token types of one side of a span, and characters of one; further ones count as the side's own type. */
export const SPAN_TOKEN_TYPE_COUNT_MAX = 30;
export const TOKEN_TYPE_CHARS_MAX = 100;
/** Tokens of one count that are priced; more is no count of tokens. */
export const TOKEN_COUNT_MAX = 2 ** 40;
/** Cost of a side of a span, and of all spans of a trace or session, in 10⁻¹² dollars: some 9,000 and 9 million dollars. */
export const SPAN_COST_PICO_MAX = Number.MAX_SAFE_INTEGER;
export const COST_SUM_PICO_MAX = 9e18;
/** Wishes to compute costs anew that may wait. */
export const OPEN_RECOMPUTATION_COUNT_MAX = 100;
/** Row ids of spans whose cost one record of the journal computes anew: what one transaction of the store may touch. */
export const RECOMPUTE_ROW_COUNT = 32_768;

/** Newest spans that facets are counted of: 50 to 100 ms of processor time with 500,000 stored (`bench/span-store/filters`). */
export const FACET_SPAN_COUNT_MAX = 20_000;
/** Newest traces by their root spans. Finding the root span reads all spans of a trace. */
export const FACET_TRACE_COUNT_MAX = 10_000;
/** Values of one facet, and keys of the metadata that are facets. */
export const FACET_VALUE_COUNT_MAX = 50;
export const FACET_METADATA_KEY_COUNT = 6;

/** Days of which the growth of the store is told. */
export const STORAGE_DAY_COUNT_MAX = 366;

/** Characters of what it takes to reach a provider of models, as JSON: some headers, and keys. */
export const PROVIDER_CONFIG_CHARS_MAX = 64 * 1_024;

/** Views of one project that people have saved. */
export const SAVED_VIEW_COUNT_MAX = 200;
export const SAVED_VIEW_NAME_LENGTH_MAX = 100;
/** Characters of what a saved view shows and of its columns: a long filter, and some more. */
export const SAVED_VIEW_TEXT_LENGTH_MAX = 100_000;

/** Rejected requests and spans that are remembered for people to look at. */
export const INGEST_ERROR_COUNT_MAX = 200;
/** Clients that are remembered, those that were seen last. */
export const INGEST_CLIENT_COUNT_MAX = 100;
/** Characters that are kept of what a client calls itself. */
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
/** How long, and in what steps, it is remembered how much came in: a quarter of an hour. */
export const ACTIVITY_BIN_MS = 10_000;
export const ACTIVITY_BIN_COUNT = 90;

assert(DECODED_BYTES_MAX < SEGMENT_BYTES, 'a record must fit into one segment');
assert(HEADER_BYTES_MAX < PARSER_HEADER_BYTES_MAX, 'the answer 431 should be ours');
assert(DRAIN_MS_MAX + EMBEDDED_STOP_MS_MAX < STOP_MS_MAX, 'the parts must have time to close in order');
assert(BODY_BYTES_MAX <= INFLIGHT_BYTES_MAX, 'the largest request must be admissible');
assert(2 * JSON_SIGN_COUNT_MAX * JSON_SIGN_HEAP_BYTES_MAX < DECODE_HEAP_BYTES_MAX, 'no body may take a whole heap');
assert(VALUE_DEPTH_MAX < BODY_JSON_DEPTH_MAX, 'a span nested too deeply must be readable to be named');
assert(GRAPHQL_TRUNCATED_CHARS_MAX < PREVIEW_CHARS_MAX, 'a preview must show whether there is more');
assert(PAGE_ROW_COUNT_MAX <= GRAPHQL_QUERY_LIST_COUNT_MAX, 'the nodes of a page must be readable by their IDs');
assert(GRAPHQL_PAGE_COST < GRAPHQL_COST_MAX, 'a page must not wait');
assert(SEGMENT_BYTES < BACKLOG_BYTES_MAX, 'the backlog must hold at least one segment');
assert(METADATA_CONNECTION_COUNT_MAX + 5 <= EMBEDDED_CONNECTION_COUNT_MAX, 'the embedded Postgres must admit its pool');
assert(DATASET_UPLOAD_COUNT_MAX < METADATA_CONNECTION_COUNT_MAX / 2, 'uploads must leave connections to others');
