/**
 * What does it cost to store a span, including checkpoints, by the order of arrival, and does it grow with the stored
 * rows?
 * The baseline passes the same rows to DuckDB's appender value by value, without lookups, aggregates or checkpoints.
 *
 *   SIZE=5000000 node dist/bench/span-store/append.bench.js
 *   PRICES=none node dist/bench/span-store/append.bench.js     spans have token counts then, and no amounts
 */
import { rm } from 'node:fs/promises';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { readNullableText, readText } from '../../src/columns/read-text.ts';
import type { SpanColumns } from '../../src/columns/span-columns.ts';
import { readModelPrices } from '../../src/read-model-prices.ts';
import { AgentBatches, cpuMs, openBenchStore, type Spread } from './agent-batches.ts';

const isSmoke = process.env.SMOKE !== undefined;
const STORED_COUNT = isSmoke ? 2_000 : Number(process.env.SIZE ?? 500_000);
const BATCH_ROW_COUNT = isSmoke ? 500 : 16_000;
const BATCH_COUNT = isSmoke ? 5 : 15;

const batches = new AgentBatches(BATCH_ROW_COUNT);
let check = 0;

await measureBaseline();
const { store, dir } = await openBenchStore();
try {
  let position = 1;
  await store.changeCosts({ what: 'prices', models: await modelsWithPrices() }, position);
  /** Appends batches. Creating them is not measured. */
  const measure = async (what: string, batchNumbers: readonly number[], spread: Spread) => {
    let wallMs = 0;
    let usedMs = 0;
    for (const [i, batchNumber] of batchNumbers.entries()) {
      const batch = batches.batch(batchNumber, spread);
      const startedAt = performance.now();
      const cpuBefore = cpuMs();
      check += (await store.append(batch, ++position)).appendedCount;
      if (i === batchNumbers.length - 1) await store.checkpoint();
      wallMs += performance.now() - startedAt;
      usedMs += cpuMs() - cpuBefore;
    }
    print(what, batchNumbers.length * batches.rowCount, wallMs, usedMs);
  };
  const numbers = (from: number) => Array.from({ length: BATCH_COUNT }, (_, i) => from + i);

  await measure('new traces, empty store', numbers(0), 'whole');
  let stored = BATCH_COUNT;
  for (; stored * batches.rowCount < STORED_COUNT; stored++) await store.append(batches.batch(stored), ++position);
  await store.checkpoint();
  console.log(`${(stored * batches.rowCount).toLocaleString('en')} spans stored`);
  await measure('new traces', numbers(stored), 'whole');
  await measure('traces spread over five batches', numbers(stored + BATCH_COUNT), 'spread');
  await measure('all repeated, just stored', numbers(stored), 'whole');
  await measure('all repeated, the oldest', numbers(0), 'whole');

  const { spanCount, diskBytes } = await store.stats();
  console.log(`${(diskBytes / spanCount).toFixed(0)} bytes a span on disk; check ${check}`);
} finally {
  await store.close();
  await rm(dir, { recursive: true, force: true });
}

async function modelsWithPrices(): Promise<string> {
  if (process.env.PRICES === 'none') return '[]';
  const { models } = await readModelPrices();
  return JSON.stringify(models.map((model, index) => ({ ...model, rowId: index + 1, isBuiltIn: true })));
}

async function measureBaseline(): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const batch = batches.batch(0);
  const startedAt = performance.now();
  const cpuBefore = cpuMs();
  await appendByValue(connection, batch);
  print('baseline: value by value', batch.rowCount, performance.now() - startedAt, cpuMs() - cpuBefore);
  instance.closeSync();
}

async function appendByValue(connection: DuckDBConnection, batch: SpanColumns): Promise<void> {
  await connection.run(`CREATE TABLE spans (trace_high UBIGINT, trace_low UBIGINT, span_id UBIGINT, parent_id UBIGINT,
    start_ns BIGINT, end_ns BIGINT, kind UTINYINT, status UTINYINT, name VARCHAR, attributes VARCHAR, long VARCHAR,
    metadata VARCHAR, input VARCHAR, output VARCHAR, session VARCHAR, usr VARCHAR, model VARCHAR, provider VARCHAR)`);
  const appender = await connection.createAppender('spans');
  const nullable = [
    batch.longAttributes,
    batch.metadata,
    batch.inputValue,
    batch.outputValue,
    batch.sessionId,
    batch.userId,
    batch.modelName,
    batch.provider,
  ];
  for (let row = 0; row < batch.rowCount; row++) {
    appender.appendUBigInt(batch.traceIdHigh[row]!);
    appender.appendUBigInt(batch.traceIdLow[row]!);
    appender.appendUBigInt(batch.spanId[row]!);
    appender.appendUBigInt(batch.parentSpanId[row]!);
    appender.appendBigInt(batch.startTimeUnixNano[row]!);
    appender.appendBigInt(batch.endTimeUnixNano[row]!);
    appender.appendUTinyInt(batch.spanKind[row]!);
    appender.appendUTinyInt(batch.statusCode[row]!);
    appender.appendVarchar(readText(batch.name, row));
    appender.appendVarchar(readText(batch.attributes, row));
    for (const column of nullable) {
      const text = readNullableText(column, row);
      if (text === null) appender.appendNull();
      else appender.appendVarchar(text);
    }
    appender.endRow();
  }
  appender.flushSync();
  check += batch.rowCount;
}

function print(what: string, rowCount: number, wallMs: number, usedMs: number): void {
  const perSecond = Math.round((rowCount / wallMs) * 1000).toLocaleString('en');
  const cpu = ((usedMs / rowCount) * 1000).toFixed(1);
  console.log(`${what.padEnd(34)} ${perSecond.padStart(9)} spans/s ${cpu.padStart(7)} µs CPU a span`);
}
