import type { PricedModel } from '../../model/generative-model.ts';
import { CHANGED_ROW_COUNT_MAX } from '../../model/limits.ts';
import { PriceTable } from '../../model/price-table.ts';
import type { SpanColumns } from '../../columns/span-columns.ts';
import type { BlockFilters } from '../cache/block-filters.ts';
import { type KeptRows, keptRow } from '../cache/kept-rows.ts';
import { KnownSessions } from '../cache/known-sessions.ts';
import { KnownTraces, wordsOf } from '../cache/known-traces.ts';
import type { RangeSums } from '../cache/range-aggregates.ts';
import type { RecentSpans } from '../cache/recent-spans.ts';
import type { TraceBlocks } from '../cache/trace-blocks.ts';
import type { AnnotationRecord } from '../contract/annotations.ts';
import { type CostChange, digestOfPrices } from '../contract/cost-change.ts';
import type { StoreChange } from '../contract/store-changes.ts';
import type { AppendResult, Deletion, Transfer } from '../contract/writer.ts';
import { ChunkWriter } from '../duckdb/chunk-writer.ts';
import { writeCostDetails } from '../duckdb/cost-details.ts';
import { appendRows } from '../duckdb/define-table.ts';
import type { NextRowIds } from '../duckdb/open-database.ts';
import { COST_CHANGE_TABLE, COST_DETAIL_TABLE, LONG_TEXT_TABLE, SPAN_TABLE } from '../duckdb/schema.ts';
import type { SessionRow } from '../duckdb/session-rows.ts';
import { SESSIONS, UPDATE_SESSIONS } from '../duckdb/session-rows.ts';
import type { Connection } from '../duckdb/sql.ts';
import { Parameters, queryRows } from '../duckdb/sql.ts';
import type { TraceRow } from '../duckdb/trace-rows.ts';
import { TRACES, UPDATE_TRACES } from '../duckdb/trace-rows.ts';
import { AnnotationWriter, type WrittenAnnotations } from './annotations/annotation-writer.ts';
import { ArrivedTargets } from './annotations/arrived-targets.ts';
import { appendDeltas } from './append/append-deltas.ts';
import { appendSpans } from './append/append-spans.ts';
import { loadKnownSessions, loadKnownTraces } from './append/load-known-rows.ts';
import { type AppendPlan, planAppend } from './append/plan-append.ts';
import { withWellFormedTexts } from './append/well-formed-texts.ts';
import { loadBlockFilters } from './block-filters.ts';
import { type DeletedCounts, deleteSpans } from './delete/delete-spans.ts';
import { transferTraces } from './delete/transfer-traces.ts';
import { readPrices, recomputeCosts, writePrices } from './reprice/recompute-costs.ts';

/** Where projects have their names. `position` is that of the journal at which they are asked for, or deleted. */
export interface ProjectNames {
  resolve(names: readonly string[], position: number): Promise<ReadonlyMap<string, number>>;
  /** The project is deleted with what it holds. Called again when the store's commit fails, or is lost in a crash. */
  remove(project: { readonly rowId: number; readonly name: string }, position: number): Promise<void>;
}

/** What makes reads quicker, and is told what is committed from now on. */
export interface WriterAids {
  readonly recent: RecentSpans;
  readonly blocks: BlockFilters;
  readonly traceBlocks: TraceBlocks;
  readonly sums: RangeSums;
}

export interface WriteResult extends AppendResult {
  /** Annotations stored, those that wait for their target among them. */
  readonly annotationCount: number;
}

/** Row ids of projects that are remembered by name. */
const PROJECT_COUNT_MAX = 10_000;

/**
 * The only writer of the store, one call at a time. What it remembers of stored rows changes only after a commit, so a
 * call that fails leaves nothing behind, neither in the file nor here.
 */
export class SpanWriter {
  readonly #connection: Connection;
  readonly #projects: ProjectNames;
  readonly #recent: RecentSpans;
  readonly #sums: RangeSums;
  readonly #blocks: BlockFilters;
  readonly #traces: KnownTraces;
  readonly #sessions = new KnownSessions();
  readonly #projectIds = new Map<string, number>();
  readonly #spanWriter: ChunkWriter;
  readonly #longTextWriter: ChunkWriter;
  readonly #costDetailWriter: ChunkWriter;
  readonly #costChangeWriter: ChunkWriter;
  readonly #traceWriter: ChunkWriter;
  readonly #sessionWriter: ChunkWriter;
  readonly #traceChangeWriter: ChunkWriter;
  readonly #sessionChangeWriter: ChunkWriter;
  readonly #annotations: AnnotationWriter;
  #prices = new PriceTable([]);
  #priceDigest = '';
  #applied = 0;
  #lastChange: StoreChange = { projectIds: [] };
  #nextRowIds: NextRowIds = { span: 1, trace: 1, session: 1, annotation: 1 };

  private constructor(
    connection: Connection,
    projects: ProjectNames,
    { recent, sums, blocks, traceBlocks }: WriterAids,
  ) {
    this.#connection = connection;
    this.#projects = projects;
    this.#recent = recent;
    this.#sums = sums;
    this.#blocks = blocks;
    this.#traces = new KnownTraces(traceBlocks);
    this.#spanWriter = new ChunkWriter(connection, 'store', 'spans', SPAN_TABLE);
    this.#longTextWriter = new ChunkWriter(connection, 'store', 'long_texts', LONG_TEXT_TABLE);
    this.#costDetailWriter = new ChunkWriter(connection, 'store', 'cost_details', COST_DETAIL_TABLE);
    this.#costChangeWriter = new ChunkWriter(connection, 'temp', 'cost_changes', COST_CHANGE_TABLE);
    this.#traceWriter = new ChunkWriter(connection, 'store', TRACES.name, TRACES.columns);
    this.#sessionWriter = new ChunkWriter(connection, 'store', SESSIONS.name, SESSIONS.columns);
    this.#traceChangeWriter = new ChunkWriter(connection, 'temp', 'trace_changes', TRACES.columns);
    this.#sessionChangeWriter = new ChunkWriter(connection, 'temp', 'session_changes', SESSIONS.columns);
    this.#annotations = new AnnotationWriter(connection);
  }

  static async open(connection: Connection, projects: ProjectNames, aids: WriterAids): Promise<SpanWriter> {
    const writer = new SpanWriter(connection, projects, aids);
    await writer.#readPosition();
    aids.sums.note(writer.appliedPosition);
    await loadBlockFilters(connection, aids.blocks, writer.#nextRowIds.span);
    writer.#setPrices(await readPrices(connection));
    await loadKnownTraces(connection, writer.#traces);
    await loadKnownSessions(connection, writer.#sessions);
    await writer.#annotations.prepare();
    return writer;
  }

  /** Takes effect at once and becomes durable with the next commit. */
  skipSpanRowIds(lastRowId: number): void {
    this.#nextRowIds = { ...this.#nextRowIds, span: Math.max(this.#nextRowIds.span, lastRowId + 1) };
  }

  get appliedPosition(): number {
    return this.#applied;
  }

  /** Changeset of the last append. */
  get lastChange(): StoreChange {
    return this.#lastChange;
  }

  /** `digestOfPrices` of the prices that new spans get. */
  get priceDigest(): string {
    return this.#priceDigest;
  }

  get nextRowIds(): NextRowIds {
    return this.#nextRowIds;
  }

  async append(sent: SpanColumns, position: number, records: readonly AnnotationRecord[] = []): Promise<WriteResult> {
    if (position <= this.#applied) {
      return { appendedCount: 0, duplicateCount: 0, differingCount: 0, droppedAnnotationCount: 0, annotationCount: 0 };
    }
    await this.#annotations.prepare();
    const batch = withWellFormedTexts(sent);
    const plan = await planAppend(batch, {
      connection: this.#connection,
      traces: this.#traces,
      sessions: this.#sessions,
      nextRowIds: this.#nextRowIds,
      projectIds: (names) => this.#findProjectIds(names, position),
      prices: this.#prices,
    });
    const nextRowIds = {
      ...plan.nextRowIds,
      annotation: records.reduce((next, { annotations }) => next + annotations.length, this.#nextRowIds.annotation),
    };
    const written = await this.#inTransaction(async () => {
      await appendSpans(
        this.#spanWriter,
        this.#longTextWriter,
        batch,
        plan.kept,
        plan.traceOfRow,
        this.#nextRowIds.span,
        plan.costs,
      );
      await this.#writeCostDetails(plan);
      await this.#writeRollups(plan);
      const annotations = await this.#annotations.write({
        records,
        arrived: new ArrivedTargets(batch, plan, this.#nextRowIds.span),
        nextRowId: this.#nextRowIds.annotation,
      });
      await this.#writePosition(position, nextRowIds);
      return annotations;
    });
    this.#sums.note(position, appendDeltas(batch, plan));
    this.#recent.add(batch, plan, this.#nextRowIds.span);
    this.#blocks.addRows(this.#nextRowIds.span, keptStarts(batch, plan.kept));
    this.#remember(batch, plan);
    this.#applied = position;
    this.#nextRowIds = nextRowIds;
    this.#lastChange = changeOf(plan, written);
    return {
      appendedCount: plan.kept.count,
      duplicateCount: batch.rowCount - plan.kept.count,
      differingCount: plan.differingCount,
      droppedAnnotationCount: written.droppedCount,
      annotationCount: written.rowCount,
    };
  }

  /** Undefined when it was applied before. */
  async delete(deletion: Deletion, position: number): Promise<DeletedCounts | undefined> {
    if (position <= this.#applied) return undefined;
    const { lastRowId, ...counts } = await this.#inTransaction(async () => {
      const deleted = await deleteSpans(this.#connection, deletion, position);
      // Before the commit: what is committed is not tried again.
      if (deletion.what === 'project') {
        await this.#projects.remove({ rowId: deletion.projectId, name: deletion.name }, position);
      }
      await this.#writePosition(position, this.#nextRowIds);
      return deleted;
    });
    if (counts.spanCount + counts.traceCount > 0) this.#sums.forget(position);
    else this.#sums.note(position);
    // A deletion of annotations alone leaves what is known of traces and sessions true.
    if (counts.spanCount + counts.traceCount + counts.sessionCount > 0) {
      this.#recent.forget(lastRowId);
      this.#traces.evictRows();
      this.#sessions.evictRows();
    }
    if (deletion.what === 'project') this.#forgetProject(deletion.projectId);
    this.#applied = position;
    return counts;
  }

  async transfer(transfer: Transfer, position: number): Promise<void> {
    if (position <= this.#applied) return;
    const lastRowId = await this.#inTransaction(async () => {
      const last = await transferTraces(this.#connection, transfer, position);
      await this.#writePosition(position, this.#nextRowIds);
      return last;
    });
    this.#sums.forget(position);
    this.#recent.forget(lastRowId);
    this.#traces.evictRows();
    this.#applied = position;
  }

  /** Returns how many spans were priced anew. */
  async changeCosts(change: CostChange, position: number): Promise<number> {
    if (position <= this.#applied) return 0;
    const writers = { changes: this.#costChangeWriter, details: this.#costDetailWriter };
    const rowCount = await this.#inTransaction(async () => {
      const count =
        change.what === 'recompute' ? await recomputeCosts(this.#connection, writers, this.#prices, change) : 0;
      if (change.what === 'prices') await writePrices(this.#connection, change.models);
      await this.#writePosition(position, this.#nextRowIds);
      return count;
    });
    if (rowCount > 0) this.#sums.forget(position);
    else this.#sums.note(position);
    if (change.what === 'prices') this.#setPrices(change.models);
    if (rowCount > 0) {
      this.#recent.forget();
      this.#traces.evictRows();
      this.#sessions.evictRows();
    }
    this.#applied = position;
    return rowCount;
  }

  #setPrices(models: string): void {
    this.#prices = new PriceTable(JSON.parse(models) as PricedModel[]);
    this.#priceDigest = digestOfPrices(models);
  }

  async advance(position: number): Promise<void> {
    if (position <= this.#applied) return;
    await this.#inTransaction(() => this.#writePosition(position, this.#nextRowIds));
    this.#sums.note(position);
    this.#applied = position;
  }

  /** Under every name: of long ones, several may be the same project's. */
  #forgetProject(projectId: number): void {
    for (const [name, id] of this.#projectIds) if (id === projectId) this.#projectIds.delete(name);
  }

  async #writeCostDetails({ costs, kept, traceOfRow }: AppendPlan): Promise<void> {
    const stored = costs.flatMap((cost, at) => {
      if (!cost) return [];
      const traceRowId = traceOfRow(kept.rows ? kept.rows[at]! : at).rowId;
      return { spanRowId: this.#nextRowIds.span + at, traceRowId, cost };
    });
    if (stored.length > 0) await writeCostDetails(this.#costDetailWriter, stored);
  }

  async #writeRollups(plan: AppendPlan): Promise<void> {
    if (plan.newTraces.length > 0) await appendRows(this.#traceWriter, TRACES, plan.newTraces);
    if (plan.changedTraces.length > 0) {
      await this.#connection.run('DELETE FROM temp.trace_changes');
      await appendRows(this.#traceChangeWriter, TRACES, plan.changedTraces);
      await this.#runOnRange(UPDATE_TRACES, plan.changedTraces);
    }
    if (plan.newSessions.length > 0) await appendRows(this.#sessionWriter, SESSIONS, plan.newSessions);
    if (plan.changedSessions.length > 0) {
      await this.#connection.run('DELETE FROM temp.session_changes');
      await appendRows(this.#sessionChangeWriter, SESSIONS, plan.changedSessions);
      await this.#runOnRange(UPDATE_SESSIONS, plan.changedSessions);
    }
  }

  async #runOnRange(sql: string, rows: readonly (TraceRow | SessionRow)[]): Promise<void> {
    const parameters = new Parameters();
    parameters.bigint(rows.reduce((least, { rowId }) => Math.min(least, rowId), Number.MAX_SAFE_INTEGER));
    parameters.bigint(rows.reduce((greatest, { rowId }) => Math.max(greatest, rowId), 0));
    await this.#connection.run(sql, parameters.values, parameters.types);
  }

  #remember(batch: SpanColumns, plan: AppendPlan): void {
    const { rows, count } = plan.kept;
    const spanIds = wordsOf(batch.spanId);
    const high = wordsOf(batch.traceIdHigh);
    const low = wordsOf(batch.traceIdLow);
    const firstRowId = this.#nextRowIds.span;
    for (let at = 0; at < count; at++) {
      const row = rows ? rows[at]! : at;
      const trace = plan.traceOfRow(row);
      this.#traces.addSpan(firstRowId + at, trace.rowId, spanIds, row);
      if (trace.firstSpanRowId === firstRowId + at) this.#traces.addId(high, low, row, trace.rowId);
    }
    for (const trace of plan.newTraces) this.#traces.setRecent(trace);
    for (const trace of plan.changedTraces) this.#traces.setRecent(trace);
    for (const session of plan.newSessions) this.#sessions.set(session, true);
    for (const session of plan.changedSessions) this.#sessions.set(session, false);
  }

  async #findProjectIds(names: readonly string[], position: number): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    const unknown: string[] = [];
    for (const name of names) {
      const id = this.#projectIds.get(name);
      if (id === undefined) unknown.push(name);
      else found.set(name, id);
    }
    if (unknown.length === 0) return found;
    const resolved = await this.#projects.resolve(unknown, position);
    if (this.#projectIds.size + resolved.size > PROJECT_COUNT_MAX) this.#projectIds.clear();
    for (const [name, id] of resolved) {
      found.set(name, id);
      this.#projectIds.set(name, id);
    }
    return found;
  }

  async #inTransaction<Result>(write: () => Promise<Result>): Promise<Result> {
    await this.#connection.run('BEGIN');
    try {
      const result = await write();
      await this.#connection.run('COMMIT');
      return result;
    } catch (error) {
      for (const writer of [
        this.#spanWriter,
        this.#longTextWriter,
        this.#costDetailWriter,
        this.#costChangeWriter,
        this.#traceWriter,
        this.#sessionWriter,
        this.#traceChangeWriter,
        this.#sessionChangeWriter,
      ]) {
        writer.discard();
      }
      this.#annotations.discard();
      // A commit that failed has ended the transaction already.
      await this.#connection.run('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  async #writePosition(position: number, next: NextRowIds): Promise<void> {
    const parameters = new Parameters();
    await queryRows(
      this.#connection,
      `UPDATE store.position SET applied = ${parameters.bigint(position)}, next_span_row_id = ${parameters.bigint(next.span)},
         next_trace_row_id = ${parameters.bigint(next.trace)}, next_session_row_id = ${parameters.bigint(next.session)},
         next_annotation_row_id = ${parameters.bigint(next.annotation)}`,
      parameters,
    );
  }

  async #readPosition(): Promise<void> {
    const [row] = await queryRows(
      this.#connection,
      'SELECT applied, next_span_row_id, next_trace_row_id, next_session_row_id, next_annotation_row_id FROM store.position',
    );
    if (!row) throw new Error('the span store has no position');
    const [applied, span, trace, session, annotation] = row.map(Number);
    this.#applied = applied!;
    this.#nextRowIds = { span: span!, trace: trace!, session: session!, annotation: annotation! };
  }
}

function changeOf({ newTraces, changedTraces }: AppendPlan, written: WrittenAnnotations): StoreChange {
  const traces = [...newTraces, ...changedTraces];
  return {
    projectIds: [...new Set([...traces.map(({ projectId }) => projectId), ...written.projectIds])],
    traceRowIds: toChangedRowIds([...traces.map(({ rowId }) => rowId), ...written.traceRowIds]),
    sessionRowIds: toChangedRowIds([...traces.map(({ sessionRowId }) => sessionRowId), ...written.sessionRowIds]),
  };
}

const keptStarts = ({ startTimeUnixNano }: SpanColumns, kept: KeptRows): bigint[] =>
  Array.from({ length: kept.count }, (_, at) => startTimeUnixNano[keptRow(kept, at)]!);

/** Returns undefined when there are too many row ids to list. */
export function toChangedRowIds(rowIds: Iterable<number | null>): ReadonlySet<number> | undefined {
  const found = new Set<number>();
  for (const rowId of rowIds) {
    if (rowId !== null) found.add(rowId);
    if (found.size > CHANGED_ROW_COUNT_MAX) return undefined;
  }
  return found;
}
