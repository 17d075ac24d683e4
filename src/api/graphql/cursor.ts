import { createHash } from 'node:crypto';
import { SpandrelError } from '../../model/errors.ts';
import { parseDateTime } from '../../model/time/datetime.ts';
import type { ListPosition } from '../../domain/domain.ts';

/** Type of the sort value in a cursor. */
export type CursorType = 'DATETIME' | 'FLOAT' | 'INT' | 'SCORE' | 'STRING';

/** Types of values that rows of a sorted list may lack. */
const isNullable = (type: CursorType): boolean => type === 'SCORE' || type === 'STRING';

/**
 * Base64 of `<row id>` or `<row id>:<type>:<value>`, followed by `#<key>` for a list that has a key. Values are exact,
 * times to the nanosecond and milliseconds with six decimals, so that no row is skipped or repeated between two pages.
 */
export function toCursor({ rowId, value }: ListPosition, type: CursorType | undefined, listKey?: string): string {
  const key = listKey === undefined ? '' : `#${listKey}`;
  return Buffer.from(`${rowId}${valueText(value, type)}${key}`).toString('base64');
}

function valueText(value: ListPosition['value'], type: CursorType | undefined): string {
  if (type === undefined) return '';
  if (value === undefined) return isNullable(type) ? ':NULL:null' : '';
  return `:${type}:${typeof value === 'bigint' ? WRITE[type](value) : value}`;
}

/**
 * Key of a list in its cursors, because a position in the list of one filter and order has no meaning in another list.
 *
 * @param parts Values that have different JSON texts.
 */
export const listKeyOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 8);

/** @throws {SpandrelError} `CURSOR_INVALID` when it is not a cursor, or belongs to another list or order */
export function parseCursor(cursor: string, type: CursorType | undefined, listKey?: string): ListPosition {
  const text = Buffer.from(cursor, 'base64').toString();
  const end = listKey === undefined ? '' : `#${listKey}`;
  if (!text.endsWith(end)) return invalid(cursor);
  const match = /^(\d{1,15})(?::([A-Z]+):(.*))?$/s.exec(text.slice(0, text.length - end.length));
  if (!match) return invalid(cursor);
  const rowId = Number(match[1]);
  if (match[2] === 'NULL' && type !== undefined && isNullable(type)) return { rowId };
  if (match[2] !== type) return invalid(cursor);
  return type === undefined ? { rowId } : { rowId, value: READ[type](match[3] ?? '') ?? invalid(cursor) };
}

const invalid = (cursor: string): never => {
  throw new SpandrelError('CURSOR_INVALID', `Invalid cursor: ${cursor.slice(0, 200)}`);
};

const WRITE: Readonly<Record<CursorType, (value: bigint) => string>> = {
  INT: String,
  SCORE: String,
  STRING: String,
  FLOAT: (nanoseconds) => {
    const digits = (nanoseconds < 0n ? -nanoseconds : nanoseconds).toString().padStart(7, '0');
    return `${nanoseconds < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
  },
  DATETIME: (unixNano) => {
    const nanoseconds = ((unixNano % NANO) + NANO) % NANO;
    const text = new Date(Number((unixNano - nanoseconds) / NANO) * 1_000).toISOString().slice(0, 19);
    return `${text}.${String(nanoseconds).padStart(9, '0')}+00:00`;
  },
};

const READ: Readonly<Record<CursorType, (text: string) => ListPosition['value']>> = {
  SCORE: (text) => (text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined),
  STRING: (text) => text,
  INT: (text) => (/^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined),
  FLOAT: (text) => {
    const match = /^(-?)(\d{1,13})(?:\.(\d{1,6}))?$/.exec(text);
    if (!match) return undefined;
    const nanoseconds = BigInt(`${match[2]}${(match[3] ?? '').padEnd(6, '0')}`);
    return match[1] ? -nanoseconds : nanoseconds;
  },
  DATETIME: (text) => {
    const time = parseDateTime(text);
    return 'problem' in time ? undefined : time.unixNano;
  },
};

const NANO = 1_000_000_000n;
