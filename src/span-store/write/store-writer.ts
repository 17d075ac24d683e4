// biome-ignore-all lint/style/noNonNullAssertion: columns have an entry for each kept row.
import type { PricedModel } from '../../model/models/generative-model.ts';
import { PriceTable } from '../../model/models/price-table.ts';
import type { StoreRowIds } from '../../model/spans/store-row-ids.ts';
import type { SpanColumns } from '../../columns/span-columns.ts';
import type { BlockFilters } from '../cache/block-filters.ts';
import { KnownSessions } from '../cache/known-sessions.ts';
import { KnownTraces, wordsOf } from '../cache/known-traces.ts';
import type { RangeAggregates } from '../cache/range-aggregates.ts';
import type { RecentSpans } from '../cache/recent-spans.ts';
import { type RowSelection, selectedRow } from '../cache/row-selection.ts';
import type { TraceBlocks } from '../cache/trace-blocks.ts';
import type { AnnotationRecord } from '../contract/annotations.ts';
import { type CostChange, digestOfPrices } from '../contract/cost-change.ts';
import type { StoreChange } from '../contract/store-changes.ts';
import type { AppendResult, Deletion, Transfer } from '../contract/writer.ts';
import { ChunkWriter } from '../duckdb/chunk-writer.ts';
import { writeCostDetails } from '../duckdb/cost-details.ts';
import { type NextRowIds, readPosition, writePosition } from '../duckdb/position.ts';
import { COST_CHANGE_TABLE, COST_DETAIL_TABLE, LONG_TEXT_TABLE, SPAN_TABLE } from '../duckdb/schema.ts';
import type { Connection } from '../duckdb/sql.ts';
import { AnnotationWriter } from './annotations/annotation-writer.ts';
import { ArrivedTargets } from './annotations/arrived-targets.ts';
import { appendDeltas } from './append/append-deltas.ts';
import { appendSpans } from './append/append-spans.ts';
import { loadKnownSessions, loadKnownTraces } from './append/load-known-rows.ts';
import { type AppendPlan, planAppend } from './append/plan-append.ts';
import { RollupWriter } from './append/rollup-writer.ts';
import { withWellFormedTexts } from './append/well-formed-texts.ts';
import { loadBlockFilters } from './block-filters.ts';
import { toStoreChange } from './changeset.ts';
import { type DeletedCounts, deleteSpans } from './delete/delete-spans.ts';
import { transferTraces } from './delete/transfer-traces.ts';
import { ProjectIds, type ProjectNames } from './project-ids.ts';
import { readPrices, recomputeCosts, writePrices } from './reprice/recompute-costs.ts';

/** Caches of reads, which the writer updates after each commit. */
export interface WriterCaches {
  readonly recent: RecentSpans;
  readonly blocks: BlockFilters;
  readonly traceBlocks: TraceBlocks;
  readonly aggregates: RangeAggregates;
}

export interface WriteResult extends AppendResult {
  /** Number of stored annotations, including those that wait for their target. */
  readonly annotationCount: number;
}

/**
 * The only writer of the store, which runs one call at a time. Its memory changes only after a commit, so a failed call
 * changes neither the database nor the memory.
 */
export class StoreWriter {
  readonly #connection: Connection;
  readonly #projects: ProjectNames;
  readonly #projectIds: ProjectIds;
  readonly #recent: RecentSpans;
  readonly #aggregates: RangeAggregates;
  readonly #blocks: BlockFilters;
  readonly #traces: KnownTraces;
  readonly #sessions = new KnownSessions();
  readonly #spanWriter: ChunkWriter;
  readonly #longTextWriter: ChunkWriter;
  readonly #costDetailWriter: ChunkWriter;
  readonly #costChangeWriter: ChunkWriter;
  readonly #rollupWriter: RollupWriter;
  readonly #annotations: AnnotationWriter;
  #prices = new PriceTable([]);
  #priceDigest = '';
  #applied = 0;
  #lastChange: StoreChange = { projectIds: [] };
  #nextRowIds: NextRowIds = { span: 1, trace: 1, session: 1, annotation: 1 };

  private constructor(
    connection: Connection,
    projects: ProjectNames,
    { recent, aggregates, blocks, traceBlocks }: WriterCaches,
  ) {
    this.#connection = connection;
    this.#projects = projects;
    this.#projectIds = new ProjectIds(projects);
    this.#recent = recent;
    this.#aggregates = aggregates;
    this.#blocks = blocks;
    this.#traces = new KnownTraces(traceBlocks);
    this.#spanWriter = new ChunkWriter(connection, 'store', 'spans', SPAN_TABLE);
    this.#longTextWriter = new ChunkWriter(connection, 'store', 'long_texts', LONG_TEXT_TABLE);
    this.#costDetailWriter = new ChunkWriter(connection, 'store', 'cost_details', COST_DETAIL_TABLE);
    this.#costChangeWriter = new ChunkWriter(connection, 'temp', 'cost_changes', COST_CHANGE_TABLE);
    this.#rollupWriter = new RollupWriter(connection);
    this.#annotations = new AnnotationWriter(connection);
  }

  static async open(connection: Connection, projects: ProjectNames, caches: WriterCaches): Promise<StoreWriter> {
    const writer = new StoreWriter(connection, projects, caches);
    const { applied, nextRowIds } = await readPosition(connection);
    writer.#applied = applied;
    writer.#nextRowIds = nextRowIds;
    caches.aggregates.advance(writer.appliedPosition);
    await loadBlockFilters(connection, caches.blocks, writer.#nextRowIds.span);
    writer.#setPrices(await readPrices(connection));
    await loadKnownTraces(connection, writer.#traces);
    await loadKnownSessions(connection, writer.#sessions);
    await writer.#annotations.prepare();
    return writer;
  }

  /** Takes effect at once and becomes durable with the next commit. */
  skipRowIds(last: Partial<StoreRowIds>): void {
    const { span, trace, session, annotation } = this.#nextRowIds;
    const after = (next: number, lastRowId = 0) => Math.max(next, lastRowId + 1);
    this.#nextRowIds = {
      span: after(span, last.span),
      trace: after(trace, last.trace),
      session: after(session, last.session),
      annotation: after(annotation, last.annotation),
    };
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
      projectIds: (names) => this.#projectIds.find(names, position),
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
      await this.#rollupWriter.write(plan);
      const annotations = await this.#annotations.write({
        records,
        arrived: new ArrivedTargets(batch, plan, this.#nextRowIds.span),
        nextRowId: this.#nextRowIds.annotation,
      });
      await writePosition(this.#connection, { applied: position, nextRowIds: nextRowIds });
      return annotations;
    });
    this.#aggregates.advance(position, appendDeltas(batch, plan));
    this.#recent.add(batch, plan, this.#nextRowIds.span);
    this.#blocks.addRows(this.#nextRowIds.span, keptStarts(batch, plan.kept));
    this.#remember(batch, plan);
    this.#applied = position;
    this.#nextRowIds = nextRowIds;
    this.#lastChange = toStoreChange(plan, written);
    return {
      appendedCount: plan.kept.count,
      duplicateCount: batch.rowCount - plan.kept.count,
      differingCount: plan.differingCount,
      droppedAnnotationCount: written.droppedCount,
      annotationCount: written.rowCount,
    };
  }

  /** Undefined if the deletion had already been applied. */
  async delete(deletion: Deletion, position: number): Promise<DeletedCounts | undefined> {
    if (position <= this.#applied) return undefined;
    const { lastRowId, ...counts } = await this.#inTransaction(async () => {
      const deleted = await deleteSpans(this.#connection, deletion, position);
      // Before the commit, because a committed deletion is not retried.
      if (deletion.what === 'project') {
        await this.#projects.remove({ rowId: deletion.projectId, name: deletion.name }, position);
      }
      await writePosition(this.#connection, { applied: position, nextRowIds: this.#nextRowIds });
      return deleted;
    });
    if (counts.spanCount + counts.traceCount > 0) this.#aggregates.invalidate(position);
    else this.#aggregates.advance(position);
    // A deletion of annotations does not change traces and sessions.
    if (counts.spanCount + counts.traceCount + counts.sessionCount > 0) {
      this.#recent.evict(lastRowId);
      this.#traces.evictRows();
      this.#sessions.evictRows();
    }
    if (deletion.what === 'project') this.#projectIds.evict(deletion.projectId);
    this.#applied = position;
    return counts;
  }

  async transfer(transfer: Transfer, position: number): Promise<void> {
    if (position <= this.#applied) return;
    const lastRowId = await this.#inTransaction(async () => {
      const last = await transferTraces(this.#connection, transfer, position);
      await writePosition(this.#connection, { applied: position, nextRowIds: this.#nextRowIds });
      return last;
    });
    this.#aggregates.invalidate(position);
    this.#recent.evict(lastRowId);
    this.#traces.evictRows();
    this.#applied = position;
  }

  /** Returns the number of repriced spans. */
  async changeCosts(change: CostChange, position: number): Promise<number> {
    if (position <= this.#applied) return 0;
    const writers = { changes: this.#costChangeWriter, details: this.#costDetailWriter };
    const rowCount = await this.#inTransaction(async () => {
      const count =
        change.what === 'recompute' ? await recomputeCosts(this.#connection, writers, this.#prices, change) : 0;
      if (change.what === 'prices') await writePrices(this.#connection, change.models);
      await writePosition(this.#connection, { applied: position, nextRowIds: this.#nextRowIds });
      return count;
    });
    if (rowCount > 0) this.#aggregates.invalidate(position);
    else this.#aggregates.advance(position);
    if (change.what === 'prices') this.#setPrices(change.models);
    if (rowCount > 0) {
      this.#recent.evict();
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
    await this.#inTransaction(() =>
      writePosition(this.#connection, { applied: position, nextRowIds: this.#nextRowIds }),
    );
    this.#aggregates.advance(position);
    this.#applied = position;
  }

  async #writeCostDetails({ costs, kept, traceOfRow }: AppendPlan): Promise<void> {
    const stored = costs.flatMap((cost, at) => {
      if (!cost) return [];
      const traceRowId = traceOfRow(selectedRow(kept, at)).rowId;
      return { spanRowId: this.#nextRowIds.span + at, traceRowId, cost };
    });
    if (stored.length > 0) await writeCostDetails(this.#costDetailWriter, stored);
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

  async #inTransaction<Result>(write: () => Promise<Result>): Promise<Result> {
    await this.#connection.run('BEGIN');
    try {
      const result = await write();
      await this.#connection.run('COMMIT');
      return result;
    } catch (error) {
      for (const writer of [this.#spanWriter, this.#longTextWriter, this.#costDetailWriter, this.#costChangeWriter]) {
        writer.discard();
      }
      this.#rollupWriter.discard();
      this.#annotations.discard();
      // A failed commit has already ended the transaction.
      await this.#connection.run('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }
}

const keptStarts = ({ startTimeUnixNano }: SpanColumns, kept: RowSelection): bigint[] =>
  Array.from({ length: kept.count }, (_, at) => startTimeUnixNano[selectedRow(kept, at)]!);
