/** Class of a read. Each class has its own concurrency, deadline and queue (`model/limits`). */
export type ReadClass = 'interface' | 'api' | 'export' | 'background';

export interface ReadOptions {
  /** Default `api`. */
  readonly readClass?: ReadClass;
  /** Interrupts the query when it fires; the promise then rejects with `CANCELLED`. */
  readonly signal?: AbortSignal;
}
