import { readVariable } from '../settings/environment.ts';

/** Where progress goes. `console` is one. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
  log(message: string): void;
  debug(message: string): void;
  table(rows: readonly object[]): void;
}

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'];

/** The console at the level of `SPANDREL_LOG_LEVEL`: debug, info (default), warn, error or silent. */
export function defaultLogger(): Logger {
  const wanted = (readVariable('SPANDREL_LOG_LEVEL') ?? readVariable('PHOENIX_LOG_LEVEL') ?? 'info').toLowerCase();
  const level = Math.max(0, LEVELS.includes(wanted) ? LEVELS.indexOf(wanted) : 1);
  const at = (own: string, write: (message: string) => void) =>
    LEVELS.indexOf(own) >= level ? write : () => undefined;
  return {
    debug: at('debug', (message) => console.debug(message)),
    info: at('info', (message) => console.info(message)),
    log: at('info', (message) => console.log(message)),
    warn: at('warn', (message) => console.warn(message)),
    error: at('error', (message) => console.error(message)),
    table: level <= 1 ? (rows) => console.table(rows) : () => undefined,
  };
}

/** Time between two lines of progress. */
const PROGRESS_MS = 5_000;
/** Kinds of failures whose first cause is logged, and its characters. */
const CAUSE_COUNT_MAX = 5;
const CAUSE_CHARS_MAX = 300;

/** Counts work, and logs every few seconds how far it is, and the first cause of each kind of failure. */
export class Progress {
  readonly #logger: Logger;
  readonly #what: string;
  readonly #total: number | undefined;
  #doneCount = 0;
  #failedCount = 0;
  readonly #failureKinds = new Set<string>();
  #shownAt = Date.now();

  constructor(logger: Logger, what: string, total?: number) {
    this.#logger = logger;
    this.#what = what;
    this.#total = total;
  }

  /** @param cause why the work failed, or null */
  add(cause: string | null): void {
    this.#doneCount++;
    if (cause !== null) this.#addFailure(cause);
    if (Date.now() - this.#shownAt >= PROGRESS_MS) this.show();
  }

  #addFailure(cause: string): void {
    this.#failedCount++;
    // Causes of one kind differ by numbers and quoted values.
    const kind = cause.replace(/\d+|'[^']*'|"[^"]*"/g, '');
    if (this.#failureKinds.has(kind) || this.#failureKinds.size >= CAUSE_COUNT_MAX) return;
    this.#failureKinds.add(kind);
    this.#logger.warn(`${this.#what}: one failed with ${cause.replace(/\s+/g, ' ').slice(0, CAUSE_CHARS_MAX)}`);
  }

  show(): void {
    this.#shownAt = Date.now();
    const total = this.#total === undefined ? '' : ` of ${this.#total}`;
    const failed = this.#failedCount > 0 ? `, ${this.#failedCount} failed` : '';
    this.#logger.info(`${this.#what}: ${this.#doneCount}${total}${failed}`);
  }
}
