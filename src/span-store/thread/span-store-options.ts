import type { Registry } from 'prom-client';
import type { Log } from '../../base/log.ts';
import type { StoreMemoryPlan } from '../../model/memory-plan.ts';
import type { ReadClass } from '../contract/read-options.ts';

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
  /** Memory for DuckDB's buffers and for the caches beside them. Default: the store's share in `planMemory`. */
  readonly memory?: StoreMemoryPlan;
  /** Threads that DuckDB computes with. Default: as many as there are cores. */
  readonly threadCount?: number;
  /**
   * Reads running at once, all classes together. Each takes a thread of libuv's pool, which the journal's writes need
   * too: more than the default 2 wants a larger `UV_THREADPOOL_SIZE`, set before Node starts.
   */
  readonly concurrentReadCount?: number;
  /** Rows of a block that searches pass over as a whole: fewer, for tests. */
  readonly blockRowCount?: number | undefined;
  /** Bytes of the newest spans in memory. Default: the value in `memory`. */
  readonly recentSpanBytes?: number | undefined;
  /** Bytes of sums in memory. With 0, every sum is a database query. Default: the value in `memory`. */
  readonly rangeSumBytes?: number | undefined;
  /** Shorter deadlines, for tests. */
  readonly readDeadlineMs?: Partial<Record<ReadClass, number>>;
}
