import assert from 'node:assert/strict';
import { parentPort, workerData } from 'node:worker_threads';
import type { SpanColumns } from '../../columns/span-columns.ts';
import type { AnnotationRecord } from '../annotation-queries.ts';
import { countMatchingAnnotations } from '../annotations/delete-annotations.ts';
import {
  findAnnotations,
  findAnnotationsByRowIds,
  findAnnotationsOfTargets,
  findWrittenAnnotations,
} from '../annotations/find-annotations.ts';
import { findTargets } from '../annotations/find-targets.ts';
import { countAnnotations, findDocumentScores, sumUpAnnotations } from '../annotations/sum-up-annotations.ts';
import type { ProjectNames } from '../append/span-writer.ts';
import type { CostChange } from '../cost-change.ts';
import type { DatabaseOptions } from '../database/open-database.ts';
import { openParquet, readParquet } from '../files/read-parquet.ts';
import { writeParquet } from '../files/write-parquet.ts';
import { binSpans, binTraceLatencies, binTraces } from '../read/bin-by-time.ts';
import {
  binCosts,
  findCosts,
  findCostsOfTypes,
  findCostsOfTypesOfModels,
  sumUpCosts,
  sumUpModels,
} from '../read/find-costs.ts';
import { findFacets } from '../read/find-facets.ts';
import { findSpanRowId, findStoredSpanIds, findTraceRowId, findTraceRowIds } from '../read/find-ids.ts';
import { findSession, findSessions } from '../read/find-sessions.ts';
import { findSpanSums } from '../read/find-span-sums.ts';
import { findSpans } from '../read/find-spans.ts';
import { findSpansOfTraces, listSpansOfTrace } from '../read/find-spans-of-traces.ts';
import {
  findErrorTypesOfTraces,
  findRootSpanIds,
  findTracesByRowIds,
  findUsersOfSessions,
  findUsersOfTraces,
} from '../read/find-trace-details.ts';
import { findTraceSkeletons } from '../read/find-trace-skeletons.ts';
import { findTraces, findTracesOfSessions } from '../read/find-traces.ts';
import { findSessionDetails, findSessionsByRowIds, listSessions } from '../read/list-sessions.ts';
import { listRootSpans, listSpans } from '../read/list-spans.ts';
import { findSpanRows } from '../read/read-span-rows.ts';
import { findSpanBodies } from '../read/read-spans.ts';
import {
  countSpans,
  countSpansByDay,
  findQuantiles,
  sumUpProjects,
  sumUpSessions,
  sumUpTraces,
} from '../read/sum-up.ts';
import type { Deletion, Transfer } from '../span-store.ts';
import { packResult } from './packed-results.ts';
import type { ReadContext } from './read-context.ts';
import type { FileReadName, ReadArgument, ReadName, ReadResult } from './read-names.ts';
import { StoreEngine, type StoreEngineOptions } from './store-engine.ts';
import { type FromStoreThread, fromErrorMessage, type ToStoreThread, toErrorMessage } from './store-rpc.ts';

// The store thread: owns the database, answers calls. Started by `store-thread-client.ts`.

interface FileReads extends Record<FileReadName, unknown> {
  readonly writeParquet: typeof writeParquet;
  readonly openParquet: typeof openParquet;
  readonly readParquet: typeof readParquet;
}

/** Reads by name. */
const READS: {
  readonly [Name in ReadName]: (context: ReadContext, argument: ReadArgument<Name>) => Promise<ReadResult<Name>>;
} & FileReads = {
  findSpans,
  findTraces,
  findSpansOfTraces,
  findSpanSums,
  findTraceSkeletons,
  listSpansOfTrace,
  findSessions,
  findSession,
  findTracesOfSessions,
  findSpanRowId,
  findTraceRowId,
  findTraceRowIds,
  findStoredSpanIds,
  listSpans,
  listRootSpans,
  listSessions,
  findSpanRows,
  findSpanBodies,
  findTracesByRowIds,
  findSessionsByRowIds,
  findSessionDetails,
  findRootSpanIds,
  findUsersOfTraces,
  findUsersOfSessions,
  findErrorTypesOfTraces,
  sumUpProjects,
  countSpansByDay,
  countSpans,
  sumUpTraces,
  sumUpSessions,
  findQuantiles,
  findFacets,
  binSpans,
  binTraces,
  binTraceLatencies,
  findAnnotations,
  findAnnotationsByRowIds,
  findAnnotationsOfTargets,
  findWrittenAnnotations,
  countAnnotations,
  countMatchingAnnotations,
  sumUpAnnotations,
  findDocumentScores,
  findTargets,
  findCosts,
  findCostsOfTypes,
  sumUpCosts,
  sumUpModels,
  findCostsOfTypesOfModels,
  binCosts,
  writeParquet,
  openParquet,
  readParquet,
};

const port = parentPort;
assert(port, 'the store thread is a worker');
const send = (message: FromStoreThread) => port.postMessage(message);

const running = new Map<number, ReadContext>();
const asking = new Map<number, { resolve(ids: ReadonlyMap<string, number>): void; reject(error: Error): void }>();
let nextAskId = 1;

const ask = (toMessage: (id: number) => FromStoreThread) =>
  new Promise<ReadonlyMap<string, number>>((resolve, reject) => {
    const id = nextAskId++;
    asking.set(id, { resolve, reject });
    send(toMessage(id));
  });

const projects: ProjectNames = {
  resolve: (names, position) => ask((id) => ({ type: 'resolveProjects', id, names, position })),
  remove: async (project, position) => void (await ask((id) => ({ type: 'removeProject', id, project, position }))),
};

let engine: StoreEngine | undefined;
let isEnding = false;

type WorkerData = Omit<DatabaseOptions, 'onSetAside'> &
  Pick<StoreEngineOptions, 'blockRowCount' | 'recentSpanBytes' | 'rangeSumBytes'>;

/** Ends the thread by an error that is thrown outside of any promise; the other side then starts a new one. */
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

try {
  engine = await StoreEngine.open({
    ...(workerData as WorkerData),
    projects,
    onSetAside: ({ path, reason, isFromBackup }) =>
      send({
        type: 'log',
        level: 'error',
        fields: { path, reason },
        message: isFromBackup
          ? 'the span store could not be read and was set aside; it begins again from its backup, and the journal adds what came since. Keep the file until you have seen that nothing is missing'
          : 'the span store could not be read and was set aside; it begins again with what the journal still has. Keep the file: older spans are in it alone',
      }),
    onChange: (change) => send({ type: 'changed', change }),
    onDelete: (deleted) => {
      const count = deleted.spanCount + deleted.traceCount + deleted.sessionCount;
      if (count > 0) send({ type: 'log', level: 'info', fields: deleted, message: 'deleted from the span store' });
    },
    onRoomMade: (room) =>
      send({ type: 'log', level: 'info', fields: room, message: 'room in the span store after a deletion' }),
    onNotIndexed: (error) =>
      send({
        type: 'log',
        level: 'warn',
        fields: { error: error.message },
        message: 'a block of spans got no filter, and searches look through it; it is tried again with the next spans',
      }),
    onCheckpoint: (seconds) => send({ type: 'checkpointed', seconds }),
    onFatal: (error) => {
      send({
        type: 'log',
        level: 'error',
        fields: { error: error.message },
        message:
          'the span store cannot go on and is opened again; if it says so over and over, look at the disk it is on',
      });
      endThread(error);
    },
  });
  const opened = engine;
  port.on('message', (message: ToStoreThread) => receive(opened, message));
  send({ type: 'opened' });
} catch (error) {
  send({ type: 'openFailed', error: toErrorMessage(error) });
}

function receive(engine: StoreEngine, message: ToStoreThread): void {
  switch (message.type) {
    case 'call':
      answer(message.id, call(engine, message.id, message.method, message.args));
      break;
    case 'cancel':
      running.get(message.id)?.cancel();
      break;
    case 'projects':
      asking.get(message.id)?.resolve(message.ids ?? new Map());
      asking.delete(message.id);
      break;
    case 'projectsFailed':
      asking.get(message.id)?.reject(fromErrorMessage(message.error));
      asking.delete(message.id);
      break;
  }
}

async function answer(id: number, result: Promise<unknown>): Promise<void> {
  try {
    send({ type: 'result', id, result: await result });
  } catch (error) {
    send({ type: 'failed', id, error: toErrorMessage(error) });
  }
}

async function call(engine: StoreEngine, id: number, method: string, args: readonly unknown[]): Promise<unknown> {
  if (Object.hasOwn(READS, method)) {
    const read = READS[method as keyof typeof READS];
    try {
      const result = await engine.read<unknown>(
        (context) => read(context, args[0] as never),
        (context) => running.set(id, context),
      );
      return packResult(method, result);
    } finally {
      running.delete(id);
    }
  }
  switch (method) {
    case 'append':
      return engine.append(args[0] as SpanColumns, args[1] as number, args[2] as readonly AnnotationRecord[]);
    case 'delete':
      return engine.delete(args[0] as Deletion, args[1] as number);
    case 'transfer':
      return engine.transfer(args[0] as Transfer, args[1] as number);
    case 'changeCosts':
      return engine.changeCosts(args[0] as CostChange, args[1] as number);
    case 'newestSpanRowId':
      return engine.newestSpanRowId;
    case 'priceDigest':
      return engine.priceDigest;
    case 'advance':
      return engine.advance(args[0] as number);
    case 'appliedPosition':
      return engine.appliedPosition;
    case 'checkpointedPosition':
      return engine.checkpointedPosition;
    case 'stats':
      return engine.stats();
    case 'checkpoint':
      return engine.checkpoint();
    case 'backUp':
      return engine.backUp();
    case 'close':
      await engine.close();
      port?.unref();
      return undefined;
    default:
      throw new Error(`the store thread has no method ${method}`);
  }
}
