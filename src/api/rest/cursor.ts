import { SpandrelError } from '../../model/errors.ts';
import { type GlobalIdType, parseGlobalId, toGlobalId } from '../contract/global-id.ts';

/**
 * The row that a page starts with. Undefined for the first page. Only the number of the global ID counts, not its type,
 * and the row may have been deleted.
 *
 * @throws {SpandrelError} `CURSOR_INVALID` with `message`
 */
export function rowIdOfCursor(cursor: string | undefined, message: string): number | undefined {
  if (cursor === undefined || cursor === '') return undefined;
  const parsed = parseGlobalId(cursor);
  if (!parsed) throw new SpandrelError('CURSOR_INVALID', message);
  return parsed.rowId;
}

export const cursorTo = (type: GlobalIdType, rowId: number | undefined): string | null =>
  rowId === undefined ? null : toGlobalId(type, rowId);
