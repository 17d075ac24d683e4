// biome-ignore-all lint/style/noNonNullAssertion: columns have an entry for each row.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { SPAN_KINDS, STATUS_CODES } from '../../../semconv/span-kinds.ts';
import { readNullableText } from '../../../columns/read-text.ts';
import type { WholeSpanColumns } from '../../../span-store/contract/spans.ts';
import { AttributeCells } from './attribute-cells.ts';
import { type PackedColumn, PackedColumnBuilder, type PackedTable, packTexts, packTimes } from './packed-column.ts';
import { toEvents } from './read-queried-spans.ts';
import { type Projection, renamed, SPAN_ID } from './span-table.ts';

/** Spans of a packed table, which is written at once: about 1 ms. */
const TABLE_SPAN_COUNT = 1_024;
/** Spans that are packed without yielding to the event loop: about 1 ms. */
const TURN_SPAN_COUNT = 128;

/** Whether a table has all fields of spans, with the usual index. */
export const isWhole = ({ select, explode, concat, index }: Projection): boolean =>
  !select && !explode && !concat && index === undefined;

/** Tables of all that spans have, as `toTable` makes them, one after the other, from the bytes that are stored. */
export async function* packWholeTables(spans: WholeSpanColumns, { rename }: Projection): AsyncGenerator<PackedTable> {
  for (let first = 0; first < spans.rowCount; first += TABLE_SPAN_COUNT) {
    const rows = { first, end: Math.min(spans.rowCount, first + TABLE_SPAN_COUNT) };
    const attributes = new AttributeCells(rows.end - first);
    for (let at = first; at < rows.end; at++) {
      attributes.add(spans, at);
      if ((at - first) % TURN_SPAN_COUNT === TURN_SPAN_COUNT - 1) await yieldToEventLoop();
    }
    const columns = [...fieldColumns(spans, rows), ...attributes.finish()];
    yield { index: [packTexts(SPAN_ID, spans.spanId, rows)], columns: rename ? renamed(columns, rename) : columns };
  }
}

interface Rows {
  readonly first: number;
  readonly end: number;
}

/** In the order of `WHOLE_COLUMNS`. */
const fieldColumns = (spans: WholeSpanColumns, rows: Rows): PackedColumn[] => [
  packTexts('name', spans.name, rows),
  packWords('span_kind', spans.spanKind, SPAN_KINDS, rows),
  packTexts('parent_id', spans.parentSpanId, rows, spans.parentSpanId.present),
  packTimes('start_time', spans.startTimeUnixNano.subarray(rows.first, rows.end)),
  packTimes('end_time', spans.endTimeUnixNano.subarray(rows.first, rows.end)),
  packWords('status_code', spans.statusCode, STATUS_CODES, rows),
  packTexts('status_message', spans.statusMessage, rows),
  packEvents(spans, rows),
  packTexts(SPAN_ID, spans.spanId, rows),
  packTexts('context.trace_id', spans.traceId, rows),
];

function packWords(name: string, indexes: Uint8Array, words: readonly string[], { first, end }: Rows): PackedColumn {
  const column = new PackedColumnBuilder(name, end - first);
  for (let at = first; at < end; at++) column.setValue(at - first, words[indexes[at]!]!);
  return column.finish(end - first);
}

function packEvents(spans: WholeSpanColumns, { first, end }: Rows): PackedColumn {
  const column = new PackedColumnBuilder('events', end - first);
  for (let at = first; at < end; at++) {
    const events = readNullableText(spans.events, at);
    column.setValue(at - first, events === null ? [] : toEvents(events));
  }
  return column.finish(end - first);
}
