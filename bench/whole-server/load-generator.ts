import { Worker } from 'node:worker_threads';
import { isSmoke, type LatencySummary } from './measure.ts';

/** The load to generate. */
export interface LoadJob {
  readonly transport: 'http' | 'http gzip' | 'grpc';
  /** `http://host:port` or, over gRPC, `host:port`. */
  readonly target: string;
  readonly project: string;
  /** API key, for a server with sign-in. */
  readonly key?: string;
  readonly seconds: number;
  /** Number of concurrent requests. */
  readonly concurrency: number;
  /** Spans per second, in an open loop: delays of the server count as lateness. Absent for a closed loop. */
  readonly spansPerSecond?: number;
  /** Ends earlier, with this many spans acknowledged. */
  readonly spanCountMax?: number;
  /** Spreads start times over this many seconds before now, by order of sending; needs `spanCountMax`. Absent: now. */
  readonly windowSeconds?: number;
  /** Default true: a request that is rejected with 503 is sent again after the time that the server states. */
  readonly retries?: boolean;
}

export interface LoadResult {
  readonly acknowledgedSpanCount: number;
  readonly refusedRequestCount: number;
  /** Requests by status; 0 stands for a broken connection. */
  readonly statusCounts: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly spansPerSecond: number;
  /** From when a request was due (open loop) or sent (closed loop) to its acknowledgement. */
  readonly ackMs: LatencySummary;
  readonly bytesPerSpan: number;
  /** Share of one core that the generator took. */
  readonly generatorCores: number;
  /** Of up to 1,000 acknowledged traces, spread over the run. */
  readonly sampleTraceIds: readonly string[];
}

export const BATCH_TRACE_COUNT = isSmoke ? 10 : 100;
export const BATCH_SPAN_COUNT = 5 * BATCH_TRACE_COUNT;

/** A load that runs in a thread of its own, so that measuring and offering do not wait for each other. */
export interface RunningLoad {
  /** Resolves when its templates are built and the clock runs. */
  readonly started: Promise<void>;
  readonly result: Promise<LoadResult>;
  /** Starts no further request. */
  end(): void;
}

export function startLoad(job: LoadJob): RunningLoad {
  const worker = new Worker(new URL('./load-worker.js', import.meta.url), { workerData: job });
  let onStarted = () => {};
  const started = new Promise<void>((resolve) => {
    onStarted = resolve;
  });
  const result = new Promise<LoadResult>((resolve, reject) => {
    worker.on('message', (message: 'started' | LoadResult) => (message === 'started' ? onStarted() : resolve(message)));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the load generator ended with ${code}`)));
  });
  return { started, result, end: () => worker.postMessage('end') };
}

export const runLoad = (job: LoadJob): Promise<LoadResult> => startLoad(job).result;
