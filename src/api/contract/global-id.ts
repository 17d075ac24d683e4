import type { RowKind } from '../../model/row-error.ts';

/** Type in a global ID `base64("<Type>:<row id>")`, as Relay and the public clients expect. */
export type GlobalIdType = RowKind;

export const toGlobalId = (type: GlobalIdType, rowId: number): string =>
  Buffer.from(`${type}:${rowId}`, 'latin1').toString('base64');

/**
 * The parts of a global ID; undefined when the text is none. Signs and leading zeros pass; a row id beyond 2^53
 * is kept apart from every stored one by `Number.MAX_SAFE_INTEGER`.
 */
export function parseGlobalId(text: string): { readonly type: string; readonly rowId: number } | undefined {
  const match = /^([A-Za-z]+):([+-]?\d+)$/.exec(Buffer.from(text, 'base64').toString('utf8'));
  if (!match) return undefined;
  const rowId = Number(match[2]);
  return { type: match[1]!, rowId: Number.isSafeInteger(rowId) ? rowId : Number.MAX_SAFE_INTEGER };
}

/** The row id in a global ID of this type, else undefined. */
export function rowIdOf(type: GlobalIdType, text: string): number | undefined {
  const parsed = parseGlobalId(text);
  return parsed?.type === type ? parsed.rowId : undefined;
}
