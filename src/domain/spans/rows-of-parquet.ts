import type { ExactJson } from '../../base/exact-json.ts';
import { SPAN_LINE_BYTES_MAX } from '../../model/limits/datasets.ts';
import { BODY_JSON_DEPTH_MAX } from '../../model/limits/reads.ts';
import { flattenAttributes, toFlatJson } from '../../model/spans/attributes.ts';
import { isJsonObject } from '../../model/spans/nested-attributes.ts';
import { toAttributeParts } from '../../span-store/contract/attribute-parts.ts';
import type { OpenSpanFile, SpanFileRow } from '../../span-store/contract/span-files.ts';
import { parseLongJson } from '../datasets/files/parse-long-json.ts';
import { type ImportRow, tooLong } from './import-spans.ts';
import { PageSize } from './page-size.ts';
import { type ImportedSpan, importedOrProblem, type Problem, readSpanObject, wrong } from './read-span-line.ts';

/** Spans of a Parquet file that an export wrote, a page in memory at a time. */
export async function* rowsOfParquet(file: OpenSpanFile): AsyncGenerator<ImportRow> {
  const pageSize = new PageSize();
  for (let number = 0; number < file.rowCount; ) {
    const { rows, bytes } = await file.read(number, pageSize.rowCount);
    pageSize.note(rows.length, bytes);
    for (const row of rows) {
      yield { number: ++number, size: bytes / rows.length, read: row ? await readRow(row) : TOO_LONG };
    }
  }
}

const TOO_LONG = tooLong(SPAN_LINE_BYTES_MAX);

const readRow = (row: SpanFileRow): Promise<ImportedSpan | Problem> =>
  importedOrProblem(async () =>
    readSpanObject({
      trace_id: row.traceId,
      span_id: row.spanId,
      parent_id: row.parentId,
      name: row.name,
      span_kind: row.spanKind,
      status_code: row.statusCode,
      status_message: row.statusMessage,
      start_time_unix_nano: row.startTimeUnixNano === null ? null : String(row.startTimeUnixNano),
      end_time_unix_nano: row.endTimeUnixNano === null ? null : String(row.endTimeUnixNano),
      attributes: await attributesOf(row),
      events: await parse(row.events),
      annotations: await parse(row.annotations),
    }),
  );

/** Flat attributes as in a line of JSON, from the columns for filters and the remainder. */
async function attributesOf(row: SpanFileRow): Promise<ExactJson> {
  // Parts of spans are taken for valid JSON.
  await parse(row.metadata);
  for (const part of [await parse(row.attributes), await parse(row.longAttributes)]) {
    if (part !== null && !isJsonObject(part)) wrong('attributes', 'must be an object');
  }
  const parts = toAttributeParts({ ...row, attributes: row.attributes ?? '{}', spanKind: row.spanKind ?? 'UNKNOWN' });
  return parse(toFlatJson(flattenAttributes(parts)));
}

const parse = async (text: string | null): Promise<ExactJson> =>
  text === null ? null : parseLongJson(text, { depthMax: BODY_JSON_DEPTH_MAX });
