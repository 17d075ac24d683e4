"""Limits of the client, each with its reason."""

# The hand-off file is a few settings; a bigger file is another one.
HANDOFF_FILE_BYTES_MAX = 64 * 1024
# Directories that are searched upwards for the hand-off file.
HANDOFF_DEPTH_MAX = 64

# Rows of one page; the server accepts 100 on every list.
PAGE_ROW_COUNT_MAX = 100
# A list that never ends is a defect of a server, not data.
PAGE_COUNT_MAX = 1_000_000

# Attempts of one call, and the seconds that they may take together.
ATTEMPT_COUNT_MAX = 5
ATTEMPT_SECONDS_MAX = 60.0
# Full jitter: a delay is random between 0 and the smaller of base * 2**attempt and the maximum.
RETRY_BASE_SECONDS = 0.25
RETRY_DELAY_SECONDS_MAX = 8.0

# Seconds by which a clock may be wrong. Networks and queues take seconds, so minutes are an error of a person.
CLOCK_SKEW_SECONDS_MAX = 300

# Seconds between two bytes, not of a whole transfer.
CONNECT_SECONDS = 10.0
READ_SECONDS = 30.0
WRITE_SECONDS = 10.0
POOL_SECONDS = 10.0
# The server checks and stores a whole upload before its answer's first byte.
UPLOAD_READ_SECONDS = 300.0

# Error texts of servers and proxies that are quoted in messages.
QUOTED_CHARACTER_COUNT_MAX = 300
# Examples of a dataset in a notebook, and characters of each of their parts.
SHOWN_EXAMPLE_COUNT = 5
SHOWN_CHARACTER_COUNT_MAX = 200
# Nesting of values that are turned into JSON.
VALUE_DEPTH_MAX = 200

# Elements of one request.
ANNOTATIONS_PER_REQUEST = 100
SPAN_IDS_PER_REQUEST = 100
TURN_TRACES_PER_REQUEST = 50
SPANS_PER_REQUEST = 1_000
# Compressed uploads stay in memory up to this size and go to a temporary file beyond.
UPLOAD_MEMORY_BYTES_MAX = 8 * 1024 * 1024
# Rows and bytes of a batch of a frame that is uploaded as Arrow. The server takes batches of up to 128 MiB.
UPLOAD_ARROW_ROWS = 10_000
UPLOAD_ARROW_BATCH_BYTES = 32 * 1024 * 1024
# Chunks of an upload.
UPLOAD_CHUNK_BYTES = 256 * 1024
# The server writes a Parquet file before it sends the first byte.
DOWNLOAD_READ_SECONDS = 300.0
# Chunks of a file that is saved.
DOWNLOAD_CHUNK_BYTES = 256 * 1024

# Runs and evaluations that are posted together, and the time that a result waits for others.
RESULTS_PER_REQUEST = 50
RESULT_WAIT_SECONDS = 0.2
# An experiment reads its incomplete work in pages of this many examples.
INCOMPLETE_ROWS_PER_PAGE = 100
# Tasks at a time unless the caller says otherwise, for both clients.
CONCURRENCY_DEFAULT = 3
CONCURRENCY_MAX = 512
# Attempts of a task beside the first.
TASK_RETRIES_DEFAULT = 3
# One line of an outbox file. A longer result is posted without being kept there.
OUTBOX_LINE_BYTES_MAX = 64 * 1024 * 1024

# Prompts that are kept for times when the server does not answer.
PROMPT_CACHE_COUNT_MAX = 256

# Bytes of spans and batches that a tracer holds in memory, as Python counts them. Beyond that, new spans are dropped.
TRACE_MEMORY_BYTES_MAX = 32 * 1024 * 1024
# A batch ends at so many spans, or bytes in memory.
TRACE_BATCH_SPAN_COUNT_MAX = 512
TRACE_BATCH_BYTES_MAX = 2 * 1024 * 1024
# Spans that are encoded before other threads get their turn.
TRACE_ENCODE_CHUNK_SPANS = 8
# A span waits so long for others; while the server is away it is written to disk sooner.
TRACE_DELAY_SECONDS = 0.5
TRACE_AWAY_DELAY_SECONDS = 0.05
# A batch without an answer for so long is written to disk as well.
TRACE_UNANSWERED_SECONDS_MAX = 1.0
# Connecting, and waiting for the answer to a batch.
TRACE_CONNECT_SECONDS = 5.0
TRACE_ANSWER_SECONDS = 15.0
# Pauses between attempts while the server is away: full jitter up to the maximum.
TRACE_RETRY_SECONDS_BASE = 0.5
TRACE_RETRY_SECONDS_MAX = 15.0
# Answers that are an error of the server itself, until a batch is given up.
TRACE_SERVER_ERROR_COUNT_MAX = 10
# Seconds that the end of a program may wait for its spans.
TRACE_EXIT_SECONDS_MAX = 5.0

# The spill directory of one address: bytes and age of all its segments.
SPILL_BYTES_MAX = 256 * 1024 * 1024
SPILL_AGE_SECONDS_MAX = 7 * 86_400.0
# Whole segments are dropped and removed, so they are small parts of the maximum.
SPILL_SEGMENT_BYTES = 4 * 1024 * 1024
# A crash of the machine may take what was written after the last sync.
SPILL_SYNC_SECONDS = 0.5
# How often a running program looks for segments of others that have ended.
SPILL_ADOPT_SECONDS = 60.0
