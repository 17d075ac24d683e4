import assert from 'node:assert/strict';
import { DATASET_UPLOAD_COUNT_MAX, SPAN_LINE_BYTES_MAX } from './limits/datasets.ts';
import { INFLIGHT_BYTES_MAX } from './limits/ingest.ts';
import {
  BODY_BYTES_MAX,
  CONNECTION_COUNT_MAX,
  DECODE_HEAP_BYTES_MAX,
  GRPC_CONNECTION_COUNT_MAX,
  JSON_SIGN_COUNT_MAX,
  JSON_SIGN_HEAP_BYTES_MAX,
  PARSER_HEADER_BYTES_MAX,
} from './limits/requests.ts';
import {
  BLOCK_FILTER_BYTES_MAX,
  RANGE_SUM_BYTES_MAX,
  RECENT_SPAN_BYTES_MAX,
  STORE_CHECKPOINT_BYTES,
  STORE_MEMORY_BYTES_MAX,
} from './limits/span-store.ts';

const MiB = 1024 * 1024;

/** An idle server with embedded Postgres and two decode threads, plus freed memory that allocators retain. */
const BASE_BYTES = 384 * MiB;
/** Memory for a decode thread: its heap, and a body as received, inflated and decoded to columns. */
const DECODE_THREAD_BYTES = 256 * MiB;
/** Memory for an upload or import: a batch of an Arrow file and its dictionaries. */
const UPLOAD_BYTES = 512 * MiB;
/** Memory of an idle HTTP/2 session with its socket. */
const GRPC_CONNECTION_BYTES = 100 * 1024;

/** Memory budgets of the server, in bytes unless the name has another unit. */
export interface MemoryPlan {
  /**
   * Bodies over HTTP and gRPC, from the first byte until the handler ends. The journal's queue has a budget of this
   * size too.
   */
  readonly bodyBytesMax: number;
  /** Parsed values of JSON bodies on the heap of the main thread. */
  readonly jsonHeapBytesMax: number;
  readonly decodeThreadCount: number;
  /** JavaScript heap of one decode thread. */
  readonly decodeHeapBytesMax: number;
  /** Number of commas and opening brackets of one OTLP/JSON body. */
  readonly jsonSignCountMax: number;
  /** Number of concurrent uploads to datasets, and of concurrent span imports. */
  readonly uploadCountMax: number;
  /** Limits of one line of an import: its size and its number of JSON values. */
  readonly importLine: { readonly lineBytesMax: number; readonly lineValueCountMax: number };
  readonly connectionCountMax: number;
  readonly grpcConnectionCountMax: number;
  readonly store: StoreMemoryPlan;
}

export interface StoreMemoryPlan {
  /** Buffers of DuckDB. */
  readonly bufferBytesMax: number;
  readonly recentSpanBytesMax: number;
  readonly blockFilterBytesMax: number;
  readonly rangeSumBytesMax: number;
  /** Text committed between two checkpoints. It stays in the buffers until the second one. */
  readonly checkpointBytes: number;
}

export interface MemoryGiven {
  /** Memory of the machine or the container. */
  readonly availableBytes: number;
  readonly mainHeapBytes: number;
  readonly coreCount: number;
  /** Memory that the operator assigns to DuckDB. When absent, DuckDB gets a share of the available memory. */
  readonly storeBytes?: number | undefined;
}

/**
 * Computes every budget that depends on the available memory, up to the limits of `limits.ts`. The memory that an idle
 * server leaves free is divided as follows: a quarter for DuckDB and half as much for the caches beside it, an eighth
 * for bodies and an eighth for the journal's queue, a quarter for JSON values, and half for decoding. The sum exceeds
 * the free memory, because no load reaches all upper bounds at once: a body is in one stage at a time, and V8 shrinks
 * its heaps.
 */
export function planMemory({ availableBytes, mainHeapBytes, coreCount, storeBytes }: MemoryGiven): MemoryPlan {
  const spareBytes = Math.max(availableBytes - BASE_BYTES, availableBytes / 4);
  const share = (part: number, max: number) => Math.floor(Math.min(spareBytes * part, max));
  // With a single thread, a long check of a request would block the decoding for the store.
  const decodeThreadCount = Math.max(2, Math.min(coreCount - 1, Math.floor(spareBytes / DECODE_THREAD_BYTES)));
  const decodeHeapBytesMax = share(1 / 2 / decodeThreadCount, DECODE_HEAP_BYTES_MAX);
  const jsonSignCountMax = Math.min(
    JSON_SIGN_COUNT_MAX,
    Math.floor(decodeHeapBytesMax / (2 * JSON_SIGN_HEAP_BYTES_MAX)),
  );
  // A decode thread parses a journaled body again, so its heap must suffice for every body that is parsed here.
  const jsonHeapBytesMax = Math.min(share(1 / 4, mainHeapBytes / 2), Math.floor(decodeHeapBytesMax * 0.8));
  const uploadCountMax = Math.max(1, Math.min(DATASET_UPLOAD_COUNT_MAX, Math.floor(spareBytes / UPLOAD_BYTES)));
  const plan: MemoryPlan = {
    bodyBytesMax: Math.max(share(1 / 8, INFLIGHT_BYTES_MAX), BODY_BYTES_MAX),
    jsonHeapBytesMax,
    decodeThreadCount,
    decodeHeapBytesMax,
    jsonSignCountMax,
    uploadCountMax,
    importLine: {
      lineBytesMax: Math.min(SPAN_LINE_BYTES_MAX, Math.floor(jsonHeapBytesMax / uploadCountMax / 8)),
      lineValueCountMax: Math.floor(jsonHeapBytesMax / uploadCountMax / 2 / JSON_SIGN_HEAP_BYTES_MAX),
    },
    connectionCountMax: share(1 / 8 / PARSER_HEADER_BYTES_MAX, CONNECTION_COUNT_MAX),
    grpcConnectionCountMax: share(1 / 16 / GRPC_CONNECTION_BYTES, GRPC_CONNECTION_COUNT_MAX),
    store: planStoreMemory(storeBytes ?? share(1 / 4, STORE_MEMORY_BYTES_MAX)),
  };
  assert(BODY_BYTES_MAX <= plan.bodyBytesMax, 'the largest request must be admissible');
  assert(
    plan.jsonHeapBytesMax < plan.decodeHeapBytesMax,
    'a decode thread must be able to read what the main thread reads',
  );
  return plan;
}

export function planStoreMemory(bufferBytesMax: number): StoreMemoryPlan {
  return {
    bufferBytesMax,
    recentSpanBytesMax: Math.min(RECENT_SPAN_BYTES_MAX, Math.floor(bufferBytesMax / 4)),
    blockFilterBytesMax: Math.min(BLOCK_FILTER_BYTES_MAX, Math.floor(bufferBytesMax / 4)),
    rangeSumBytesMax: Math.min(RANGE_SUM_BYTES_MAX, Math.floor(bufferBytesMax / 8)),
    checkpointBytes: Math.min(STORE_CHECKPOINT_BYTES, Math.floor(bufferBytesMax / 2)),
  };
}
