import type { NullableTextColumn, TextColumn } from './span-columns.ts';

/** The text of a row. */
export const readText = ({ utf8, offset }: TextColumn, row: number): string =>
  Buffer.from(utf8.buffer, utf8.byteOffset, utf8.byteLength).toString('utf8', offset[row]!, offset[row + 1]!);

/** The text of a row; null where it has none. */
export const readNullableText = (column: NullableTextColumn, row: number): string | null =>
  column.present[row] === 1 ? readText(column, row) : null;
