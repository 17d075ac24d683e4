import type { RowKind } from '../../model/row-error.ts';

/** Type in a global ID `base64("<Type>:<row id>")`, as Relay and the public clients expect. */
export type GlobalIdType = RowKind;

export const toGlobalId = (type: GlobalIdType, rowId: number): string =>
  Buffer.from(`${type}:${rowId}`, 'latin1').toString('base64');

/**
 * The parts of a global ID, or undefined if the text is not one. Signs and leading zeros are accepted. A row id beyond
 * 2^53 becomes `Number.MAX_SAFE_INTEGER`, which no stored row has.
 */
export function parseGlobalId(text: string): { readonly type: string; readonly rowId: number } | undefined {
  const [, type, number] = /^([A-Za-z]+):([+-]?\d+)$/.exec(Buffer.from(text, 'base64').toString('utf8')) ?? [];
  if (type === undefined) return undefined;
  const rowId = Number(number);
  return { type, rowId: Number.isSafeInteger(rowId) ? rowId : Number.MAX_SAFE_INTEGER };
}

/** The row id of a global ID of this type, or undefined. */
export function rowIdOf(type: GlobalIdType, text: string): number | undefined {
  const parsed = parseGlobalId(text);
  return parsed?.type === type ? parsed.rowId : undefined;
}
