// biome-ignore-all lint/style/noNonNullAssertion: there is one more offset than rows.
import { isUtf8 } from 'node:buffer';
import type { NullableTextColumn, SpanColumns, TextColumn } from '../../../columns/span-columns.ts';

/**
 * Replaces invalid UTF-8 in the texts of a batch by U+FFFD. The decoder sends only valid UTF-8. DuckDB would reject a batch
 * with invalid UTF-8 at every attempt, and no later batch could be stored.
 */
export function withWellFormedTexts(batch: SpanColumns): SpanColumns {
  const repaired: Record<string, TextColumn> = {};
  for (const [name, column] of Object.entries(batch)) {
    if (isTextColumn(column) && !isWellFormed(column, batch.rowCount)) repaired[name] = repair(column, batch.rowCount);
  }
  return Object.keys(repaired).length === 0 ? batch : { ...batch, ...repaired };
}

const isTextColumn = (column: unknown): column is TextColumn | NullableTextColumn =>
  typeof column === 'object' && column !== null && 'utf8' in column;

function isWellFormed({ utf8, offset }: TextColumn, rowCount: number): boolean {
  if (!isUtf8(utf8.subarray(0, offset[rowCount]))) return false;
  // Valid as one text, they are so one by one unless a row begins within a character.
  for (let row = 0; row < rowCount; row++) if ((utf8[offset[row]!]! & 0xc0) === 0x80) return false;
  return true;
}

function repair(column: TextColumn | NullableTextColumn, rowCount: number): TextColumn {
  const source = Buffer.from(column.utf8.buffer, column.utf8.byteOffset, column.utf8.byteLength);
  const offset = new Uint32Array(rowCount + 1);
  const parts: Buffer[] = [];
  for (let row = 0; row < rowCount; row++) {
    const part = Buffer.from(source.toString('utf8', column.offset[row]!, column.offset[row + 1]!));
    parts.push(part);
    offset[row + 1] = offset[row]! + part.length;
  }
  return { ...column, utf8: new Uint8Array(Buffer.concat(parts)), offset };
}
