"""Limits of the package, each with its reason."""

# Characters of one rendered prompt. The largest context windows hold about a million tokens, four characters each.
PROMPT_CHARACTER_COUNT_MAX = 4_000_000
# Bytes of one answer of a model. A longer one never ends.
ANSWER_BYTES_MAX = 8 * 1024 * 1024
# Bytes of one image or file in a prompt; the vendors accept about 20 MB.
FILE_BYTES_MAX = 20 * 1024 * 1024
# Nesting of JSON values, templates and JSONPath results.
VALUE_DEPTH_MAX = 100
# Characters of a template and of a JSONPath, which people write by hand.
TEMPLATE_CHARACTER_COUNT_MAX = 1_000_000
PATH_CHARACTER_COUNT_MAX = 1_000
# Values that one JSONPath selects.
PATH_VALUE_COUNT_MAX = 100_000
# Characters of a pattern and of a text in the functions match and search of a JSONPath.
PATH_PATTERN_CHARACTER_COUNT_MAX = 1_000
# Labels of one classification; vendors limit an enum to about as many.
LABEL_COUNT_MAX = 500

# Evaluations in flight unless the caller states a number, and at most.
CONCURRENCY_START = 16
CONCURRENCY_DEFAULT_MAX = 128
CONCURRENCY_MAX = 1_024
# Attempts of a request to a model beside the first, and seconds of one attempt.
RETRIES_DEFAULT = 10
TIMEOUT_SECONDS_DEFAULT = 60.0
# Seconds for which the first request to a model goes alone, so that a wrong key is rejected once. Vendors reject keys faster.
FIRST_ANSWER_SECONDS_MAX = 0.5
# Full jitter: a delay is random between half and all of the smaller of base * 2**attempt and the maximum.
RETRY_BASE_SECONDS = 0.25
RETRY_DELAY_SECONDS_MAX = 15.0
# A vendor may ask for at most this pause; a longer one is shortened and tried again.
RETRY_AFTER_SECONDS_MAX = 120.0
# Repairs of an answer that cannot be used.
REPAIR_COUNT_MAX = 1

# Results between two calls of fsync on a checkpoint, and the seconds between them.
CHECKPOINT_SYNC_COUNT = 256
CHECKPOINT_SYNC_SECONDS = 0.5
# Bytes of one line of a checkpoint or of a JSONL file of rows.
LINE_BYTES_MAX = 64 * 1024 * 1024
# Rows of a frame or a Parquet file that are turned into dicts at a time.
ROWS_PER_CHUNK = 1_000
# Exceptions of one evaluation that are kept, and characters of each.
EXCEPTION_COUNT_MAX = 50
EXCEPTION_CHARACTER_COUNT_MAX = 2_000
# Characters of a value of a row that a message quotes.
QUOTED_CHARACTER_COUNT_MAX = 120

# Requests of one batch, their bytes (OpenAI takes 200 MB, Anthropic 256 MB), and seconds without a new request after which it is sent.
BATCH_REQUEST_COUNT_MAX = 10_000
BATCH_BYTES_MAX = 100_000_000
BATCH_IDLE_SECONDS = 0.25
BATCH_POLL_SECONDS = 15.0
BATCH_SECONDS_MAX = 26 * 3600.0

# Spans of a query that are in memory at a time.
SPANS_PER_PAGE = 1_000
# Annotations of one request to the server.
ANNOTATIONS_PER_REQUEST = 100

# Examples in the prompt of a judge. More make each call dearer than they make it better.
EXAMPLES_MAX = 50
# Rows that people have labelled, of one calibration. They are kept in memory with their verdicts.
LABELLED_ROWS_MAX = 100_000
# Characters of the texts of one example in a prompt.
EXAMPLE_CHARACTERS_MAX = 4_000
