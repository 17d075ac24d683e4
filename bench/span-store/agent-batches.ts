import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../src/base/log.ts';
import type { SpanColumns, TextColumn } from '../../src/columns/span-columns.ts';
import { SpanColumnsBuilder } from '../../src/columns/span-columns-builder.ts';
import { decodeOtlpRequest } from '../../src/otlp/decode-request.ts';
import { type DuckdbSpanStore, openSpanStore } from '../../src/span-store/open-span-store.ts';
import type { SpanStoreOptions } from '../../src/span-store/thread/span-store-options.ts';
import { AGENT_TRACE_SPAN_COUNT, agentRequest } from '../../test/fixtures/otlp-requests.ts';

const TRACES_PER_SESSION = 4;
const TRACES_PER_REQUEST = 100;

/** Distribution of the spans of a batch over traces. */
export type Spread =
  /** Whole traces of five spans, as most exporters send them. */
  | 'whole'
  /** One span per trace; five consecutive batches have the same traces. */
  | 'spread';

/**
 * Different batches of agent-like spans (1.4 KB each on the wire): a decoded template with new IDs, times and sessions.
 */
export class AgentBatches {
  readonly rowCount: number;
  readonly #template: SpanColumns;
  #batchNumber = 0;

  constructor(rowCount: number) {
    const builder = new SpanColumnsBuilder(rowCount);
    for (let seed = 1; builder.rowCount < rowCount; seed++) {
      const left = Math.ceil((rowCount - builder.rowCount) / AGENT_TRACE_SPAN_COUNT);
      const traceCount = Math.min(TRACES_PER_REQUEST, left);
      decodeOtlpRequest(agentRequest({ seed, traceCount }), 'protobuf', {}, builder);
    }
    this.#template = builder.finish();
    this.rowCount = this.#template.rowCount;
  }

  next(spread: Spread = 'whole'): SpanColumns {
    return this.batch(this.#batchNumber++, spread);
  }

  /** The batch of this number, which is always the same. */
  batch(batchNumber: number, spread: Spread = 'whole'): SpanColumns {
    const batch = structuredClone(this.#template);
    const salt = mix64(BigInt(batchNumber));
    const delay = BigInt(batchNumber) * 32_000_000_000n;
    const group = mix64(BigInt(Math.floor(batchNumber / AGENT_TRACE_SPAN_COUNT)) + 0x5bd1e995n);
    for (let row = 0; row < batch.rowCount; row++) {
      if (spread === 'whole') {
        batch.traceIdHigh[row]! ^= salt;
        batch.traceIdLow[row]! ^= salt;
      } else {
        batch.traceIdHigh[row] = group;
        batch.traceIdLow[row] = mix64(BigInt(row));
      }
      batch.spanId[row]! ^= salt;
      if (batch.hasParent[row] === 1) batch.parentSpanId[row]! ^= salt;
      batch.startTimeUnixNano[row]! += delay;
      batch.endTimeUnixNano[row]! += delay;
    }
    const tracesPerBatch = batch.rowCount / AGENT_TRACE_SPAN_COUNT;
    const sessionOf = (row: number) =>
      Math.floor((batchNumber * tracesPerBatch + Math.floor(row / AGENT_TRACE_SPAN_COUNT)) / TRACES_PER_SESSION);
    const sessions = toTextColumn(batch.rowCount, (row) => `session-${sessionOf(row)}`);
    return { ...batch, sessionId: { ...sessions, present: batch.sessionId.present.fill(1) } };
  }
}

/** A store in this directory, or in a new temporary directory. */
export async function openBenchStore(
  keptDir?: string,
  options: Pick<SpanStoreOptions, 'rangeSumBytes'> = {},
): Promise<{ store: DuckdbSpanStore; dir: string }> {
  const dir = keptDir ?? (await mkdtemp(join(tmpdir(), 'span-store-bench-')));
  const resolveProjects = async (names: readonly string[]) => new Map(names.map((name) => [name, 1]));
  return { store: await openSpanStore({ dir, log: silentLog, resolveProjects, ...options }), dir };
}

/** CPU time of the whole process, all threads, in ms. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function toTextColumn(rowCount: number, textOf: (row: number) => string): TextColumn {
  const parts: Buffer[] = [];
  const offset = new Uint32Array(rowCount + 1);
  for (let row = 0; row < rowCount; row++) {
    const part = Buffer.from(textOf(row));
    parts.push(part);
    offset[row + 1] = offset[row]! + part.length;
  }
  const utf8 = new Uint8Array(offset[rowCount]!);
  utf8.set(Buffer.concat(parts));
  return { utf8, offset };
}

/** The finalizer of SplitMix64. */
function mix64(value: bigint): bigint {
  let z = BigInt.asUintN(64, value * 0x9e3779b97f4a7c15n);
  z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return z ^ (z >> 31n);
}
