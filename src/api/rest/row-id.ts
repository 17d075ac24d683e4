import { SpandrelError } from '../../model/errors.ts';
import { type GlobalIdType, parseGlobalId, rowIdOf } from '../contract/global-id.ts';

/** The row id in a global ID of this type. @throws {SpandrelError} `QUERY_INVALID` with `message` for any other text */
export function rowIdIn(type: GlobalIdType, text: string, message: string): number {
  const rowId = rowIdOf(type, text);
  if (rowId === undefined) throw new SpandrelError('QUERY_INVALID', message);
  return rowId;
}

/**
 * Same as `rowIdIn`, but throws `NODE_NOT_FOUND` for a global ID of another type. The default of `otherType` is a text
 * that names the type.
 */
export function rowIdInNode(type: GlobalIdType, text: string, message: string, otherType?: string): number {
  const parsed = parseGlobalId(text);
  if (!parsed) throw new SpandrelError('QUERY_INVALID', message);
  if (parsed.type === type) return parsed.rowId;
  throw new SpandrelError('NODE_NOT_FOUND', otherType ?? `ID ${text} refers to a ${parsed.type}`);
}
