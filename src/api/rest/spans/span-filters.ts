import { type Static, Type } from '@sinclair/typebox';
import { type ExactJson, ExactNumber } from '../../../base/exact-json.ts';
import { parseExactJson } from '../../../base/parse-exact-json.ts';
import { SPAN_KINDS, STATUS_CODES } from '../../../semconv/span-kinds.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { BODY_JSON_DEPTH_MAX, FILTER_VALUE_COUNT_MAX } from '../../../model/limits/reads.ts';
import { clampToSpanTime } from '../../../model/time/datetime.ts';
import type { AttributeCondition, SpanQuery } from '../../../domain/domain.ts';
import { rowIdOfCursor } from '../cursor.ts';
import { BoundedLimit, Cursor, DateTime } from '../schema.ts';

/** `HEADER_BYTES_MAX` limits the number of values. */
const values = (description: string, maxItems?: number) =>
  Type.Optional(Type.Array(Type.String(), { description, ...(maxItems !== undefined && { maxItems }) }));

/** The time window of lists. */
export const TIME_WINDOW = {
  start_time: Type.Optional(DateTime({ description: 'Start at or after this time. Without an offset it is UTC.' })),
  end_time: Type.Optional(DateTime({ description: 'Start before this time. Without an offset it is UTC.' })),
};

/** Query parameters that both lists of spans take. Different ones are ANDed, values of one are ORed. */
export const SPAN_FILTERS = {
  cursor: Cursor,
  limit: BoundedLimit,
  ...TIME_WINDOW,
  trace_id: values('Trace IDs.'),
  span_id: values('Span IDs.'),
  parent_id: Type.Optional(
    Type.String({ description: 'Span ID of the parent, or `null` for spans without a parent.' }),
  ),
  name: values('Exact names.'),
  status_code: values('`OK`, `ERROR` or `UNSET`, in any case.'),
  attribute: values(
    '`key:value`: a dotted path, and a JSON value or a text. All conditions must hold. ' +
      'Quote a text that looks like a number or boolean: `user.id:"12345"`.',
    FILTER_VALUE_COUNT_MAX,
  ),
};

export const SPAN_KIND_FILTER = { span_kind: values('Span kinds, in any case.') };

const SpanFilters = Type.Object({ ...SPAN_FILTERS, ...SPAN_KIND_FILTER });

/** @throws {SpandrelError} `CURSOR_INVALID`, `QUERY_INVALID` */
export function toSpanQuery(projectId: number, filters: Static<typeof SpanFilters>): SpanQuery {
  const fromRowId = rowIdOfCursor(filters.cursor, 'Invalid cursor');
  const attributes = filters.attribute?.map(parseAttributeCondition);
  return {
    projectId,
    limit: filters.limit,
    ...toTimeWindow(filters),
    ...(fromRowId !== undefined && { fromRowId }),
    ...(filters.trace_id && { traceIds: filters.trace_id }),
    ...(filters.span_id && { spanIds: filters.span_id }),
    ...(filters.parent_id !== undefined && { parentSpanId: filters.parent_id === 'null' ? null : filters.parent_id }),
    ...(filters.name && { names: filters.name }),
    ...(filters.span_kind && { spanKinds: toWords('span_kind', filters.span_kind, SPAN_KINDS) }),
    ...(filters.status_code && { statusCodes: toWords('status_code', filters.status_code, STATUS_CODES) }),
    ...(attributes && { attributes: attributes.filter(({ value }) => !isBeyondDouble(value)) }),
    // No stored number equals one beyond a double.
    ...(attributes?.some(({ value }) => isBeyondDouble(value)) && { spanIds: [] }),
  };
}

export function toTimeWindow({ start_time: start, end_time: end }: Static<typeof TimeWindow>): {
  startTimeUnixNano?: bigint;
  endTimeUnixNano?: bigint;
} {
  return {
    ...(start && { startTimeUnixNano: clampToSpanTime(start.unixNano) }),
    ...(end && { endTimeUnixNano: clampToSpanTime(end.unixNano) }),
  };
}

const TimeWindow = Type.Object(TIME_WINDOW);

function toWords<Word extends string>(name: string, texts: readonly string[], words: readonly Word[]): Word[] {
  const upper = [...new Set(texts.map((text) => text.toUpperCase()))];
  const unknown = upper.filter((text) => !words.some((word) => word === text));
  if (unknown.length > 0) {
    const list = unknown.map((text) => `'${text}'`).join(', ');
    throw new SpandrelError('QUERY_INVALID', `Invalid ${name} values: [${list}]`);
  }
  return words.filter((word) => upper.includes(word));
}

/** `key:value`, cut at the first colon. @throws {SpandrelError} `QUERY_INVALID` */
export function parseAttributeCondition(text: string): AttributeCondition {
  const colon = text.indexOf(':');
  if (colon < 0) throw new SpandrelError('QUERY_INVALID', `Invalid attribute '${text}': expected format 'key:value'`);
  if (colon === 0) throw new SpandrelError('QUERY_INVALID', 'Invalid attribute: key must not be empty');
  const written = text.slice(colon + 1);
  if (written === '') throw new SpandrelError('QUERY_INVALID', 'Invalid attribute: value must not be empty');
  const value = parseConditionValue(written);
  if (value !== undefined) return { path: text.slice(0, colon), value };
  throw new SpandrelError(
    'QUERY_INVALID',
    `Invalid attribute value '${written}': must be a string, integer, float, or boolean. ` +
      'To match a string that looks like a number or boolean, JSON-quote the value: `key:"12345"`.',
  );
}

const isBeyondDouble = (value: AttributeCondition['value']): boolean =>
  typeof value === 'number' && !Number.isFinite(value);

/** A JSON scalar, or else the text unchanged; ±Infinity for a number beyond a double. Undefined for null, lists and objects. */
function parseConditionValue(written: string): AttributeCondition['value'] | undefined {
  let value: ExactJson;
  try {
    value = parseExactJson(written, { depthMax: BODY_JSON_DEPTH_MAX });
  } catch {
    return written;
  }
  if (value instanceof ExactNumber) {
    if (/^-?\d+$/.test(value.text)) return BigInt(value.text);
    return Number(value);
  }
  return typeof value === 'object' ? undefined : value;
}
