import type { Registry } from 'prom-client';
import type { Log } from '../../base/log.ts';
import type { StoreMemoryPlan } from '../../model/memory-plan.ts';
import type { StoreRowIds } from '../../model/spans/store-row-ids.ts';
import type { ReadClass } from '../contract/read-options.ts';

/** What a checkpoint contains. */
export interface StoreCheckpoint {
  /** The journal is applied up to here. */
  readonly position: number;
  /** Greatest row ids that were ever allocated. */
  readonly rowIds: StoreRowIds;
}

export interface SpanStoreOptions {
  /** Directory of `spans.duckdb`, created if it does not exist. Only one process at a time may open it. */
  readonly dir: string;
  /**
   * Row ids of projects by name, at a position of the journal. Creates missing projects. A rejection fails the append, which
   * may be retried.
   */
  readonly resolveProjects: (names: readonly string[], position: number) => Promise<ReadonlyMap<string, number>>;
  /** Called when the deletion of a project is applied, before its commit, so possibly more than once. */
  readonly removeProject?: (
    project: { readonly rowId: number; readonly name: string },
    position: number,
  ) => Promise<void>;
  /** Called after each checkpoint. */
  readonly onCheckpoint?: (checkpoint: StoreCheckpoint) => void;
  readonly log: Log;
  readonly registry?: Registry;
  /** Memory for DuckDB's buffers and for caches. Default: the store's share in `planMemory`. */
  readonly memory?: StoreMemoryPlan;
  /** Threads of DuckDB. Default: the number of cores. */
  readonly threadCount?: number;
  /**
   * Maximum concurrent reads of all classes. Each takes a thread of libuv's pool, which the journal's writes also need: more
   * than the default of 2 requires a larger `UV_THREADPOOL_SIZE`, set before Node starts.
   */
  readonly concurrentReadCount?: number;
  /** Rows of a block that searches can skip. Tests use fewer rows. */
  readonly blockRowCount?: number | undefined;
  /** Bytes of the newest spans in memory. Default: the value in `memory`. */
  readonly recentSpanBytes?: number | undefined;
  /** Bytes of aggregates in memory. With 0, every aggregate is a database query. Default: the value in `memory`. */
  readonly rangeSumBytes?: number | undefined;
  /** Deadlines by class. Tests use shorter ones. */
  readonly readDeadlineMs?: Partial<Record<ReadClass, number>>;
}
