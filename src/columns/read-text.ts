// biome-ignore-all lint/style/noNonNullAssertion: a row has an offset, and there is one more offset than rows.
import type { NullableTextColumn, TextColumn } from './span-columns.ts';

/** The text of a row. */
export const readText = ({ utf8, offset }: TextColumn, row: number): string =>
  Buffer.from(utf8.buffer, utf8.byteOffset, utf8.byteLength).toString('utf8', offset[row]!, offset[row + 1]!);

/** The text of a row, or null. */
export const readNullableText = (column: NullableTextColumn, row: number): string | null =>
  column.present[row] === 1 ? readText(column, row) : null;

/** Whether the text of a row has exactly these bytes. False for null. */
export function hasText(column: TextColumn | NullableTextColumn, row: number, text: Uint8Array): boolean {
  if ('present' in column && column.present[row] === 0) return false;
  const { utf8, offset } = column;
  const start = offset[row]!;
  if (offset[row + 1]! - start !== text.length) return false;
  for (let at = 0; at < text.length; at++) if (utf8[start + at] !== text[at]) return false;
  return true;
}
