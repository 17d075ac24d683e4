import { deflateRawSync } from 'node:zlib';
import type { SpanSize } from '../../contract/spans.ts';
import { VECTOR_ROW_COUNT } from '../../duckdb/chunk-writer.ts';
import { text } from '../../duckdb/define-table.ts';
import { TEXT_CHUNK_BYTES_MAX } from '../../duckdb/long-texts.ts';
import type { RowRange } from '../../duckdb/row-range.ts';
import { SPAN_TABLE } from '../../duckdb/schema.ts';
import { select } from '../../duckdb/select-list.ts';
import { Parameters } from '../../duckdb/sql.ts';
import type { ReadContext } from '../read-context.ts';

/**
 * Number of span vectors measured for all projects together, 10 to 20 ms each. A smaller store is measured completely.
 */
const VECTOR_COUNT_MAX = 64;
/** A project with fewer spans in the sample is measured around the starts of `OWN_TRACE_COUNT` of its traces. */
const SPAN_COUNT_MIN = 1_000;
const OWN_TRACE_COUNT = 8;
/** Number of spans and characters for estimating how well the texts of a project compress. */
const SAMPLE_SPAN_COUNT = 64;
const SAMPLE_CHARS = 8_192;
/** Size of a span besides its texts: its numbers and its share of its trace and of block filters. */
const FIXED_BYTES = 60;

const TEXT_COLUMNS = SPAN_TABLE.filter(({ type }) => type === 'VARCHAR').map(({ name }) => name);
const TEXT_BYTES = TEXT_COLUMNS.map((name) => `coalesce(strlen(${name}), 0)`).join(' + ');
const SAMPLE = { text: text(`left(concat_ws(' ', ${TEXT_COLUMNS.join(', ')}), ${SAMPLE_CHARS})`) };
const LONG_SAMPLE = { text: text('piece') };

/** Totals over the measured spans of a project. */
interface Measured {
  spanCount: number;
  textBytes: number;
}

/**
 * Estimates the size of spans by project from a sample of rows and the compression ratio of some of their texts.
 * Projects without spans in the sample are absent unless `projectIds` has them.
 */
export async function measureSpans(
  context: ReadContext,
  projectIds: readonly number[],
): Promise<Map<number, SpanSize>> {
  const windows = sampleWindows(context.newestSpanRowId);
  const measured = await measureWindows(context, windows);
  const whereOf = new Map<number, readonly RowRange[]>();
  if (windows.length > 1) {
    for (const projectId of projectIds) {
      if ((measured.get(projectId)?.spanCount ?? 0) >= SPAN_COUNT_MIN) continue;
      const own = await ownWindows(context, projectId);
      const found = (await measureWindows(context, own, projectId)).get(projectId);
      if (!found) continue;
      measured.set(projectId, found);
      whereOf.set(projectId, own);
    }
  }
  const sizes = new Map<number, SpanSize>();
  for (const [projectId, { spanCount, textBytes }] of measured) {
    const share = await compressedShare(context, projectId, whereOf.get(projectId) ?? windows);
    sizes.set(projectId, { spanCount, bytes: spanCount * FIXED_BYTES + textBytes * share });
  }
  return sizes;
}

/** All rows of a small store, or evenly spaced vectors. */
function sampleWindows(newest: number): RowRange[] {
  if (newest <= VECTOR_COUNT_MAX * VECTOR_ROW_COUNT) return [{ first: 1, last: newest }];
  const step = newest / VECTOR_COUNT_MAX;
  return Array.from({ length: VECTOR_COUNT_MAX }, (_, index) => vectorAt(Math.floor((index + 0.5) * step)));
}

function vectorAt(rowId: number): RowRange {
  const first = rowId - (rowId % VECTOR_ROW_COUNT);
  return { first, last: first + VECTOR_ROW_COUNT - 1 };
}

/** Vectors that contain the first spans of randomly chosen traces of a project. */
async function ownWindows(context: ReadContext, projectId: number): Promise<RowRange[]> {
  const parameters = new Parameters();
  const rows = await context.rows(
    `SELECT first_span_row_id FROM store.traces WHERE project_id = ${parameters.integer(projectId)}
     ORDER BY hash(row_id) LIMIT ${OWN_TRACE_COUNT}`,
    parameters,
  );
  const windows = new Map(rows.map(([rowId]) => [vectorAt(Number(rowId)).first, vectorAt(Number(rowId))]));
  return [...windows.values()];
}

async function measureWindows(
  context: ReadContext,
  windows: readonly RowRange[],
  projectId?: number,
): Promise<Map<number, Measured>> {
  const measured = new Map<number, Measured>();
  const add = (id: number, spanCount: number, textBytes: number) => {
    const known = measured.get(id);
    if (!known) measured.set(id, { spanCount, textBytes });
    else {
      known.spanCount += spanCount;
      known.textBytes += textBytes;
    }
  };
  const rows = await context.rowsOfEach(windows, (window) => {
    const parameters = new Parameters();
    const where = conditionOf(window, projectId, parameters);
    return {
      sql: `SELECT project_id, count(*), sum(${TEXT_BYTES})::DOUBLE FROM store.spans WHERE ${where} GROUP BY project_id`,
      parameters,
    };
  });
  for (const [id, spanCount, textBytes] of rows) add(Number(id), Number(spanCount), Number(textBytes));
  // All chunks of a text except the last one are full. Reading their lengths would decompress them.
  const chunks = await context.rowsOfEach(windows, (window) => {
    const parameters = new Parameters();
    const where = conditionOf(window, projectId, parameters);
    const last = parameters.bigint(window.last);
    return {
      sql: `SELECT project_id, sum(chunk_count) * ${TEXT_CHUNK_BYTES_MAX} - sum(text_count) * ${TEXT_CHUNK_BYTES_MAX / 2}
        FROM (SELECT row_id, project_id FROM store.spans WHERE ${where} AND long_texts > 0) AS spans
        JOIN (SELECT span_row_id, count(*) AS chunk_count, count(*) FILTER (part = 0) AS text_count FROM store.long_texts
          WHERE span_row_id BETWEEN ${parameters.bigint(window.first)} AND ${last} GROUP BY span_row_id) AS chunks
        ON row_id = span_row_id GROUP BY project_id`,
      parameters,
    };
  });
  for (const [id, bytes] of chunks) add(Number(id), 0, Number(bytes));
  return measured;
}

/** Compressed size divided by original size, for texts of the first windows that contain spans of the project. */
async function compressedShare(context: ReadContext, projectId: number, windows: readonly RowRange[]): Promise<number> {
  let texts = '';
  let spanCount = 0;
  for (const window of windows) {
    const parameters = new Parameters();
    const ofWindow = conditionOf(window, projectId, parameters);
    const tail = `FROM store.spans WHERE ${ofWindow} LIMIT ${SAMPLE_SPAN_COUNT - spanCount}`;
    const rows = await select(context, SAMPLE, tail, parameters);
    texts += rows.map(({ text }) => text).join('');
    spanCount += rows.length;
    if (spanCount >= SAMPLE_SPAN_COUNT) break;
  }
  texts += await sampleLongTexts(context, projectId, windows[0]);
  const bytes = Buffer.from(texts);
  return bytes.length === 0 ? 1 : Math.min(1, deflateRawSync(bytes, { level: 1 }).length / bytes.length);
}

async function sampleLongTexts(context: ReadContext, projectId: number, window: RowRange | undefined): Promise<string> {
  if (!window) return '';
  const parameters = new Parameters();
  const rows = await select(
    context,
    LONG_SAMPLE,
    `FROM store.long_texts WHERE span_row_id IN (
       SELECT row_id FROM store.spans WHERE ${conditionOf(window, projectId, parameters)} AND long_texts > 0 LIMIT 8)
     LIMIT ${SAMPLE_SPAN_COUNT}`,
    parameters,
  );
  return rows.map(({ text }) => text).join('');
}

function conditionOf({ first, last }: RowRange, projectId: number | undefined, parameters: Parameters): string {
  const isBetween = `row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}`;
  return projectId === undefined ? isBetween : `${isBetween} AND project_id = ${parameters.integer(projectId)}`;
}
