/**
 * Class of a read. Each class has its own concurrency, deadline, queue and share of the time (`model/limits`). A read that writes a whole
 * file is one of the background, because pages of exports would wait until it has ended.
 */
export type ReadClass = 'interface' | 'api' | 'export' | 'background';

export interface ReadOptions {
  /** Default `api`. */
  readonly readClass?: ReadClass;
  /** Interrupts the query when it fires; the promise then rejects with `CANCELLED`. */
  readonly signal?: AbortSignal;
}
