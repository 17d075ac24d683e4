import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SPAN_KINDS, STATUS_CODES } from '../../../semconv/span-kinds.ts';
import {
  ANNOTATION_SOURCES,
  ANNOTATION_TARGETS,
  ANNOTATOR_KINDS,
  type AnnotationTarget,
} from '../../../model/annotations/annotation.ts';
import { TEXT_ATTRIBUTES } from '../../../columns/text-attributes.ts';
import type { SpanFileQuery } from '../../contract/span-files.ts';
import { type LongTextSource, sourceBit, sourceNumber } from '../../duckdb/long-texts.ts';
import type { RowRange } from '../../duckdb/row-range.ts';
import { Parameters, queryRows } from '../../duckdb/sql.ts';
import { quotedPath } from '../../duckdb/store-files.ts';
import { startsIn } from '../list-order.ts';
import { readLongTextRowCount, resolveSpanFilter } from '../match/matching-spans.ts';
import type { ReadContext } from '../read-context.ts';

/**
 * Writes spans to a Parquet file at `path`, in the only directory to which DuckDB may write.
 *
 * Long texts are concatenated in windows of rows to limit memory. If there are several windows, each is a separate file; then the
 * files are streamed into one.
 */
export async function writeParquet(
  context: ReadContext,
  { path, ...query }: SpanFileQuery & { readonly path: string },
): Promise<void> {
  const rowCount = await readLongTextRowCount(context);
  const parts: string[] = [];
  try {
    if (rowCount >= context.newestSpanRowId) {
      await writeWindow(context, query, { first: 1, last: context.newestSpanRowId }, path, WHOLE);
      context.throwIfCancelled();
      return;
    }
    for (let first = 1; first <= context.newestSpanRowId; first += rowCount) {
      const window = { first, last: Math.min(context.newestSpanRowId, first + rowCount - 1) };
      const part = `${path}.${parts.length}`;
      parts.push(part);
      await writeWindow(context, query, window, part, PART);
    }
    const files = parts.map(quotedPath).join(', ');
    await run(context, `COPY (SELECT * FROM read_parquet([${files}])) TO ${quotedPath(path)} ${WHOLE}`);
    context.throwIfCancelled();
  } catch (error) {
    await removeFiles([path]);
    throw error;
  } finally {
    await removeFiles(parts);
  }
}

/** Also deletes the temporary name that DuckDB uses until a file is complete. */
async function removeFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await rm(path, { force: true });
    await rm(join(dirname(path), `tmp_${basename(path)}`), { force: true });
  }
}

/** Not prepared, because no other statement contains this path. */
const run = (context: ReadContext, sql: string, parameters?: Parameters): Promise<unknown> =>
  context.read((connection) => queryRows(connection, sql, parameters));

const WHOLE = '(FORMAT parquet, COMPRESSION zstd)';
/** Written and read once. Zstandard would take as long again as all else for a file of half the size. */
const PART = '(FORMAT parquet, COMPRESSION snappy)';

async function writeWindow(
  context: ReadContext,
  query: SpanFileQuery,
  window: RowRange,
  path: string,
  format: string,
): Promise<void> {
  const parameters = new Parameters();
  const first = parameters.bigint(window.first);
  const last = parameters.bigint(window.last);
  const { projectId, filter } = query;
  const conditions = [
    `row_id BETWEEN ${first} AND ${last}`,
    `project_id = ${parameters.integer(projectId)}`,
    ...startsIn(query, parameters),
  ];
  if (filter) conditions.push(await resolveSpanFilter(context, { projectId, filter }, window, parameters));
  await run(
    context,
    `COPY (
       SELECT ${SHOWN.join(', ')}
       FROM (SELECT * FROM store.spans WHERE ${conditions.join(' AND ')}) s
       JOIN store.traces t ON t.row_id = s.trace_row_id
       LEFT JOIN (${longTextsOf(first, last)}) p ON p.span_row_id = s.row_id
       LEFT JOIN (${annotationsOf(first, last)}) a ON a.target_row_id = s.row_id
       ORDER BY s.row_id
     ) TO ${quotedPath(path)} ${format}`,
    parameters,
  );
}

const LONG_SOURCES: readonly LongTextSource[] = ['input_rest', 'output_rest', 'long_attributes', 'events'];

const longTextsOf = (first: string, last: string): string =>
  `SELECT span_row_id, ${LONG_SOURCES.map(
    (source) => `string_agg(piece, '' ORDER BY part) FILTER (source = ${sourceNumber(source)}) AS ${source}`,
  ).join(', ')}
   FROM store.long_texts WHERE span_row_id BETWEEN ${first} AND ${last} GROUP BY span_row_id`;

/** JSON text of a list of annotations by span, including annotations of its documents. */
const annotationsOf = (first: string, last: string): string =>
  `SELECT target_row_id, to_json(list({
       name: name, identifier: identifier, annotator_kind: ${wordOf(ANNOTATOR_KINDS, 'annotator_kind')}, label: label,
       score: score, explanation: explanation, metadata: metadata::JSON, source: ${wordOf(ANNOTATION_SOURCES, 'source')},
       document_position: document_position
     } ORDER BY target, row_id))::VARCHAR AS annotations
   FROM store.annotations
   WHERE target IN (${targetNumber('span')}, ${targetNumber('document')}) AND target_row_id BETWEEN ${first} AND ${last}
   GROUP BY target_row_id`;

const targetNumber = (target: AnnotationTarget): number => ANNOTATION_TARGETS.indexOf(target);

/** SQL expression: the text for the number of a column. */
const wordOf = (words: readonly string[], column: string): string =>
  `[${words.map((word) => `'${word}'`).join(', ')}][${column} + 1]`;

const hex = (column: string): string => `lpad(lower(to_hex(${column})), 16, '0')`;

const maybeLong = (source: LongTextSource): string =>
  `CASE WHEN s.long_texts & ${sourceBit(source)} = 0 THEN s.${source} ELSE p.${source} END`;

const body = (side: 'input' | 'output'): string =>
  `s.${side}_head || coalesce(${maybeLong(`${side}_rest`)}, '') AS ${side}_value`;

const dollars = (side: 'prompt' | 'completion'): string => `s.cost_${side}_pico::DOUBLE / 1e12 AS cost_${side}`;

const SHOWN = [
  `coalesce(t.trace_id_text, ${hex('t.trace_id_high')} || ${hex('t.trace_id_low')}) AS trace_id`,
  `coalesce(s.span_id_text, ${hex('s.span_id')}) AS span_id`,
  `coalesce(s.parent_span_id_text, ${hex('s.parent_span_id')}) AS parent_id`,
  's.name',
  `${wordOf(SPAN_KINDS, 's.span_kind')} AS span_kind`,
  `${wordOf(STATUS_CODES, 's.status_code')} AS status_code`,
  's.status_message',
  'make_timestamp_ns(s.start_ns) AS start_time',
  'make_timestamp_ns(s.end_ns) AS end_time',
  // MIME types stand beside their texts.
  ...TEXT_ATTRIBUTES.flatMap(({ column }) => (column.endsWith('_mime_type') ? [] : `s.${column}`)),
  's.tokens_prompt',
  's.tokens_completion',
  dollars('prompt'),
  dollars('completion'),
  body('input'),
  's.input_mime_type',
  body('output'),
  's.output_mime_type',
  's.metadata',
  's.attributes',
  `${maybeLong('long_attributes')} AS long_attributes`,
  `${maybeLong('events')} AS events`,
  'a.annotations',
] as const;
