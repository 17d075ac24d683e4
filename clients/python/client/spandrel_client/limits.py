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

# Seconds between two bytes, not of a whole transfer.
CONNECT_SECONDS = 10.0
READ_SECONDS = 30.0
WRITE_SECONDS = 10.0
POOL_SECONDS = 10.0
# The server checks and stores a whole upload before its answer's first byte.
UPLOAD_READ_SECONDS = 300.0

# Error texts of servers and proxies that are quoted in messages.
QUOTED_CHARACTER_COUNT_MAX = 300
# Nesting of values that are turned into JSON.
VALUE_DEPTH_MAX = 200

# Elements of one request.
ANNOTATIONS_PER_REQUEST = 100
SPAN_IDS_PER_REQUEST = 100
TURN_TRACES_PER_REQUEST = 50
SPANS_PER_REQUEST = 1_000
# Compressed uploads stay in memory up to this size and go to a temporary file beyond.
UPLOAD_MEMORY_BYTES_MAX = 8 * 1024 * 1024
# Chunks of an upload.
UPLOAD_CHUNK_BYTES = 256 * 1024

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
