// Relations between limits. They are asserted when the server starts.
import assert from 'node:assert/strict';
import { DATASET_UPLOAD_COUNT_MAX } from './datasets.ts';
import {
  GRAPHQL_COST_MAX,
  GRAPHQL_PAGE_COST,
  GRAPHQL_QUERY_LIST_COUNT_MAX,
  GRAPHQL_TRUNCATED_CHARS_MAX,
} from './graphql.ts';
import { BACKLOG_BYTES_MAX, INFLIGHT_BYTES_MAX, SEGMENT_BYTES } from './ingest.ts';
import { MAIL_CLOSE_MS_MAX } from './mail.ts';
import {
  EMBEDDED_CONNECTION_COUNT_MAX,
  EMBEDDED_STOP_MS_MAX,
  METADATA_CONNECTION_COUNT_MAX,
} from './metadata-store.ts';
import { BODY_JSON_DEPTH_MAX, PAGE_ROW_COUNT_MAX } from './reads.ts';
import {
  BODY_BYTES_MAX,
  DECODE_HEAP_BYTES_MAX,
  DECODED_BYTES_MAX,
  DRAIN_MS_MAX,
  HEADER_BYTES_MAX,
  JSON_SIGN_COUNT_MAX,
  JSON_SIGN_HEAP_BYTES_MAX,
  PARSER_HEADER_BYTES_MAX,
  STOP_MS_MAX,
} from './requests.ts';
import { PREVIEW_CHARS_MAX, VALUE_DEPTH_MAX } from './spans.ts';

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
