import assert from 'node:assert/strict';
import { parentPort, workerData } from 'node:worker_threads';
import type { SpanColumns } from '../../columns/span-columns.ts';
import type { AnnotationRecord } from '../contract/annotations.ts';
import type { CostChange } from '../contract/cost-change.ts';
import type { Deletion, Transfer } from '../contract/writer.ts';
import type { DatabaseOptions } from '../duckdb/open-database.ts';
import { binSpans, binTraceLatencies, binTraces } from '../read/aggregates/bin-by-time.ts';
import {
  countSpans,
  countSpansByDay,
  findQuantiles,
  sumUpProjects,
  sumUpSessions,
  sumUpTraces,
} from '../read/aggregates/sum-up.ts';
import { binRows, sumUpRows } from '../read/aggregates/sum-up-rows.ts';
import { countMatchingAnnotations } from '../read/annotations/count-matching-annotations.ts';
import {
  findAnnotations,
  findAnnotationsByRowIds,
  findAnnotationsOfTargets,
  findWrittenAnnotations,
} from '../read/annotations/find-annotations.ts';
import { findTargets } from '../read/annotations/find-targets.ts';
import { countAnnotations, findDocumentScores, sumUpAnnotations } from '../read/annotations/sum-up-annotations.ts';
import {
  binCosts,
  findCosts,
  findCostsOfTypes,
  findCostsOfTypesOfModels,
  sumUpCosts,
  sumUpModels,
} from '../read/costs/find-costs.ts';
import { findFacets } from '../read/facets/find-facets.ts';
import { openParquet, readParquet } from '../read/parquet/read-parquet.ts';
import { writeParquet } from '../read/parquet/write-parquet.ts';
import type { ReadContext } from '../read/read-context.ts';
import { findSpanRowId, findStoredSpanIds, findTraceRowId, findTraceRowIds } from '../read/rows/find-ids.ts';
import { findSpanRows } from '../read/rows/read-span-rows.ts';
import { findSpanBodies } from '../read/rows/read-spans.ts';
import { findSession, findSessions } from '../read/sessions/find-sessions.ts';
import { findSessionDetails, findSessionsByRowIds, listSessions } from '../read/sessions/list-sessions.ts';
import { findSpans } from '../read/spans/find-spans.ts';
import { listRootSpans } from '../read/spans/list-root-spans.ts';
import { listSpans } from '../read/spans/list-spans.ts';
import { measureSpans } from '../read/spans/measure-spans.ts';
import { findSpanSums } from '../read/traces/find-span-sums.ts';
import { findSpansOfTraces, listSpansOfTrace } from '../read/traces/find-spans-of-traces.ts';
import {
  findErrorTypesOfTraces,
  findRootSpanIds,
  findTracesByRowIds,
  findUsersOfSessions,
  findUsersOfTraces,
} from '../read/traces/find-trace-details.ts';
import { findTraceSkeletons } from '../read/traces/find-trace-skeletons.ts';
import { findTraces, findTracesOfSessions } from '../read/traces/find-traces.ts';
import type { ProjectNames } from '../write/store-writer.ts';
import { packResult } from './codecs/packed-results.ts';
import type { FileReadName, ReadArgument, ReadName, ReadResult } from './read-names.ts';
import { StoreEngine, type StoreEngineOptions } from './store-engine.ts';
import { type FromStoreThread, fromErrorMessage, type ToStoreThread, toErrorMessage } from './store-protocol.ts';

// The store thread: owns the database, answers calls. Started by `store-worker-client.ts`.

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
  measureSpans,
  countSpans,
  sumUpTraces,
  sumUpSessions,
  findQuantiles,
  sumUpRows,
  findFacets,
  binSpans,
  binRows,
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
  Pick<
    StoreEngineOptions,
    'blockRowCount' | 'recentSpanBytes' | 'rangeSumBytes' | 'blockFilterBytes' | 'checkpointBytes'
  >;

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
    case 'metadataRowIds':
      return engine.metadataRowIds();
    case 'skipSpanRowIds':
      return engine.skipSpanRowIds(args[0] as number);
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
