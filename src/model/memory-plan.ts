import assert from 'node:assert/strict';
import {
  BLOCK_FILTER_BYTES_MAX,
  BODY_BYTES_MAX,
  CONNECTION_COUNT_MAX,
  DATASET_UPLOAD_COUNT_MAX,
  DECODE_HEAP_BYTES_MAX,
  GRPC_CONNECTION_COUNT_MAX,
  INFLIGHT_BYTES_MAX,
  JSON_SIGN_COUNT_MAX,
  JSON_SIGN_HEAP_BYTES_MAX,
  PARSER_HEADER_BYTES_MAX,
  RANGE_SUM_BYTES_MAX,
  RECENT_SPAN_BYTES_MAX,
  SPAN_LINE_BYTES_MAX,
  STORE_CHECKPOINT_BYTES,
  STORE_MEMORY_BYTES_MAX,
} from './limits.ts';

const MiB = 1024 * 1024;

/** An idle server with its embedded Postgres and two decode threads, and what allocators keep of memory that was freed. */
const BASE_BYTES = 384 * MiB;
/** What a decode thread should have: a body as it came, inflated, and as columns, and its heap. */
const DECODE_THREAD_BYTES = 256 * MiB;
/** What an upload or import should have: a batch of an Arrow file and its dictionaries. */
const UPLOAD_BYTES = 512 * MiB;
/** An idle HTTP/2 session with its socket. */
const GRPC_CONNECTION_BYTES = 100 * 1024;

/** How the memory of the server is shared out. Bytes unless the name says otherwise. */
export interface MemoryPlan {
  /** Bodies over HTTP and gRPC, from their first byte until their handler ends; and once more in the journal's queue. */
  readonly bodyBytesMax: number;
  /** Values that are read of JSON bodies, on the heap of the main thread. */
  readonly jsonHeapBytesMax: number;
  readonly decodeThreadCount: number;
  /** JavaScript heap of one decode thread. */
  readonly decodeHeapBytesMax: number;
  /** Commas and opening brackets of one OTLP/JSON body. */
  readonly jsonSignCountMax: number;
  /** Uploads to datasets that run at once, and imports of spans. */
  readonly uploadCountMax: number;
  /** A line of an import, and JSON values in it. */
  readonly importLine: { readonly lineBytesMax: number; readonly lineValueCountMax: number };
  readonly connectionCountMax: number;
  readonly grpcConnectionCountMax: number;
  readonly store: StoreMemoryPlan;
}

export interface StoreMemoryPlan {
  /** DuckDB's buffers. */
  readonly bufferBytesMax: number;
  readonly recentSpanBytesMax: number;
  readonly blockFilterBytesMax: number;
  readonly rangeSumBytesMax: number;
  /** Text that is committed between two checkpoints, and lies in the buffers until then. */
  readonly checkpointBytes: number;
}

export interface MemoryGiven {
  /** Of the machine or the container. */
  readonly availableBytes: number;
  readonly mainHeapBytes: number;
  readonly coreCount: number;
  /** What the operator gives DuckDB; a share when absent. */
  readonly storeBytes?: number | undefined;
}

/**
 * Every budget that depends on how much memory there is, up to the limits of `limits.ts`. Of what an idle server leaves:
 * a quarter for DuckDB and half as much for what is kept beside it, an eighth for bodies and an eighth for their way into
 * the journal, a quarter for JSON values, and half for decoding. That is more than all of it, as these are upper bounds
 * that no load reaches at once: a body is at one place at a time, and V8 shrinks its heaps.
 */
export function planMemory({ availableBytes, mainHeapBytes, coreCount, storeBytes }: MemoryGiven): MemoryPlan {
  const spareBytes = Math.max(availableBytes - BASE_BYTES, availableBytes / 4);
  const share = (part: number, max: number) => Math.floor(Math.min(spareBytes * part, max));
  // One thread alone would keep the store waiting behind a long check.
  const decodeThreadCount = Math.max(2, Math.min(coreCount - 1, Math.floor(spareBytes / DECODE_THREAD_BYTES)));
  const decodeHeapBytesMax = share(1 / 2 / decodeThreadCount, DECODE_HEAP_BYTES_MAX);
  const jsonSignCountMax = Math.min(
    JSON_SIGN_COUNT_MAX,
    Math.floor(decodeHeapBytesMax / (2 * JSON_SIGN_HEAP_BYTES_MAX)),
  );
  // What is read here and journaled is read once more by a decode thread, which must be able to.
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
  assert(plan.jsonHeapBytesMax < plan.decodeHeapBytesMax, 'what the main thread reads, a decode thread must read');
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
