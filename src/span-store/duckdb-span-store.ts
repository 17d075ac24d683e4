import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Registry } from 'prom-client';
import type { Log } from '../base/log.ts';
import type { SpanColumns } from '../columns/span-columns.ts';
import { transferList } from '../columns/transfer-list.ts';
import type { Annotation } from '../model/annotation.ts';
import { SpandrelError } from '../model/errors.ts';
import {
  READ_CONCURRENCY,
  READ_DEADLINE_MS,
  READ_QUEUE_COUNT_MAX,
  SPAN_LINE_BYTES_MAX,
  STORE_MEMORY_BYTES_MAX,
  STORE_RESTART_MS_MAX,
  STORE_TEMP_BYTES_MAX,
} from '../model/limits.ts';
import type { Page } from '../model/page.ts';
import type { Session } from '../model/session.ts';
import type { Span, SpanBody, SpanInTrace, SpanRow, SpanSummary } from '../model/span.ts';
import type { Trace } from '../model/trace.ts';
import type {
  AnnotationFilter,
  AnnotationNameQuery,
  AnnotationQuery,
  AnnotationReader,
  AnnotationRecord,
  AnnotationSums,
  AnnotationSumsQuery,
  DocumentScores,
  DocumentScoresQuery,
  StoredTarget,
  WrittenQuery,
} from './annotation-queries.ts';
import { ChangeClock } from './change-clock.ts';
import type { CostChange } from './cost-change.ts';
import type { CostBin, CostOwners, Costs, CostsOfModel, CostsOfType, ModelCostQuery } from './cost-queries.ts';
import type {
  BinQuery,
  ErrorTypeCount,
  FacetQuery,
  LatencyBin,
  ProjectSums,
  QuantileQuery,
  RangeQuery,
  RootSpanListQuery,
  SessionDetails,
  SessionListPage,
  SessionListQuery,
  SessionSums,
  SpanBin,
  SpanFacets,
  SpanFileQuery,
  SpanListPage,
  SpanListQuery,
  TraceBin,
  TraceSums,
} from './list-queries.ts';
import { ReadQueue } from './read-queue.ts';
import { EXPORTS_DIR, type OpenSpanFile, openNameless, type SpanFile, writeWhole } from './span-file.ts';
import type {
  AppendResult,
  Deletion,
  ReadClass,
  ReadOptions,
  RowRef,
  SessionQuery,
  SpanQuery,
  SpanStore,
  SpanStoreStats,
  SpansOfTraceQuery,
  StoredSpanId,
  TraceQuery,
  Transfer,
} from './span-store.ts';
import { SpanStoreMetrics } from './span-store-metrics.ts';
import { type FromStoreThread, fromErrorMessage, type ToStoreThread, toErrorMessage } from './store-rpc.ts';

export interface SpanStoreOptions {
  /** Holds `spans.duckdb`; made when it does not exist. One process at a time may open it. */
  readonly dir: string;
  /**
   * Row ids of projects by name, at a position of the journal; creates those that do not exist. A rejection fails the
   * append, which may be retried.
   */
  readonly resolveProjects: (names: readonly string[], position: number) => Promise<ReadonlyMap<string, number>>;
  /** Called when the deletion of a project is applied, before its commit, so perhaps more than once. */
  readonly removeProject?: (
    project: { readonly rowId: number; readonly name: string },
    position: number,
  ) => Promise<void>;
  readonly log: Log;
  readonly registry?: Registry;
  /** Memory for DuckDB's buffers. Default: a quarter of the machine's, at most `STORE_MEMORY_BYTES_MAX`. */
  readonly memoryBytes?: number | undefined;
  /** Threads that DuckDB computes with. Default: as many as there are cores. */
  readonly threadCount?: number;
  /**
   * Reads running at once, all classes together. Each takes a thread of libuv's pool, which the journal's writes need
   * too: more than the default 2 wants a larger `UV_THREADPOOL_SIZE`, set before Node starts.
   */
  readonly concurrentReadCount?: number;
  /** Shorter deadlines, for tests. */
  readonly readDeadlineMs?: Partial<Record<ReadClass, number>>;
}

/** A span store that can also write a backup. */
export interface DuckdbSpanStore extends SpanStore {
  /**
   * Writes `spans.backup.duckdb` beside the database: a whole copy as of now, from which a damaged database is
   * replaced at start. Writes wait meanwhile, reads do not.
   */
  backUp(): Promise<void>;
}

/**
 * Opens the span store on DuckDB. The database lives in a thread of its own, which is started again when it dies; until
 * then every call rejects with `STORE_UNAVAILABLE`.
 *
 * @throws {SpandrelError} `STORE_UNAVAILABLE` when the database cannot be opened for a reason outside of it.
 */
export async function openSpanStore(options: SpanStoreOptions): Promise<DuckdbSpanStore> {
  const store = new StoreThreadClient(options);
  await store.start();
  return store;
}

/** Of libuv's 4 threads, so many are left to reads: one is for the writer, one for the journal. */
const CONCURRENT_READ_COUNT = 2;

interface Call {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

type State = 'opening' | 'open' | 'down' | 'closing' | 'closed';

class StoreThreadClient implements DuckdbSpanStore {
  readonly #options: SpanStoreOptions;
  readonly #metrics: SpanStoreMetrics | undefined;
  readonly #queue: ReadQueue;
  readonly #calls = new Map<number, Call>();
  readonly #changes = new ChangeClock();
  #nextId = 1;
  #worker: Worker | undefined;
  #state: State = 'opening';
  #restartTimer: NodeJS.Timeout | undefined;
  #restartMs = 100;
  /** After a restart the applied position is back at a checkpoint: writes wait until somebody has asked for it. */
  #mustAskPosition = false;

  constructor(options: SpanStoreOptions) {
    this.#options = options;
    this.#queue = new ReadQueue({
      concurrency: READ_CONCURRENCY,
      runningCountMax: options.concurrentReadCount ?? CONCURRENT_READ_COUNT,
      waitingCountMax: READ_QUEUE_COUNT_MAX,
    });
    this.#metrics = options.registry && new SpanStoreMetrics(options.registry, () => this.stats());
  }

  /** Starts the thread and waits until its database is open. */
  async start(): Promise<void> {
    const { dir, memoryBytes, threadCount } = this.#options;
    const worker = new Worker(new URL('./store-thread.js', import.meta.url), {
      name: 'span-store',
      workerData: {
        dir,
        memoryBytesMax: memoryBytes ?? Math.min(STORE_MEMORY_BYTES_MAX, Math.floor(totalmem() / 4)),
        tempBytesMax: STORE_TEMP_BYTES_MAX,
        threadCount: threadCount ?? cpus().length,
      },
    });
    await new Promise<void>((resolve, reject) => {
      worker.on('message', (message: FromStoreThread) => {
        if (message.type === 'opened') {
          this.#worker = worker;
          this.#state = 'open';
          this.#restartMs = 100;
          resolve();
        } else if (message.type === 'openFailed') {
          reject(fromErrorMessage(message.error));
        } else this.#receive(worker, message);
      });
      worker.on('error', (error) => this.#options.log.error({ error: error.message }, 'the store thread failed'));
      worker.on('exit', () => {
        reject(new SpandrelError('STORE_UNAVAILABLE', 'the store thread ended before its database was open'));
        if (this.#worker === worker) this.#onExit();
      });
    });
  }

  findSpans(query: SpanQuery, options?: ReadOptions): Promise<Page<Span>> {
    return this.#read('findSpans', query, options);
  }
  findTraces(query: TraceQuery, options?: ReadOptions): Promise<Page<Trace>> {
    return this.#read('findTraces', query, options);
  }
  findSpansOfTraces(rowIds: readonly number[], options?: ReadOptions): Promise<Map<number, SpanSummary[]>> {
    return this.#read('findSpansOfTraces', rowIds, options);
  }
  listSpansOfTrace(query: SpansOfTraceQuery, options?: ReadOptions): Promise<SpanInTrace[]> {
    return this.#read('listSpansOfTrace', query, options);
  }
  findSessions(query: SessionQuery, options?: ReadOptions): Promise<Page<Session>> {
    return this.#read('findSessions', query, options);
  }
  findSession(ref: RowRef, options?: ReadOptions): Promise<Session | undefined> {
    return this.#read('findSession', ref, options);
  }
  findTracesOfSessions(rowIds: readonly number[], options?: ReadOptions): Promise<Map<number, Trace[]>> {
    return this.#read('findTracesOfSessions', rowIds, options);
  }
  findSpanRowId(ref: RowRef, options?: ReadOptions): Promise<number | undefined> {
    return this.#read('findSpanRowId', ref, options);
  }
  findTraceRowId(ref: RowRef, options?: ReadOptions): Promise<number | undefined> {
    return this.#read('findTraceRowId', ref, options);
  }
  findTraceRowIds(traceIds: readonly string[], options?: ReadOptions): Promise<Map<string, number>> {
    return this.#read('findTraceRowIds', traceIds, options);
  }
  findStoredSpanIds(spanIds: readonly string[], options?: ReadOptions): Promise<StoredSpanId[]> {
    return this.#read('findStoredSpanIds', spanIds, options);
  }
  findAnnotations(query: AnnotationQuery, options?: ReadOptions): Promise<Page<Annotation>> {
    return this.#read('findAnnotations', query, options);
  }
  findAnnotationsByRowIds(rowIds: readonly number[], options?: ReadOptions): Promise<Map<number, Annotation>> {
    return this.#read('findAnnotationsByRowIds', rowIds, options);
  }
  findAnnotationsOfTargets(
    query: Parameters<AnnotationReader['findAnnotationsOfTargets']>[0],
    options?: ReadOptions,
  ): Promise<Map<number, Annotation[]>> {
    return this.#read('findAnnotationsOfTargets', query, options);
  }
  findWrittenAnnotations(query: WrittenQuery, options?: ReadOptions): Promise<(number | undefined)[]> {
    return this.#read('findWrittenAnnotations', query, options);
  }
  countAnnotations(query: AnnotationNameQuery, options?: ReadOptions): Promise<Map<string, number>> {
    return this.#read('countAnnotations', query, options);
  }
  countMatchingAnnotations(filter: AnnotationFilter, options?: ReadOptions): Promise<number> {
    return this.#read('countMatchingAnnotations', filter, options);
  }
  sumUpAnnotations(query: AnnotationSumsQuery, options?: ReadOptions): Promise<AnnotationSums[]> {
    return this.#read('sumUpAnnotations', query, options);
  }
  findDocumentScores(query: DocumentScoresQuery, options?: ReadOptions): Promise<DocumentScores[]> {
    return this.#read('findDocumentScores', query, options);
  }
  findTargets(
    query: Parameters<AnnotationReader['findTargets']>[0],
    options?: ReadOptions,
  ): Promise<Map<string, StoredTarget>> {
    return this.#read('findTargets', query, options);
  }
  listSpans(query: SpanListQuery, options?: ReadOptions): Promise<SpanListPage> {
    return this.#read('listSpans', query, options);
  }
  listRootSpans(query: RootSpanListQuery, options?: ReadOptions): Promise<SpanListPage> {
    return this.#read('listRootSpans', query, options);
  }
  listSessions(query: SessionListQuery, options?: ReadOptions): Promise<SessionListPage> {
    return this.#read('listSessions', query, options);
  }
  findSpanRows(rowIds: readonly number[], options?: ReadOptions): Promise<Map<number, SpanRow>> {
    return this.#read('findSpanRows', rowIds, options);
  }
  findSpanBodies(rowIds: readonly number[], options?: ReadOptions): Promise<Map<number, SpanBody>> {
    return this.#read('findSpanBodies', rowIds, options);
  }
  findTracesByRowIds(rowIds: readonly number[], options?: ReadOptions): Promise<Map<number, Trace>> {
    return this.#read('findTracesByRowIds', rowIds, options);
  }
  findSessionsByRowIds(rowIds: readonly number[], options?: ReadOptions): Promise<Map<number, Session>> {
    return this.#read('findSessionsByRowIds', rowIds, options);
  }
  findSessionDetails(rowIds: readonly number[], options?: ReadOptions): Promise<Map<number, SessionDetails>> {
    return this.#read('findSessionDetails', rowIds, options);
  }
  findUsersOfTraces(traceRowIds: readonly number[], options?: ReadOptions): Promise<Map<number, string>> {
    return this.#read('findUsersOfTraces', traceRowIds, options);
  }
  findUsersOfSessions(sessionRowIds: readonly number[], options?: ReadOptions): Promise<Map<number, string>> {
    return this.#read('findUsersOfSessions', sessionRowIds, options);
  }
  findErrorTypesOfTraces(
    traceRowIds: readonly number[],
    options?: ReadOptions,
  ): Promise<Map<number, ErrorTypeCount[]>> {
    return this.#read('findErrorTypesOfTraces', traceRowIds, options);
  }
  sumUpProjects(projectIds: readonly number[], options?: ReadOptions): Promise<Map<number, ProjectSums>> {
    return this.#read('sumUpProjects', projectIds, options);
  }
  async openParquet(chunks: AsyncIterable<Uint8Array>, options?: ReadOptions): Promise<OpenSpanFile> {
    const path = this.#newFile();
    const close = () => rm(path, { force: true });
    try {
      await writeWhole(path, chunks);
      const rowCount: number = await this.#read('openParquet', path, options);
      const rowBytesMax = SPAN_LINE_BYTES_MAX;
      return {
        rowCount,
        read: (firstRow, count) => this.#read('readParquet', { path, firstRow, rowCount: count, rowBytesMax }, options),
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  }
  #newFile(): string {
    return join(resolve(this.#options.dir), EXPORTS_DIR, `${randomUUID()}.parquet`);
  }
  async writeParquet(query: SpanFileQuery, options?: ReadOptions): Promise<SpanFile> {
    const path = this.#newFile();
    try {
      await this.#read('writeParquet', { ...query, path }, options);
      return await openNameless(path, options?.signal);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }
  countSpans(query: RangeQuery, options?: ReadOptions): Promise<number> {
    return this.#read('countSpans', query, options);
  }
  sumUpTraces(query: RangeQuery, options?: ReadOptions): Promise<TraceSums> {
    return this.#read('sumUpTraces', query, options);
  }
  sumUpSessions(query: RangeQuery, options?: ReadOptions): Promise<SessionSums> {
    return this.#read('sumUpSessions', query, options);
  }
  findQuantiles(query: QuantileQuery, options?: ReadOptions): Promise<number[] | undefined> {
    return this.#read('findQuantiles', query, options);
  }
  findFacets(query: FacetQuery, options?: ReadOptions): Promise<SpanFacets> {
    return this.#read('findFacets', query, options);
  }
  findCosts(query: CostOwners, options?: ReadOptions): Promise<Map<number, Costs>> {
    return this.#read('findCosts', query, options);
  }
  findCostsOfTypes(query: CostOwners, options?: ReadOptions): Promise<Map<number, CostsOfType[]>> {
    return this.#read('findCostsOfTypes', query, options);
  }
  sumUpCosts(query: RangeQuery, options?: ReadOptions): Promise<Costs> {
    return this.#read('sumUpCosts', query, options);
  }
  sumUpModels(query: ModelCostQuery, options?: ReadOptions): Promise<Map<number, CostsOfModel>> {
    return this.#read('sumUpModels', query, options);
  }
  findCostsOfTypesOfModels(query: ModelCostQuery, options?: ReadOptions): Promise<Map<number, CostsOfType[]>> {
    return this.#read('findCostsOfTypesOfModels', query, options);
  }
  binCosts(query: BinQuery, options?: ReadOptions): Promise<CostBin[]> {
    return this.#read('binCosts', query, options);
  }
  binSpans(query: BinQuery, options?: ReadOptions): Promise<SpanBin[]> {
    return this.#read('binSpans', query, options);
  }
  binTraces(query: BinQuery, options?: ReadOptions): Promise<TraceBin[]> {
    return this.#read('binTraces', query, options);
  }
  binTraceLatencies(query: BinQuery, options?: ReadOptions): Promise<LatencyBin[]> {
    return this.#read('binTraceLatencies', query, options);
  }
  onChange(listener: (projectIds: readonly number[] | undefined) => void): () => void {
    return this.#changes.listen(listener);
  }
  async lastChangedAt(projectId?: number): Promise<number | undefined> {
    return projectId === undefined ? this.#changes.latest : this.#changes.of(projectId);
  }

  async appliedPosition(): Promise<number> {
    const position = await this.#call<number>('appliedPosition');
    this.#mustAskPosition = false;
    return position;
  }
  checkpointedPosition(): Promise<number> {
    return this.#call('checkpointedPosition');
  }
  append(batch: SpanColumns, position: number, annotations: readonly AnnotationRecord[] = []): Promise<AppendResult> {
    const rowCount = batch.rowCount;
    return this.#observed('append', rowCount, () =>
      this.#write('append', [batch, position, annotations], transferList(batch)),
    );
  }
  delete(deletion: Deletion, position: number): Promise<void> {
    return this.#observed('delete', 0, () => this.#write('delete', [deletion, position]));
  }
  transfer(transfer: Transfer, position: number): Promise<void> {
    return this.#write('transfer', [transfer, position]);
  }
  changeCosts(change: CostChange, position: number): Promise<void> {
    return this.#write('changeCosts', [change, position]);
  }
  advance(position: number): Promise<void> {
    return this.#write('advance', [position]);
  }

  newestSpanRowId(): Promise<number> {
    return this.#call('newestSpanRowId');
  }
  priceDigest(): Promise<string> {
    return this.#call('priceDigest');
  }
  stats(): Promise<SpanStoreStats> {
    return this.#call('stats');
  }
  checkpoint(): Promise<void> {
    return this.#call('checkpoint');
  }
  backUp(): Promise<void> {
    return this.#call('backUp');
  }

  async close(): Promise<void> {
    if (this.#state === 'closing' || this.#state === 'closed') return;
    const wasOpen = this.#state === 'open';
    clearTimeout(this.#restartTimer);
    const worker = this.#worker;
    try {
      if (wasOpen) {
        const closed = this.#call<void>('close');
        this.#state = 'closing';
        await closed;
      }
    } finally {
      this.#state = 'closed';
      await worker?.terminate();
      this.#rejectAll();
    }
  }

  async #read<Result>(
    method: string,
    argument: unknown,
    { readClass = 'api', signal }: ReadOptions = {},
  ): Promise<Result> {
    if (signal?.aborted) throw new SpandrelError('CANCELLED', 'the read was cancelled');
    const startedAt = performance.now();
    const deadlineMs = this.#options.readDeadlineMs?.[readClass] ?? READ_DEADLINE_MS[readClass];
    return await new Promise<Result>((resolve, reject) => {
      let callId: number | undefined;
      const giveUp = (error: SpandrelError) => {
        if (callId === undefined) turn.leave();
        else this.#post({ type: 'cancel', id: callId });
        settle();
        reject(error);
      };
      const timer = setTimeout(
        () =>
          giveUp(
            new SpandrelError('QUERY_TIMED_OUT', `the query took longer than ${deadlineMs / 1000} s; narrow it down`),
          ),
        deadlineMs,
      );
      const onAbort = () => giveUp(new SpandrelError('CANCELLED', 'the read was cancelled'));
      signal?.addEventListener('abort', onAbort, { once: true });
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.#metrics?.observeRead(readClass, (performance.now() - startedAt) / 1000);
      };
      const start = () => {
        // The turn lasts until the thread has answered: a cancelled statement takes a moment to stop.
        callId = this.#nextId;
        this.#call<Result>(method, [argument]).then(
          (result) => {
            turn.leave();
            settle();
            resolve(result);
          },
          (error) => {
            turn.leave();
            settle();
            reject(error);
          },
        );
      };
      let turn: { leave(): void } = { leave: () => undefined };
      try {
        turn = this.#queue.enter(readClass, start);
      } catch (error) {
        settle();
        reject(error);
      }
    });
  }

  async #write<Result>(method: string, args: readonly unknown[], transfer?: ArrayBuffer[]): Promise<Result> {
    if (this.#mustAskPosition && this.#state === 'open') {
      throw new SpandrelError(
        'STORE_UNAVAILABLE',
        'the span store was opened again since the last write: ask for its position and go on from there',
      );
    }
    return this.#call<Result>(method, args, transfer);
  }

  async #observed<Result>(what: 'append' | 'delete', rowCount: number, run: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    const result = await run();
    this.#metrics?.observeWrite(what, (performance.now() - startedAt) / 1000, rowCount);
    return result;
  }

  #call<Result>(method: string, args: readonly unknown[] = [], transfer?: ArrayBuffer[]): Promise<Result> {
    const id = this.#nextId++;
    return new Promise<Result>((resolve, reject) => {
      if (this.#state !== 'open') return reject(this.#unavailable());
      this.#calls.set(id, { resolve, reject });
      try {
        this.#post({ type: 'call', id, method, args }, transfer);
      } catch (error) {
        this.#calls.delete(id);
        reject(error);
      }
    });
  }

  #post(message: ToStoreThread, transfer?: ArrayBuffer[]): void {
    this.#worker?.postMessage(message, transfer);
  }

  #unavailable(): SpandrelError {
    return this.#state === 'closing' || this.#state === 'closed'
      ? new SpandrelError('STORE_UNAVAILABLE', 'the span store is closed')
      : new SpandrelError('STORE_UNAVAILABLE', 'the span store is being opened again; try again later');
  }

  #receive(worker: Worker, message: FromStoreThread): void {
    switch (message.type) {
      case 'result': {
        const call = this.#calls.get(message.id);
        this.#calls.delete(message.id);
        call?.resolve(message.result as never);
        break;
      }
      case 'failed': {
        const call = this.#calls.get(message.id);
        this.#calls.delete(message.id);
        call?.reject(fromErrorMessage(message.error));
        break;
      }
      case 'resolveProjects':
        void this.#answer(worker, message.id, this.#options.resolveProjects(message.names, message.position));
        break;
      case 'removeProject':
        void this.#answer(worker, message.id, this.#options.removeProject?.(message.project, message.position));
        break;
      case 'log':
        this.#options.log[message.level](message.fields, message.message);
        break;
      case 'changed':
        this.#changes.note(message.projectIds);
        break;
      case 'checkpointed':
        this.#metrics?.observeCheckpoint(message.seconds);
        break;
    }
  }

  async #answer(worker: Worker, id: number, result: Promise<unknown> | undefined): Promise<void> {
    try {
      worker.postMessage({ type: 'projects', id, ids: await result });
    } catch (error) {
      worker.postMessage({ type: 'projectsFailed', id, error: toErrorMessage(error) });
    }
  }

  #onExit(): void {
    if (this.#state === 'closing' || this.#state === 'closed') return;
    this.#state = 'down';
    this.#worker = undefined;
    this.#mustAskPosition = true;
    this.#rejectAll();
    this.#options.log.error(
      {},
      'the store thread has ended; it is started again, and the journal adds what is missing',
    );
    this.#restartLater();
  }

  #restartLater(): void {
    this.#restartTimer = setTimeout(async () => {
      try {
        await this.start();
        this.#options.log.info({}, 'the span store is open again');
      } catch (error) {
        this.#options.log.error({ error: (error as Error).message }, 'the span store does not open; it is tried again');
        if (this.#state === 'down') this.#restartLater();
      }
    }, this.#restartMs);
    this.#restartMs = Math.min(STORE_RESTART_MS_MAX, 2 * this.#restartMs);
  }

  #rejectAll(): void {
    for (const { reject } of this.#calls.values()) reject(this.#unavailable());
    this.#calls.clear();
  }
}
