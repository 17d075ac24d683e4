import { expectPresent } from '../../base/expect-present.ts';
import { SPAN_KINDS } from '../../semconv/span-kinds.ts';
import { LEAF_BYTES_MAX, PREVIEW_CHARS_MAX } from '../../model/limits/spans.ts';
import { TEXT_ATTRIBUTES, type TextAttribute } from '../../columns/text-attributes.ts';
import type { AttributeCondition } from '../contract/spans.ts';
import { type LongTextSource, sourceBit, sourceNumber, toTextChunks } from '../duckdb/long-texts.ts';
import type { RowRange } from '../duckdb/row-range.ts';
import type { Parameters } from '../duckdb/sql.ts';

/** Attributes that are stored only in a column when they are text. */
const TEXT_COLUMNS: ReadonlyMap<string, TextAttribute> = new Map(TEXT_ATTRIBUTES.map((one) => [one.key, one]));
const BODY_COLUMNS: ReadonlyMap<string, 'input' | 'output'> = new Map([
  ['input.value', 'input'],
  ['output.value', 'output'],
]);

/**
 * A condition on one attribute as SQL on `spans`. Only a scalar matches; lists are not searched.
 *
 * A text is searched where the decoder has stored it: in its own column, in `metadata`, among the small leaves, or,
 * from `LEAF_BYTES_MAX` bytes of JSON on, among the long ones, which are read only for such values.
 */
export function attributeToSql(condition: AttributeCondition, window: RowRange, parameters: Parameters): string {
  const { path, value } = condition;
  const segments = toSegments(path);
  if (segments.length === 0) return 'false';
  if (isPromoted(segments.join('.'), value)) return promotedTextToSql(segments.join('.'), value, window, parameters);
  const place = jsonLocationOf(condition);
  if (place) return jsonEquals(place.column, place.paths, value, parameters);
  const leaves = jsonEquals('long_attributes', spellings(segments), value, parameters);
  // Long leaves may be split into chunks, which are joined only for rows that have chunks.
  return `(${leaves} OR (long_texts & ${sourceBit('long_attributes')} <> 0 AND row_id IN (
    SELECT span_row_id FROM (
      SELECT span_row_id, string_agg(piece, '' ORDER BY part) AS long_attributes FROM store.long_texts
      WHERE ${ofSource('long_attributes', window, parameters)} GROUP BY span_row_id)
    WHERE ${leaves})))`;
}

/** SQL expression: the text of a scalar at a path among the small leaves of a span, and null where there is none. */
export function leafText(path: string, parameters: Parameters): string {
  const segments = toSegments(path);
  const [nested, ...joined] = spellings(segments).map((keys) => `(${jsonAt('attributes', keys, parameters)} ->> '$')`);
  const last = expectPresent(segments.at(-1), 'a path has a segment');
  const keyEnd = parameters.text(`.${JSON.stringify(last).slice(1)}:`);
  const spelled = `CASE WHEN contains(attributes, ${keyEnd}) THEN coalesce(${[...joined, 'NULL'].join(', ')}) END`;
  return `coalesce(${nested}, ${spelled})`;
}

/** The only JSON text that can contain a value, and the possible keys that lead to it. */
export interface JsonLocation {
  readonly column: 'metadata' | 'attributes';
  readonly paths: readonly (readonly string[])[];
}

/** Undefined for a condition on an attribute with a column, and on a long text. */
export function jsonLocationOf({ path, value }: AttributeCondition): JsonLocation | undefined {
  const segments = toSegments(path);
  if (segments.length === 0 || isPromoted(segments.join('.'), value)) return undefined;
  if (segments[0] === 'metadata' && segments.length > 1) return { column: 'metadata', paths: [segments.slice(1)] };
  const isLong = typeof value === 'string' && Buffer.byteLength(JSON.stringify(value)) > LEAF_BYTES_MAX;
  return isLong ? undefined : { column: 'attributes', paths: spellings(segments) };
}

/** Segments as unflattening creates them: trimmed, without empty ones. */
export const toSegments = (path: string): string[] =>
  path
    .split('.')
    .map((segment) => segment.trim())
    .filter((segment) => segment !== '');

/** The attribute whose column alone decides the condition, if there is one. */
export function plainTextAttributeOf({ path, value }: AttributeCondition): TextAttribute | undefined {
  const attribute = typeof value === 'string' ? TEXT_COLUMNS.get(toSegments(path).join('.')) : undefined;
  // A session ID that was sent as a number is among the leaves; the column has its text, because it names the session.
  return attribute?.key === 'session.id' ? undefined : attribute;
}

/** Whether the condition is on a column that contains exactly the attribute's value. */
export const isInColumn = ({ path, value }: AttributeCondition): boolean =>
  typeof value === 'string' && TEXT_COLUMNS.has(toSegments(path).join('.'));

/** Whether a value, if it is stored, has its own column. */
const isPromoted = (path: string, value: AttributeCondition['value']): value is string =>
  typeof value === 'string' &&
  (TEXT_COLUMNS.has(path) || BODY_COLUMNS.has(path) || (path === KIND_PATH && kindNumber(value) > 0));

function promotedTextToSql(path: string, value: string, window: RowRange, parameters: Parameters): string {
  const column = TEXT_COLUMNS.get(path)?.column;
  if (column === 'session_id') return `(session_id = ${parameters.text(value)} AND ${isNoLeaf('$.session.id')})`;
  if (column) return `${column} = ${parameters.text(value)}`;
  const body = BODY_COLUMNS.get(path);
  if (body) return bodyEquals(body, value, window, parameters);
  // A known kind in its usual spelling is only in the column; another spelling is among the leaves.
  return `(span_kind = ${kindNumber(value)} AND ${isNoLeaf('$.openinference.span.kind')})`;
}

const KIND_PATH = 'openinference.span.kind';
/** 0 for an unknown kind. */
const kindNumber = (value: string): number => Math.max(0, (SPAN_KINDS as readonly string[]).indexOf(value));

const isNoLeaf = (path: '$.session.id' | '$.openinference.span.kind') =>
  `TRY(json_extract(attributes, '${path}')) IS NULL`;

function bodyEquals(column: 'input' | 'output', value: string, window: RowRange, parameters: Parameters): string {
  const characters = [...value];
  const bit = sourceBit(`${column}_rest`);
  if (characters.length <= PREVIEW_CHARS_MAX) {
    return `(${column}_head = ${parameters.text(value)} AND ${column}_rest IS NULL AND long_texts & ${bit} = 0)`;
  }
  const head = characters.slice(0, PREVIEW_CHARS_MAX).join('');
  const hasHead = `${column}_head = ${parameters.text(head)}`;
  const chunks = toTextChunks(value, Buffer.byteLength(head));
  if (!chunks) return `(${hasHead} AND ${column}_rest = ${parameters.text(value.slice(head.length))})`;
  const numbered = chunks.map((chunk, part) => `(${part}, ${parameters.text(chunk)})`).join(', ');
  return `(${hasHead} AND long_texts & ${bit} <> 0 AND row_id IN (
    SELECT span_row_id FROM store.long_texts WHERE ${ofSource(`${column}_rest`, window, parameters)}
    GROUP BY span_row_id
    HAVING count(*) = ${chunks.length} AND count_if((part, piece) IN (${numbered})) = ${chunks.length}))`;
}

const ofSource = (source: LongTextSource, { first, last }: RowRange, parameters: Parameters) =>
  `source = ${sourceNumber(source)} AND span_row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}`;

/** Keys under which a dotted path may be stored: nested, or with its last segments joined to one key beside a value. */
function spellings(segments: readonly string[]): string[][] {
  const spelled = [[...segments]];
  for (let joined = 2; joined <= segments.length; joined++) {
    const from = segments.length - joined;
    spelled.push([...segments.slice(0, from), segments.slice(from).join('.')]);
  }
  return spelled;
}

function jsonEquals(
  column: string,
  paths: readonly (readonly string[])[],
  value: AttributeCondition['value'],
  parameters: Parameters,
): string {
  const [nested, ...joined] = paths.map((path) => scalarEquals(jsonAt(column, path, parameters), value, parameters));
  if (joined.length === 0) return nested ?? 'false';
  // Each joined spelling costs an extraction, so it is only tried if a key ends like it.
  const last = expectPresent(paths[0]?.at(-1), 'an attribute has a path with a key');
  const keyEnd = parameters.text(`.${JSON.stringify(last).slice(1)}:`);
  return `(${nested} OR (contains(${column}, ${keyEnd}) AND (${joined.join(' OR ')})))`;
}

function scalarEquals(json: string, value: AttributeCondition['value'], parameters: Parameters): string {
  // Texts are compared as DuckDB writes them in JSON, so that the text `1` differs from the number.
  if (typeof value === 'string') return `${json} = to_json(${parameters.text(value)})`;
  if (typeof value === 'boolean') return `${json} = '${value}'::JSON`;
  const text = `CAST(${json} AS VARCHAR)`;
  // Doubles are compared first, which is one conversion, and few rows pass it.
  const isEqual = `TRY_CAST(${text} AS DOUBLE) = ${parameters.double(Number(value))}`;
  const isDouble = `json_type(${json}) = 'DOUBLE'`;
  if (typeof value === 'number' && !Number.isInteger(value)) return `(${isEqual} AND ${isDouble})`;
  return `(${isEqual} AND (${isDouble} OR ${text} = ${parameters.text(String(BigInt(value)))}))`;
}

/**
 * The value at these keys of an object. Keys are bound values and are literal: quoted, and where a key has a `*`, which
 * DuckDB treats as a wildcard even inside quotes, as a step of JSON Pointer.
 */
function jsonAt(column: string, keys: readonly string[], parameters: Parameters): string {
  let json = column;
  let quoted = '$';
  // A text that is not JSON for DuckDB (with half of a surrogate pair, for example) has no values, instead of failing
  // the query.
  const extract = (path: string) => `TRY(json_extract(${json}, ${parameters.text(path)}))`;
  for (const key of keys) {
    if (!key.includes('*')) {
      quoted += `."${key.replace(/[\\"]/g, '\\$&')}"`;
      continue;
    }
    if (quoted !== '$') json = extract(quoted);
    quoted = '$';
    json = extract(`/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`);
  }
  return quoted === '$' ? json : extract(quoted);
}
