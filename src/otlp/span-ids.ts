import { isHexSpanId, isHexTraceId, spanIdNumber, traceIdHalves } from '../model/traces/trace-ids.ts';
import type { TextIds } from '../columns/span-columns.ts';
import type { SpanColumnsBuilder } from '../columns/span-columns-builder.ts';

/** Sets the IDs of the current row. An ID that is not 16 or 8 bytes in hex is also kept as text. */
export function setSpanIds(
  builder: SpanColumnsBuilder,
  traceId: string,
  spanId: string,
  parentSpanId: string | null,
): void {
  const row = builder.rowCount;
  const { high, low } = traceIdHalves(traceId);
  setInt64(builder.traceIdHigh, row, high);
  setInt64(builder.traceIdLow, row, low);
  setInt64(builder.spanId, row, spanIdNumber(spanId));
  builder.hasParent[row] = parentSpanId === null ? 0 : 1;
  setInt64(builder.parentSpanId, row, parentSpanId === null ? 0n : spanIdNumber(parentSpanId));
  const ids: TextIds = {
    ...(!isHexTraceId(traceId) && { traceId }),
    ...(!isHexSpanId(spanId) && { spanId }),
    ...(parentSpanId !== null && !isHexSpanId(parentSpanId) && { parentSpanId }),
  };
  if (Object.keys(ids).length > 0) builder.setTextIds(ids);
}

/** Writes 64-bit integers as pairs of 32-bit words, the lower word first. */
export function setInt64(words: Uint32Array, row: number, value: bigint): void {
  words[2 * row] = Number(BigInt.asUintN(32, value));
  words[2 * row + 1] = Number(BigInt.asUintN(32, value >> 32n));
}
