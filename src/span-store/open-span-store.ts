import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DATASET_ROW_CHARS_MAX, SPAN_LINE_BYTES_MAX } from '../model/limits/datasets.ts';
import { transferList } from '../columns/transfer-list.ts';
import type { ReadOptions } from './contract/read-options.ts';
import type { FileGap, OpenSpanFile, OpenTable, SpanFile, SpanFileQuery, TablePage } from './contract/span-files.ts';
import type { SpanStore } from './contract/span-store.ts';
import { EXPORTS_DIR } from './duckdb/store-files.ts';
import { checkParquetText } from './read/parquet/parquet-limits.ts';
import type { ParquetSize } from './read/parquet/read-parquet.ts';
import type { TableHead } from './read/parquet/read-table.ts';
import type { QueryReader } from './read/reads.ts';
import { ChangeClock } from './thread/change-clock.ts';
import { openNameless, writeWhole } from './thread/span-file-access.ts';
import type { SpanStoreOptions } from './thread/span-store-options.ts';
import { StoreWorkerClient } from './thread/store-worker-client.ts';

/** A span store that can also write a backup. */
export interface DuckdbSpanStore extends SpanStore {
  /**
   * Writes `spans.backup.duckdb` beside the database: a whole copy as of now, from which a damaged database is
   * replaced at start. Writes wait during the backup, reads do not.
   */
  backUp(): Promise<void>;
}

/**
 * Opens the span store on DuckDB. The database runs in a separate thread, which is restarted when it ends. Until then, every
 * call rejects with `STORE_UNAVAILABLE`.
 *
 * @throws {SpandrelError} `STORE_UNAVAILABLE` when the database cannot be opened for a reason outside of it.
 */
export async function openSpanStore(options: SpanStoreOptions): Promise<DuckdbSpanStore> {
  const changes = new ChangeClock();
  const thread = new StoreWorkerClient(options, changes);
  await thread.start();
  const newFile = () => join(resolve(options.dir), EXPORTS_DIR, `${randomUUID()}.parquet`);
  return {
    ...forwardReads(thread),
    writeParquet: (query, readOptions) => writeParquet(thread, newFile(), query, readOptions),
    openParquet: (chunks, readOptions) => openParquet(thread, newFile(), chunks, readOptions),
    openTable: (chunks, readOptions, gap) => openTable(thread, newFile(), chunks, readOptions, gap),
    onChange: (listener) => changes.listen(listener),
    lastChangedAt: async (project) => {
      if (project === undefined) return changes.latest;
      return typeof project === 'number' ? changes.of(project) : changes.latestIn(project);
    },

    appliedPosition: () => thread.askAppliedPosition(),
    checkpointedPosition: () => thread.call('checkpointedPosition', []),
    append: (batch, position, annotations = []) =>
      thread.write('append', [batch, position, annotations], {
        rowCount: batch.rowCount,
        transfer: transferList(batch),
      }),
    delete: (deletion, position) => thread.write('delete', [deletion, position]),
    transfer: (transfer, position) => thread.write('transfer', [transfer, position]),
    changeCosts: (change, position) => thread.write('changeCosts', [change, position]),
    advance: (position) => thread.write('advance', [position]),

    newestSpanRowId: () => thread.call('newestSpanRowId', []),
    priceDigest: () => thread.call('priceDigest', []),
    metadataRowIds: () => thread.call('metadataRowIds', []),
    skipRowIds: (lastRowIds) => thread.call('skipRowIds', [lastRowIds]),
    stats: () => thread.call('stats', []),
    checkpoint: () => thread.call('checkpoint', []),
    backUp: () => thread.call('backUp', []),
    close: () => thread.close(),
  };
}

/** A method for each read that the thread runs. The registries of `read/` are complete by their types. */
const forwardReads = (thread: StoreWorkerClient): QueryReader =>
  Object.fromEntries(
    thread.readNames.map((name) => [
      name,
      (argument: unknown, options?: ReadOptions) => thread.read(name, argument, options),
    ]),
  ) as unknown as QueryReader;

/** The thread writes a file under a unique name. This function opens it and removes the name, so that it is deleted with its reader. */
async function writeParquet(
  thread: StoreWorkerClient,
  path: string,
  query: SpanFileQuery,
  options?: ReadOptions,
): Promise<SpanFile> {
  try {
    await thread.read('writeParquet', { ...query, path }, options);
    return await openNameless(path, options?.signal);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** The file keeps its name while it is open, because the thread reopens it for every chunk. */
async function openParquet(
  thread: StoreWorkerClient,
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  options?: ReadOptions,
): Promise<OpenSpanFile> {
  const close = () => rm(path, { force: true });
  try {
    await writeWhole(path, chunks);
    const { rowCount, rowBytes } = (await thread.read('openParquet', path, options)) as ParquetSize;
    const file = { path, rowBytes, rowBytesMax: SPAN_LINE_BYTES_MAX };
    return {
      rowCount,
      read: (firstRow, count) => thread.read('readParquet', { ...file, firstRow, rowCount: count }, options),
      close,
    } as OpenSpanFile;
  } catch (error) {
    await close();
    throw error;
  }
}

/** Like `openParquet`, for a file with any columns. */
async function openTable(
  thread: StoreWorkerClient,
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  options?: ReadOptions,
  gap?: FileGap,
): Promise<OpenTable> {
  const close = () => rm(path, { force: true });
  try {
    await writeWhole(path, chunks, gap);
    const { textBytesMax, ...table } = (await thread.read('openTable', path, options)) as TableHead;
    let textBytes = 0;
    const rowBytesMax = DATASET_ROW_CHARS_MAX;
    return {
      ...table,
      async read(firstRow, rowCount, columns) {
        const page = (await thread.read(
          'readTable',
          { path, firstRow, rowCount, columns, rowBytesMax },
          options,
        )) as TablePage;
        textBytes += page.bytes;
        checkParquetText(textBytes, textBytesMax);
        return page;
      },
      close,
    } as OpenTable;
  } catch (error) {
    await close();
    throw error;
  }
}
