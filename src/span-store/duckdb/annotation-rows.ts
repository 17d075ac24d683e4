import type { DuckDBValue } from '@duckdb/node-api';
import type { AnnotationTarget } from '../../model/annotation.ts';
import { ANNOTATION_SOURCES, ANNOTATION_TARGETS, ANNOTATOR_KINDS, type Annotation } from '../../model/annotation.ts';
import { type ChunkWriter, VECTOR_ROW_COUNT } from './chunk-writer.ts';
import { toTextColumn } from './rollup-rows.ts';
import { ANNOTATION_TABLE } from './schema.ts';
import type { Parameters, Statements } from './sql.ts';

/** A row of `annotations` or `pending_annotations`. */
export interface AnnotationRow extends Annotation {
  /** `TargetRef.traceId` of a row that is not written yet. It is not stored. */
  readonly traceId?: string;
  readonly traceRowId: number | null;
  readonly projectId: number;
  readonly position: number;
}

const COLUMNS = ANNOTATION_TABLE.map(({ name }) => name);
type ColumnName = (typeof ANNOTATION_TABLE)[number]['name'];
const PLACES = Object.fromEntries(COLUMNS.map((name, place) => [name, place])) as Record<ColumnName, number>;

/** Rows of a table that meet a condition. */
export async function readAnnotationRows(
  statements: Statements,
  table: 'annotations' | 'pending_annotations',
  condition: string,
  parameters: Parameters,
  tail = '',
): Promise<AnnotationRow[]> {
  const rows = await statements.rows(
    `SELECT ${COLUMNS.join(', ')} FROM store.${table} WHERE ${condition} ${tail}`,
    parameters,
  );
  return rows.map(toRow);
}

function toRow(values: DuckDBValue[]): AnnotationRow {
  const of = (name: ColumnName) => values[PLACES[name]]!;
  const text = (name: ColumnName) => of(name) as string;
  const textOrNull = (name: ColumnName) => of(name) as string | null;
  const number = (name: ColumnName) => Number(of(name));
  const numberOrNull = (name: ColumnName) => (of(name) === null ? null : number(name));
  return {
    rowId: number('row_id'),
    target: ANNOTATION_TARGETS[number('target')]!,
    targetRowId: number('target_row_id'),
    documentPosition: numberOrNull('document_position'),
    traceRowId: numberOrNull('trace_row_id'),
    projectId: number('project_id'),
    annotatorKind: ANNOTATOR_KINDS[number('annotator_kind')]!,
    source: ANNOTATION_SOURCES[number('source')]!,
    userId: numberOrNull('user_id'),
    score: numberOrNull('score'),
    createdAtMs: number('created_ms'),
    updatedAtMs: number('updated_ms'),
    position: number('position'),
    targetId: text('target_id'),
    name: text('name'),
    identifier: text('identifier'),
    label: textOrNull('label'),
    explanation: textOrNull('explanation'),
    metadata: text('metadata'),
  };
}

/** Appends rows to one of the tables, or to the table of changes. */
export async function writeAnnotationRows(writer: ChunkWriter, rows: readonly AnnotationRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += VECTOR_ROW_COUNT) {
    const chunk = rows.slice(from, from + VECTOR_ROW_COUNT);
    await writer.begin(chunk.length);
    const integers = (name: ColumnName, of: (row: AnnotationRow) => number) =>
      writer.numbers(
        name,
        BigInt64Array.from(chunk, (row) => BigInt(of(row))),
      );
    const integersOrNull = (name: ColumnName, of: (row: AnnotationRow) => number | null) =>
      writer.numbers(
        name,
        BigInt64Array.from(chunk, (row) => BigInt(of(row) ?? 0)),
        Uint8Array.from(chunk, (row) => (of(row) === null ? 0 : 1)),
      );
    const bytes = (name: ColumnName, of: (row: AnnotationRow) => number) =>
      writer.numbers(name, Uint8Array.from(chunk, of));
    const texts = (name: ColumnName, of: (row: AnnotationRow) => string | null) =>
      writer.texts(name, toTextColumn(chunk.map(of)), { rows: null, from: 0, to: chunk.length });

    integers('row_id', ({ rowId }) => rowId);
    bytes('target', ({ target }) => ANNOTATION_TARGETS.indexOf(target));
    integers('target_row_id', ({ targetRowId }) => targetRowId);
    integersOrNull('document_position', ({ documentPosition }) => documentPosition);
    integersOrNull('trace_row_id', ({ traceRowId }) => traceRowId);
    writer.numbers(
      'project_id',
      Int32Array.from(chunk, ({ projectId }) => projectId),
    );
    bytes('annotator_kind', ({ annotatorKind }) => ANNOTATOR_KINDS.indexOf(annotatorKind));
    bytes('source', ({ source }) => ANNOTATION_SOURCES.indexOf(source));
    integersOrNull('user_id', ({ userId }) => userId);
    writer.numbers(
      'score',
      Float64Array.from(chunk, ({ score }) => score ?? 0),
      Uint8Array.from(chunk, ({ score }) => (score === null ? 0 : 1)),
    );
    integers('created_ms', ({ createdAtMs }) => createdAtMs);
    integers('updated_ms', ({ updatedAtMs }) => updatedAtMs);
    integers('position', ({ position }) => position);
    texts('target_id', ({ targetId }) => targetId);
    texts('name', ({ name }) => name);
    texts('identifier', ({ identifier }) => identifier);
    texts('label', ({ label }) => label);
    texts('explanation', ({ explanation }) => explanation);
    texts('metadata', ({ metadata }) => metadata);
    writer.append();
  }
  writer.flush();
}

/** What stays of an annotation that is replaced: its row id, its target, and when it was made. */
const KEPT: readonly ColumnName[] = ['row_id', 'target', 'target_row_id', 'document_position', 'created_ms'];

/** Copies changed rows from `annotation_changes`. The range of row ids prunes row groups. */
export const UPDATE_ANNOTATIONS = `UPDATE store.annotations a SET ${COLUMNS.filter((name) => !KEPT.includes(name))
  .map((name) => `${name} = c.${name}`)
  .join(', ')}
  FROM temp.annotation_changes c WHERE a.row_id = c.row_id AND a.row_id BETWEEN $1 AND $2`;

/** Where the targets are stored; a document is a part of its span. */
export const TABLE_OF_TARGET = {
  span: 'spans',
  trace: 'traces',
  session: 'sessions',
  document: 'spans',
} as const satisfies Record<AnnotationTarget, string>;

/** Numbers of targets that are spans, or parts of them. */
export const SPAN_TARGETS = `(${ANNOTATION_TARGETS.indexOf('span')}, ${ANNOTATION_TARGETS.indexOf('document')})`;

export const TRACE_TARGET = String(ANNOTATION_TARGETS.indexOf('trace'));

export const SESSION_TARGET = String(ANNOTATION_TARGETS.indexOf('session'));
