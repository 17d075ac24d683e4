import assert from 'node:assert/strict';
import { parentPort, workerData } from 'node:worker_threads';
import type { DatabaseOptions } from '../duckdb/open-database.ts';
import type { ReadContext } from '../read/read-context.ts';
import { FILE_READS, QUERY_READS } from '../read/reads.ts';
import type { ProjectNames } from '../write/project-ids.ts';
import { packResult, transferOf } from './codecs/packed-results.ts';
import { StoreEngine, type StoreEngineOptions } from './store-engine.ts';
import {
  type FromStoreThread,
  fromErrorMessage,
  type StoreCalls,
  type ToStoreThread,
  toErrorMessage,
} from './store-protocol.ts';

// The store thread: owns the database and runs calls. `store-worker-client.ts` starts it.

/** Reads by name. */
const READS = { ...QUERY_READS, ...FILE_READS };

const CALLS: {
  readonly [Name in keyof StoreCalls]: (
    engine: StoreEngine,
    ...args: Parameters<StoreCalls[Name]>
  ) => ReturnType<StoreCalls[Name]>;
} = {
  appliedPosition: async (engine) => engine.appliedPosition,
  checkpointedPosition: async (engine) => engine.checkpointedPosition,
  append: (engine, batch, position, annotations) => engine.append(batch, position, annotations),
  delete: (engine, deletion, position) => engine.delete(deletion, position),
  transfer: (engine, transfer, position) => engine.transfer(transfer, position),
  changeCosts: (engine, change, position) => engine.changeCosts(change, position),
  advance: (engine, position) => engine.advance(position),
  stats: (engine) => engine.stats(),
  priceDigest: async (engine) => engine.priceDigest,
  newestSpanRowId: async (engine) => engine.newestSpanRowId,
  metadataRowIds: (engine) => engine.metadataRowIds(),
  skipRowIds: (engine, lastRowIds) => engine.skipRowIds(lastRowIds),
  checkpoint: (engine) => engine.checkpoint(),
  backUp: (engine) => engine.backUp(),
  close: async (engine) => {
    await engine.close();
    port?.unref();
  },
};

const port = parentPort;
assert(port, 'the store thread is a worker');
const send = (message: FromStoreThread, transfer?: ArrayBuffer[]) => port.postMessage(message, transfer);

const running = new Map<number, ReadContext>();
const pendingRequests = new Map<
  number,
  { resolve(ids: ReadonlyMap<string, number>): void; reject(error: Error): void }
>();
let nextRequestId = 1;

const request = (toMessage: (id: number) => FromStoreThread) =>
  new Promise<ReadonlyMap<string, number>>((resolve, reject) => {
    const id = nextRequestId++;
    pendingRequests.set(id, { resolve, reject });
    send(toMessage(id));
  });

const projects: ProjectNames = {
  resolve: (names, position) => request((id) => ({ type: 'resolveProjects', id, names, position })),
  remove: async (project, position) => void (await request((id) => ({ type: 'removeProject', id, project, position }))),
};

let engine: StoreEngine | undefined;
let isEnding = false;

type WorkerData = Omit<DatabaseOptions, 'onQuarantine'> &
  Pick<
    StoreEngineOptions,
    'blockRowCount' | 'recentSpanBytes' | 'rangeSumBytes' | 'blockFilterBytes' | 'checkpointBytes'
  >;

/** Ends the thread by an error outside of any promise. The main thread then starts a new one. */
function endThread(error: Error): void {
  if (isEnding) return;
  isEnding = true;
  const end = () =>
    setImmediate(() => {
      throw error;
    });
  if (engine) engine.abandon().finally(end);
  else end();
}

const openEngine = async (): Promise<void> => {
  try {
    engine = await StoreEngine.open({
      ...(workerData as WorkerData),
      projects,
      onQuarantine: ({ path, reason, isFromBackup }) =>
        send({
          type: 'log',
          level: 'error',
          fields: { path, reason },
          message: isFromBackup
            ? 'Could not read the span store; its file is quarantined, and the backup and the journal replace it. Keep the file until you have checked that no data is missing'
            : 'Could not read the span store; its file is quarantined, and the journal replaces recent data. Keep the file, because older spans exist only in it',
        }),
      onChange: (change) => send({ type: 'changed', change }),
      onDelete: (deleted) => {
        const count = deleted.spanCount + deleted.traceCount + deleted.sessionCount;
        if (count > 0)
          send({ type: 'log', level: 'info', fields: deleted, message: 'Deleted data from the span store' });
      },
      onSpaceFreed: (sizes) =>
        send({ type: 'log', level: 'info', fields: sizes, message: 'A deletion freed space in the span store' }),
      onFilterFailed: (error) =>
        send({
          type: 'log',
          level: 'warn',
          fields: { error: error.message },
          message: 'Could not build a block filter; searches scan the block until a retry succeeds',
        }),
      onCheckpoint: (seconds, checkpoint) => send({ type: 'checkpointed', seconds, checkpoint }),
      onFatal: (error) => {
        send({
          type: 'log',
          level: 'error',
          fields: { error: error.message },
          message:
            'The span store cannot continue and is reopened. If this message repeats, check the disk of the data directory',
        });
        endThread(error);
      },
    });
    const opened = engine;
    port.on('message', (message: ToStoreThread) => receive(opened, message));
    send({ type: 'opened', reads: Object.keys(QUERY_READS) });
  } catch (error) {
    send({ type: 'openFailed', error: toErrorMessage(error) });
  }
};

// A module of CommonJS must not wait for it.
void openEngine();

function receive(engine: StoreEngine, message: ToStoreThread): void {
  switch (message.type) {
    case 'call':
      answer(message.id, message.method, call(engine, message.id, message.method, message.args));
      break;
    case 'cancel':
      running.get(message.id)?.cancel();
      break;
    case 'projects':
      pendingRequests.get(message.id)?.resolve(message.ids ?? new Map());
      pendingRequests.delete(message.id);
      break;
    case 'projectsFailed':
      pendingRequests.get(message.id)?.reject(fromErrorMessage(message.error));
      pendingRequests.delete(message.id);
      break;
  }
}

async function answer(id: number, method: string, running: Promise<unknown>): Promise<void> {
  try {
    const result = await running;
    send({ type: 'result', id, result }, transferOf(method, result));
  } catch (error) {
    send({ type: 'failed', id, error: toErrorMessage(error) });
  }
}

async function call(engine: StoreEngine, id: number, method: string, args: readonly unknown[]): Promise<unknown> {
  if (Object.hasOwn(READS, method)) {
    const read = READS[method as keyof typeof READS] as (context: ReadContext, argument: unknown) => Promise<unknown>;
    try {
      const result = await engine.read(
        (context) => read(context, args[0]),
        (context) => running.set(id, context),
      );
      return packResult(method, args[0], result);
    } finally {
      running.delete(id);
    }
  }
  if (!Object.hasOwn(CALLS, method)) throw new Error(`the store thread has no method ${method}`);
  const run = CALLS[method as keyof StoreCalls] as (
    engine: StoreEngine,
    ...args: readonly unknown[]
  ) => Promise<unknown>;
  return run(engine, ...args);
}
