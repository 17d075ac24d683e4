import { join } from 'node:path';
import { SpandrelError } from '../../model/errors.ts';
import { STORE_CHECKPOINT_IDLE_MS } from '../../model/limits/span-store.ts';
import type { StoreRowIds } from '../../model/spans/store-row-ids.ts';
import { freeTexts, textBytes } from '../../columns/column-texts.ts';
import type { SpanColumns } from '../../columns/span-columns.ts';
import { BlockFilters } from '../cache/block-filters.ts';
import { RangeAggregates } from '../cache/range-aggregates.ts';
import { RecentSpans } from '../cache/recent-spans.ts';
import { TraceBlocks } from '../cache/trace-blocks.ts';
import type { AnnotationRecord } from '../contract/annotations.ts';
import type { CostChange } from '../contract/cost-change.ts';
import type { MetadataRowIds, SpanStoreStats } from '../contract/span-store.ts';
import type { StoreChange } from '../contract/store-changes.ts';
import type { AppendResult, Deletion, Transfer } from '../contract/writer.ts';
import { copyDatabase } from '../duckdb/copy-database.ts';
import { readMetadataRowIds } from '../duckdb/metadata-row-ids.ts';
import { type Database, type DatabaseOptions, openDatabase, recordRowIds } from '../duckdb/open-database.ts';
import type { NextRowIds } from '../duckdb/position.ts';
import { BACKUP_FILE, DATABASE_FILE } from '../duckdb/store-files.ts';
import type { ReadCaches, ReadContext } from '../read/read-context.ts';
import { makeBlockFilter, storeBlockFilter } from '../write/block-filters.ts';
import type { DeletedCounts } from '../write/delete/delete-spans.ts';
import type { ProjectNames } from '../write/project-ids.ts';
import { StoreWriter } from '../write/store-writer.ts';
import { readBlockBytes, readStats } from './read-stats.ts';
import { Readers } from './readers.ts';
import type { StoreCheckpoint } from './span-store-options.ts';
import { UncheckpointedData } from './uncheckpointed-data.ts';

export interface StoreEngineOptions extends DatabaseOptions {
  /** Rows of a block of spans, and of a block of traces. Each has its own default. */
  readonly blockRowCount?: number | undefined;
  readonly recentSpanBytes: number;
  readonly rangeSumBytes: number;
  readonly blockFilterBytes: number;
  /** Bytes of text after which the store makes a checkpoint. */
  readonly checkpointBytes: number;
  readonly projects: ProjectNames;
  readonly onCheckpoint: (seconds: number, checkpoint: StoreCheckpoint) => void;
  /** Receives the changeset of each commit. Undefined means that anything may have changed. */
  readonly onChange: (change: StoreChange | undefined) => void;
  readonly onDelete: (deleted: DeletedCounts & { readonly what: Deletion['what']; readonly ms: number }) => void;
  /** Called after a deletion, when a checkpoint has freed disk space. */
  readonly onSpaceFreed: (freed: {
    readonly spanCount: number;
    readonly bytesBefore: number;
    readonly bytesAfter: number;
  }) => void;
  /** The filter of a block could not be built, so searches scan the block. */
  readonly onFilterFailed: (error: Error) => void;
  /** The database has become unusable. The engine must be abandoned and opened again. */
  readonly onFatal: (error: Error) => void;
}

/** The open database: one writer with a queue of writes and checkpoints, and a connection for every concurrent read. */
export class StoreEngine {
  readonly #options: StoreEngineOptions;
  readonly #database: Database;
  readonly #writer: StoreWriter;
  readonly #blocks: BlockFilters;
  readonly #readers: Readers;
  #writes: Promise<unknown> = Promise.resolve();
  #checkpointedPosition: number;
  readonly #uncheckpointed: UncheckpointedData;
  #idleTimer: NodeJS.Timeout | undefined;
  #indexing: Promise<void> | undefined;
  #isClosing = false;
  #isClosed = false;

  private constructor(
    options: StoreEngineOptions,
    database: Database,
    writer: StoreWriter,
    caches: Required<ReadCaches>,
  ) {
    this.#options = options;
    this.#database = database;
    this.#writer = writer;
    this.#readers = new Readers(() => database.instance.connect(), caches);
    this.#blocks = caches.blocks;
    this.#checkpointedPosition = writer.appliedPosition;
    this.#uncheckpointed = new UncheckpointedData(options.dir, options.checkpointBytes);
    this.#indexBlocks();
  }

  static async open(options: StoreEngineOptions): Promise<StoreEngine> {
    return openDatabase(options, async (database) => {
      const recent = new RecentSpans(options.recentSpanBytes);
      const aggregates = new RangeAggregates(options.rangeSumBytes);
      const blocks = new BlockFilters(options.blockRowCount, options.blockFilterBytes);
      const caches = { recent, aggregates, blocks, traceBlocks: new TraceBlocks(options.blockRowCount) };
      const writer = await StoreWriter.open(database.writer, options.projects, caches);
      return new StoreEngine(options, database, writer, caches);
    });
  }

  get appliedPosition(): number {
    return this.#writer.appliedPosition;
  }

  get checkpointedPosition(): number {
    return this.#checkpointedPosition;
  }

  append(batch: SpanColumns, position: number, annotations?: readonly AnnotationRecord[]): Promise<AppendResult> {
    return this.#write(async () => {
      const byteCount = textBytes(batch);
      const { annotationCount, ...result } = await this.#writer
        .append(batch, position, annotations)
        .finally(() => freeTexts(batch));
      this.#uncheckpointed.rowCount += result.appendedCount + annotationCount;
      if (result.appendedCount + annotationCount === 0) return result;
      this.#uncheckpointed.bytes += byteCount;
      this.#indexBlocks();
      this.#options.onChange(this.#writer.lastChange);
      return result;
    });
  }

  delete(deletion: Deletion, position: number): Promise<void> {
    return this.#write(async () => {
      const startedAt = performance.now();
      const counts = await this.#writer.delete(deletion, position);
      if (!counts) return;
      this.#uncheckpointed.rowCount += counts.spanCount;
      this.#uncheckpointed.deletedSpanCount += counts.spanCount;
      this.#options.onChange(undefined);
      this.#options.onDelete({ what: deletion.what, ...counts, ms: Math.round(performance.now() - startedAt) });
    });
  }

  transfer(transfer: Transfer, position: number): Promise<void> {
    return this.#write(async () => {
      await this.#writer.transfer(transfer, position);
      this.#options.onChange(undefined);
    });
  }

  changeCosts(change: CostChange, position: number): Promise<void> {
    return this.#write(async () => {
      const rowCount = await this.#writer.changeCosts(change, position);
      this.#uncheckpointed.rowCount += rowCount;
      if (rowCount > 0) this.#options.onChange(undefined);
    });
  }

  get newestSpanRowId(): number {
    return this.#writer.nextRowIds.span - 1;
  }

  get priceDigest(): string {
    return this.#writer.priceDigest;
  }

  metadataRowIds(): Promise<MetadataRowIds> {
    return this.read((context) => context.read((connection) => readMetadataRowIds(connection)));
  }

  skipRowIds(lastRowIds: Partial<StoreRowIds>): Promise<void> {
    return this.#enqueueWrite(async () => this.#writer.skipRowIds(lastRowIds));
  }

  advance(position: number): Promise<void> {
    return this.#write(() => this.#writer.advance(position));
  }

  /** @throws {SpandrelError} `DISK_FULL`. Then nothing has changed, and the checkpoint is retried. */
  checkpoint(): Promise<void> {
    return this.#enqueueWrite(() => this.#checkpointNow());
  }

  /** Copies the database as of a checkpoint made now to the backup file, from which a damaged one is replaced. */
  backUp(): Promise<void> {
    return this.#enqueueWrite(async () => {
      await this.#checkpointNow();
      const { dir } = this.#options;
      await copyDatabase(join(dir, DATABASE_FILE), join(dir, BACKUP_FILE));
    });
  }

  /** Runs a read concurrently with others. `onStart` receives its context, which can cancel it. */
  async read<Result>(
    read: (context: ReadContext) => Promise<Result>,
    onStart?: (context: ReadContext) => void,
  ): Promise<Result> {
    try {
      const { span, session } = this.#writer.nextRowIds;
      return await this.#readers.read({ span: span - 1, session: session - 1 }, read, onStart);
    } catch (error) {
      this.#checkFatal(error);
      throw error;
    }
  }

  stats(): Promise<SpanStoreStats> {
    return this.read((context) =>
      context.read(async (connection) => {
        const unindexedBlockCount = this.#blocks.missingCount;
        return { ...(await readStats(connection, this.#options.dir)), unindexedBlockCount };
      }),
    );
  }

  /**
   * Builds the missing filters of full blocks, one at a time between two writes. Under load the filters fall behind, and they
   * catch up when there are fewer writes.
   */
  #indexBlocks(): void {
    this.#indexing ??= this.#indexMissing()
      .catch((error: Error) => {
        // The store is being closed, so the read was cancelled or rejected.
        if (!(error instanceof SpandrelError)) this.#options.onFilterFailed(error);
      })
      .finally(() => {
        this.#indexing = undefined;
      });
  }

  async #indexMissing(): Promise<void> {
    while (!this.#isClosing) {
      const block = this.#blocks.firstMissing;
      if (block === undefined) return;
      const rows = this.#blocks.rowsOf(block);
      const filter = await this.read((context) => makeBlockFilter(context, rows));
      await this.#enqueueWrite(async () => {
        await storeBlockFilter(this.#database.writer, this.#blocks, filter);
        this.#scheduleCheckpoint();
      });
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    this.#isClosing = true;
    this.#readers.cancel();
    try {
      await this.#indexing;
      // The journal holds all data that the file lacks.
      await this.checkpoint().catch((error: Error) => {
        if (!isDiskFull(error)) throw error;
      });
    } finally {
      this.#isClosed = true;
      await this.#readers.end();
      this.#readers.close();
      this.#database.writer.closeSync();
      this.#database.instance.closeSync();
    }
  }

  /**
   * Rejects further calls, and resolves when no statement runs any more. Must be called before an error ends the thread: a
   * thread that ends during a statement ends the whole process.
   */
  async abandon(): Promise<void> {
    clearTimeout(this.#idleTimer);
    this.#isClosed = true;
    await this.#readers.end();
    await this.#writes;
  }

  #write<Result>(write: () => Promise<Result>): Promise<Result> {
    return this.#enqueueWrite(async () => {
      if (this.#uncheckpointed.isOverdue) this.#uncheckpointed.expectSpace();
      const before = this.#writer.appliedPosition;
      const result = await write();
      if (this.#writer.appliedPosition !== before) this.#scheduleCheckpoint();
      return result;
    });
  }

  /** Starts a checkpoint if enough data or time has accumulated; otherwise when no write arrives for a while. */
  #scheduleCheckpoint(): void {
    this.#uncheckpointed.hasChanges = true;
    clearTimeout(this.#idleTimer);
    const run = () =>
      this.checkpoint().catch((error: Error) => {
        if (!isDiskFull(error)) this.#options.onFatal(error);
        else if (!this.#isClosed) this.#idleTimer = setTimeout(run, STORE_CHECKPOINT_IDLE_MS);
      });
    if (this.#uncheckpointed.isDue) void run();
    else this.#idleTimer = setTimeout(run, STORE_CHECKPOINT_IDLE_MS);
  }

  async #checkpointNow(): Promise<void> {
    if (!this.#uncheckpointed.hasChanges) return;
    clearTimeout(this.#idleTimer);
    this.#uncheckpointed.expectSpace();
    const startedAt = performance.now();
    const position = this.#writer.appliedPosition;
    const { nextRowIds } = this.#writer;
    recordRowIds(this.#options.dir, nextRowIds);
    const spanCount = this.#uncheckpointed.deletedSpanCount;
    const bytesBefore = spanCount > 0 ? await this.#usedBytes() : 0;
    // FORCE waits. Without it, a checkpoint fails while older reads run, because DuckDB keeps committed transactions until
    // all reads that began before them have ended. Reads continue during the checkpoint.
    await this.#database.writer.run('FORCE CHECKPOINT store');
    this.#checkpointedPosition = position;
    this.#uncheckpointed.reset();
    if (spanCount > 0) this.#options.onSpaceFreed({ spanCount, bytesBefore, bytesAfter: await this.#usedBytes() });
    this.#options.onCheckpoint((performance.now() - startedAt) / 1000, { position, rowIds: lastRowIds(nextRowIds) });
  }

  /** Bytes of the file in use. Further blocks are free for later data. */
  async #usedBytes(): Promise<number> {
    return (await readBlockBytes(this.#database.writer)).usedBytes;
  }

  #enqueueWrite<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.#writes.then(async () => {
      if (this.#isClosed) throw new SpandrelError('STORE_UNAVAILABLE', 'the span store is closed');
      try {
        return await run();
      } catch (error) {
        this.#checkFatal(error);
        throw error;
      }
    });
    this.#writes = result.catch(() => undefined);
    return result;
  }

  /** After some errors, such as a failed checkpoint, DuckDB rejects every further statement. */
  #checkFatal(error: unknown): void {
    if (error instanceof Error && /^(FATAL|INTERNAL) Error|database has been invalidated/.test(error.message)) {
      this.#options.onFatal(error);
    }
  }
}

const lastRowIds = ({ span, trace, session, annotation }: NextRowIds): StoreRowIds => ({
  span: span - 1,
  trace: trace - 1,
  session: session - 1,
  annotation: annotation - 1,
});

const isDiskFull = (error: unknown): boolean => error instanceof SpandrelError && error.code === 'DISK_FULL';
