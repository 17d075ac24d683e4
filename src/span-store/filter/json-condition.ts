// biome-ignore-all lint/style/noNonNullAssertion: there is one more offset than rows.
import { readText } from '../../columns/read-text.ts';
import type { NullableTextColumn, TextColumn } from '../../columns/span-columns.ts';
import type { AttributeCondition } from '../contract/spans.ts';
import type { JsonLocation } from './attribute-to-sql.ts';

/** Whether the JSON text of a row meets a condition. Undefined means that only the database can tell. */
export type JsonTest = (column: TextColumn | NullableTextColumn, row: number) => boolean | undefined;

/** Maximum bytes of one search, which blocks the thread. */
const SEARCH_BYTES_MAX = 16 * 1024 * 1024;
/** Keys with a single JSON notation. */
const PLAIN_KEY = /^[\w-]+$/;

/**
 * A condition on a value in a JSON text, equivalent to `attributeToSql`, for rows in memory. The test searches the text for the
 * key followed by the value, and parses the few texts that contain it. The database decides ambiguous cases: numeric
 * escapes, repeated keys, space around a colon, and numbers with more than 15 digits.
 *
 * @returns A test for one search. Undefined if only the database can test the condition.
 */
export function jsonTestOf({ paths }: JsonLocation, value: AttributeCondition['value']): JsonTest | undefined {
  const [keys = []] = paths;
  const isValueAt = valueTestOf(value);
  if (!isValueAt || !keys.every((key) => PLAIN_KEY.test(key))) return undefined;
  const [keyEnd, ...outerKeyEnds] = keys.toReversed().map((key) => `${key}"`);
  if (keyEnd === undefined) return undefined;
  let bytesLeft = SEARCH_BYTES_MAX;
  return (column, row) => {
    if ('present' in column && column.present[row] === 0) return false;
    const start = column.offset[row]!;
    const end = column.offset[row + 1]!;
    bytesLeft -= end - start;
    if (bytesLeft < 0) return undefined;
    const bytes = Buffer.from(column.utf8.buffer, column.utf8.byteOffset + start, end - start);
    const text = bytes.toString('latin1');
    if (text.includes('\\u') || text.includes('\\/')) return undefined;
    const isThere = hasValue(text, keyEnd, isValueAt);
    if (!isThere) return isThere;
    if ([keyEnd, ...outerKeyEnds].some((inner) => text.indexOf(inner) !== text.lastIndexOf(inner))) return undefined;
    const parsed = parse(readText(column, row));
    return parsed && paths.some((path) => isScalar(valueAt(parsed.value, path)));
  };
}

/** Whether a JSON text contains a value at an offset. The text is UTF-8 decoded as Latin-1. Undefined means maybe. */
type ValueTest = (text: string, at: number) => boolean | undefined;

function valueTestOf(value: AttributeCondition['value']): ValueTest | undefined {
  if (typeof value === 'boolean') return (text, at) => text.startsWith(String(value), at);
  if (typeof value === 'string') {
    const json = Buffer.from(JSON.stringify(value)).toString('latin1');
    return json.includes('\\u') ? undefined : (text, at) => text.startsWith(json, at);
  }
  const wanted = Number(value);
  const isWhole = Number.isInteger(wanted);
  return (text, at) => {
    NUMBER.lastIndex = at;
    const token = NUMBER.exec(text)?.[0];
    if (token === undefined) return false;
    if (SHORT_INTEGER.test(token)) return isWhole && Number(token) === wanted;
    return FRACTION.test(token) ? Number(token) === wanted : undefined;
  };
}

const NUMBER = /-?\d[\d.eE+-]*/y;
const SHORT_INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;
const FRACTION = /[.eE]/;

/** Whether any key with this end has the value. */
function hasValue(text: string, keyEnd: string, isValueAt: ValueTest): boolean | undefined {
  for (let at = text.indexOf(keyEnd); at >= 0; at = text.indexOf(keyEnd, at + 1)) {
    const colon = at + keyEnd.length;
    if (isSpace(text, colon) || isSpace(text, colon + 1)) return undefined;
    const isThere = text[colon] === ':' && isValueAt(text, colon + 1);
    if (isThere !== false) return isThere;
  }
  return false;
}

const isSpace = (text: string, at: number): boolean => text.charCodeAt(at) <= 0x20;

function parse(json: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(json) };
  } catch {
    return undefined;
  }
}

const valueAt = (root: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    root,
  );

const isScalar = (value: unknown): boolean => value !== undefined && typeof value !== 'object';
