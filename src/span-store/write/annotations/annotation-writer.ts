import {
  type AnnotationTarget,
  type NewAnnotation,
  type TargetRef,
  targetKey,
} from '../../../model/annotations/annotation.ts';
import type { AnnotationRecord } from '../../contract/annotations.ts';
import {
  ANNOTATIONS,
  type AnnotationRow,
  PENDING_ANNOTATIONS,
  UPDATE_ANNOTATIONS,
} from '../../duckdb/annotation-rows.ts';
import { ChunkWriter } from '../../duckdb/chunk-writer.ts';
import { appendRows, selectRows } from '../../duckdb/define-table.ts';
import { rowIdIn } from '../../duckdb/row-id-lists.ts';
import { minMax } from '../../duckdb/row-range.ts';
import { select } from '../../duckdb/select-list.ts';
import { type Connection, Parameters, queryRows, statementsOf } from '../../duckdb/sql.ts';
import { countDocuments, findTargets, type TargetRow } from '../../read/annotations/find-targets.ts';
import { ReadContext } from '../../read/read-context.ts';
import type { ArrivedTargets } from './arrived-targets.ts';
import { attach, inOrder, type Targets } from './attach-annotations.ts';
import { type KeyParts, keyOf, PendingAnnotations, type PendingLimits, targetLevel } from './pending-annotations.ts';

export interface AnnotationWrites {
  readonly records: readonly AnnotationRecord[];
  /** Targets of the same batch, whose rows are already stored. */
  readonly arrived: ArrivedTargets;
  /** Row id of the first annotation of the records. */
  readonly nextRowId: number;
}

export interface WrittenAnnotations {
  readonly rowCount: number;
  readonly droppedCount: number;
  readonly projectIds: ReadonlySet<number>;
  /** Annotated traces, and traces of annotated spans. */
  readonly traceRowIds: ReadonlySet<number>;
  /** Annotated sessions, and sessions of these traces. */
  readonly sessionRowIds: ReadonlySet<number>;
}

const NOTHING: WrittenAnnotations = {
  rowCount: 0,
  droppedCount: 0,
  projectIds: new Set(),
  traceRowIds: new Set(),
  sessionRowIds: new Set(),
};

const { rowId, createdAtMs, target, targetRowId, documentPosition, name, identifier } = ANNOTATIONS.fields;
const KEYED = { rowId, createdAtMs, target, targetRowId, documentPosition, name, identifier };

/** Writes annotations in the transaction of the store writer, after the spans of the same batch. */
export class AnnotationWriter {
  readonly #connection: Connection;
  readonly #rowWriter: ChunkWriter;
  readonly #changeWriter: ChunkWriter;
  readonly #pendingWriter: ChunkWriter;
  readonly #pending: PendingAnnotations;
  #isPendingKnown = false;

  constructor(connection: Connection, limits?: Partial<PendingLimits>) {
    this.#connection = connection;
    this.#rowWriter = new ChunkWriter(connection, 'store', ANNOTATIONS.name, ANNOTATIONS.columns);
    this.#changeWriter = new ChunkWriter(connection, 'temp', 'annotation_changes', ANNOTATIONS.columns);
    this.#pendingWriter = new ChunkWriter(connection, 'store', PENDING_ANNOTATIONS.name, PENDING_ANNOTATIONS.columns);
    this.#pending = new PendingAnnotations(limits);
  }

  /** Loads the waiting annotations if they are not in memory. Must be called before a transaction. */
  async prepare(): Promise<void> {
    if (this.#isPendingKnown) return;
    await this.#pending.load(this.#connection);
    this.#isPendingKnown = true;
  }

  /** Must be called after a rollback, because the memory may be newer than the tables. */
  discard(): void {
    for (const writer of [this.#rowWriter, this.#changeWriter, this.#pendingWriter]) writer.discard();
    this.#isPendingKnown = false;
  }

  async write({ records, arrived, nextRowId }: AnnotationWrites): Promise<WrittenAnnotations> {
    if (this.#pending.isEmpty && records.length === 0) return NOTHING;
    const groups = records.map(toRecordRows(nextRowId, arrived));
    const attached = await this.#removeArrived(arrived, groups);
    if (attached.length === 0 && records.length === 0) return NOTHING;
    const targets = await this.#findTargets([...attached, ...groups.flatMap(({ rows }) => rows)], arrived);

    const found = attached.flatMap((row) => attach(row, arrived.storedRowId, targets) ?? []);
    const waiting: AnnotationRow[] = [];
    let droppedCount = 0;
    for (const { rows, isWhole, spanRowId } of groups) {
      const attachments = rows.map((row) => ({ row, one: attach(row, spanRowId, targets) }));
      if (isWhole && attachments.some(({ one }) => !one || one.isOutOfBounds || one.hasWaited)) continue;
      for (const { row, one } of attachments) {
        // The caller named the trace, so the span was stored then and has been deleted since.
        const isGone = row.traceId !== undefined && (!one || one.hasWaited);
        if (isGone) droppedCount++;
        else if (one) found.push(one);
        else waiting.push(row);
      }
    }
    const writes = new Map<string, AnnotationRow>();
    const storable = found.filter(({ isOutOfBounds }) => !isOutOfBounds);
    for (const { row } of storable.sort(inOrder)) putInto(writes, row);
    droppedCount += found.length - storable.length;
    await this.#writeRows([...writes.values()]);
    if (waiting.length > 0) await this.#writeWaiting(waiting);
    droppedCount += await this.#dropExpired(records);
    return { rowCount: writes.size + waiting.length, droppedCount, ...(await this.#annotated([...writes.values()])) };
  }

  /** Removes the annotations that wait for these targets, and returns them in the order of arrival. */
  async #removeArrived(arrived: ArrivedTargets, groups: readonly RecordRows[]): Promise<AnnotationRow[]> {
    const sent = groups.flatMap(({ rows }) => rows).filter((row) => targetLevel(row) === 'span');
    const sentIds = new Set(sent.map(({ targetId }) => targetId));
    const spanIds = arrived.recordSpans((id) => sentIds.has(id) || this.#pending.has('span', id));
    const rowIds: number[] = [];
    for (const id of spanIds) rowIds.push(...this.#pending.remove('span', id));
    for (const [targetPlace, id] of arrived.others()) rowIds.push(...this.#pending.remove(targetPlace, id));
    if (rowIds.length === 0) return [];
    const parameters = new Parameters();
    const rows = await selectRows(
      statementsOf(this.#connection),
      PENDING_ANNOTATIONS,
      parameters.bigintIn('row_id', rowIds),
      parameters,
      'ORDER BY position, row_id',
    );
    await this.#deletePending(rowIds);
    return rows;
  }

  async #findTargets(rows: readonly AnnotationRow[], arrived: ArrivedTargets): Promise<Targets> {
    const refsByTarget = new Map<AnnotationTarget, Map<string, TargetRef>>();
    for (const row of rows) {
      const refs = refsByTarget.get(row.target) ?? new Map<string, TargetRef>();
      refsByTarget.set(row.target, refs.set(targetKey(row), row));
    }
    const context = new ReadContext(this.#connection, { span: arrived.storedRowId, session: 0 });
    const stored = new Map<AnnotationTarget, ReadonlyMap<string, TargetRow>>();
    for (const [target, refs] of refsByTarget) {
      stored.set(target, await findTargets(context, { target, refs: [...refs.values()] }));
    }
    const withDocuments = [...(refsByTarget.get('document')?.values() ?? [])].flatMap((ref) => arrived.spansOf(ref));
    const documentCounts = await countDocuments(
      context,
      withDocuments.map(({ rowId }) => rowId),
    );
    return { stored, arrived, documentCounts };
  }

  /** Inserts rows, or replaces those of the same target and key. */
  async #writeRows(rows: readonly AnnotationRow[]): Promise<void> {
    if (rows.length === 0) return;
    const stored = await this.#findStored(rows);
    const added: AnnotationRow[] = [];
    const changed: AnnotationRow[] = [];
    for (const row of rows) {
      const previous = stored.get(rowKey(row));
      if (previous) changed.push({ ...row, ...previous, updatedAtMs: Math.max(row.updatedAtMs, previous.createdAtMs) });
      else added.push(row);
    }
    if (added.length > 0) {
      await appendRows(
        this.#rowWriter,
        ANNOTATIONS,
        added.sort((a, b) => a.rowId - b.rowId),
      );
    }
    if (changed.length === 0) return;
    await this.#connection.run('DELETE FROM temp.annotation_changes');
    await appendRows(this.#changeWriter, ANNOTATIONS, changed);
    const parameters = new Parameters();
    for (const bound of minMax(changed.map(({ rowId }) => rowId))) parameters.bigint(bound);
    await this.#connection.run(UPDATE_ANNOTATIONS, parameters.values, parameters.types);
  }

  async #findStored(
    rows: readonly AnnotationRow[],
  ): Promise<Map<string, Pick<AnnotationRow, 'rowId' | 'createdAtMs'>>> {
    const targetRowIds = [...new Set(rows.map(({ targetRowId }) => targetRowId))];
    const [first, last] = minMax(targetRowIds);
    const parameters = new Parameters();
    const stored = await select(
      statementsOf(this.#connection),
      KEYED,
      `FROM store.annotations WHERE target_row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}
         AND ${parameters.bigintIn('target_row_id', targetRowIds)}
         AND ${parameters.textIn('name', [...new Set(rows.map(({ name }) => name))])}`,
      parameters,
    );
    return new Map(stored.map(({ rowId, createdAtMs, ...key }) => [rowKey(key), { rowId, createdAtMs }]));
  }

  async #writeWaiting(rows: readonly AnnotationRow[]): Promise<void> {
    const kept = new Map<number, AnnotationRow>();
    const replaced: number[] = [];
    for (const sent of rows) {
      const { row, replacedRowId } = this.#pending.put(sent);
      if (replacedRowId !== undefined && !kept.has(replacedRowId)) replaced.push(replacedRowId);
      kept.set(row.rowId, row);
    }
    await this.#deletePending(replaced);
    await appendRows(this.#pendingWriter, PENDING_ANNOTATIONS, [...kept.values()]);
  }

  async #annotated(
    rows: readonly AnnotationRow[],
  ): Promise<Pick<WrittenAnnotations, 'projectIds' | 'traceRowIds' | 'sessionRowIds'>> {
    const traceRowIds = new Set(rows.flatMap(({ traceRowId }) => (traceRowId === null ? [] : [traceRowId])));
    const ofSessions = rows.filter(({ target }) => target === 'session');
    const sessionRowIds = new Set(ofSessions.map(({ targetRowId }) => targetRowId));
    if (traceRowIds.size > 0) {
      const parameters = new Parameters();
      const found = await queryRows(
        this.#connection,
        `SELECT DISTINCT session_row_id FROM store.traces
         WHERE session_row_id IS NOT NULL AND ${rowIdIn(parameters, 'row_id', [...traceRowIds])}`,
        parameters,
      );
      for (const [rowId] of found) sessionRowIds.add(Number(rowId));
    }
    return { projectIds: new Set(rows.map(({ projectId }) => projectId)), traceRowIds, sessionRowIds };
  }

  /** Uses the time of the records instead of the clock, so that a replay drops the same annotations. */
  async #dropExpired(records: readonly AnnotationRecord[]): Promise<number> {
    const nowMs = records.at(-1)?.receivedAtMs;
    const rowIds = nowMs === undefined ? [] : this.#pending.dropExpired(nowMs);
    await this.#deletePending(rowIds);
    return rowIds.length;
  }

  async #deletePending(rowIds: readonly number[]): Promise<void> {
    if (rowIds.length === 0) return;
    const parameters = new Parameters();
    await queryRows(
      this.#connection,
      `DELETE FROM store.pending_annotations WHERE ${parameters.bigintIn('row_id', rowIds)}`,
      parameters,
    );
  }
}

interface RecordRows {
  readonly rows: readonly AnnotationRow[];
  readonly isWhole: boolean;
  /** Row id of the newest span when the record arrived. */
  readonly spanRowId: number;
}

/** Every annotation gets a row id, even if it is dropped, so that row ids depend only on the order of the records. */
function toRecordRows(firstRowId: number, arrived: ArrivedTargets): (record: AnnotationRecord) => RecordRows {
  let rowId = firstRowId;
  return (record) => ({
    rows: record.annotations.map((annotation) => toRow(annotation, record, rowId++)),
    isWhole: record.isWhole,
    spanRowId: arrived.rowIdAfter(record.spanCountBefore ?? Number.POSITIVE_INFINITY),
  });
}

const toRow = (
  annotation: NewAnnotation,
  { target, source, userId, position, receivedAtMs }: AnnotationRecord,
  rowId: number,
): AnnotationRow => ({
  ...annotation,
  rowId,
  target,
  targetRowId: 0,
  traceRowId: null,
  projectId: 0,
  source,
  userId,
  createdAtMs: receivedAtMs,
  updatedAtMs: receivedAtMs,
  position,
});

const rowKey = (row: Pick<AnnotationRow, 'targetRowId'> & KeyParts): string => `${row.targetRowId} ${keyOf(row)}`;

/** The later of two annotations with one key replaces the earlier, and keeps its row id and creation time. */
function putInto(writes: Map<string, AnnotationRow>, row: AnnotationRow): void {
  const key = rowKey(row);
  const previous = writes.get(key);
  writes.set(key, previous ? { ...row, rowId: previous.rowId, createdAtMs: previous.createdAtMs } : row);
}
