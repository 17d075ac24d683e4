import { freeBuffer } from '../base/free-buffer.ts';
import type { SpanColumns, TextColumn } from './span-columns.ts';

/** Total size of all texts in bytes. */
export const textBytes = (columns: SpanColumns): number =>
  textColumns(columns).reduce((sum, { utf8 }) => sum + utf8.byteLength, 0);

/** Frees the memory of large texts. The columns must not be read afterwards. */
export function freeTexts(columns: SpanColumns): void {
  for (const { utf8 } of textColumns(columns)) freeBuffer(utf8);
}

const textColumns = (columns: SpanColumns): TextColumn[] =>
  Object.values(columns).filter(
    (column): column is TextColumn => typeof column === 'object' && column !== null && 'utf8' in column,
  );
