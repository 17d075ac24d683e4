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

/** Counts work, and says every few seconds how far it is. */
export class Progress {
  readonly #logger: Logger;
  readonly #what: string;
  readonly #total: number | undefined;
  #doneCount = 0;
  #failedCount = 0;
  #shownAt = Date.now();

  constructor(logger: Logger, what: string, total?: number) {
    this.#logger = logger;
    this.#what = what;
    this.#total = total;
  }

  add(isFailed: boolean): void {
    this.#doneCount++;
    if (isFailed) this.#failedCount++;
    if (Date.now() - this.#shownAt >= PROGRESS_MS) this.show();
  }

  show(): void {
    this.#shownAt = Date.now();
    const total = this.#total === undefined ? '' : ` of ${this.#total}`;
    const failed = this.#failedCount > 0 ? `, ${this.#failedCount} failed` : '';
    this.#logger.info(`${this.#what}: ${this.#doneCount}${total}${failed}`);
  }
}
