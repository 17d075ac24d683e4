import type { Log } from '../base/log.ts';
import {
  REJECTION_LOG_INTERVAL_MS,
  REJECTION_LOG_KEY_COUNT_MAX,
  REJECTION_LOG_REASON_LENGTH_MAX,
  USER_AGENT_LENGTH_MAX,
} from '../model/limits/ingest.ts';
import type { Rejection } from './ingest.ts';

/** Rejections of one client for one reason. */
interface Entry {
  readonly message: string;
  readonly fields: object;
  lastLineAtMs: number;
  /** Number of requests since the last line, like the spans. */
  requestCount: number;
  rejectedSpanCount: number;
}

/**
 * Logs why traces were rejected. Each client and reason gets one line at once, and then at most one line per
 * `REJECTION_LOG_INTERVAL_MS` with the counts since the last line. Clients and reasons above
 * `REJECTION_LOG_KEY_COUNT_MAX` share one line.
 */
export class RejectionLog {
  readonly #log: Pick<Log, 'info'>;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #timer: NodeJS.Timeout;

  constructor(log: Pick<Log, 'info'>, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
    this.#timer = setInterval(() => this.sweep(), REJECTION_LOG_INTERVAL_MS).unref();
  }

  add(rejection: Rejection): void {
    const entry = this.#entryOf(rejection);
    entry.requestCount++;
    entry.rejectedSpanCount += rejection.rejectedSpanCount ?? 0;
    this.#writeIfDue(entry);
  }

  /** Writes the lines that are due, and evicts entries without rejections since their last line. */
  sweep(): void {
    for (const [key, entry] of this.#entries) {
      if (entry.requestCount > 0) this.#writeIfDue(entry);
      else if (this.#isDue(entry)) this.#entries.delete(key);
    }
  }

  /** Writes the counts that are not logged yet. */
  close(): void {
    clearInterval(this.#timer);
    for (const entry of this.#entries.values()) if (entry.requestCount > 0) this.#write(entry);
    this.#entries.clear();
  }

  #entryOf({ from, reason, rejectedSpanCount }: Rejection): Entry {
    const { source, remoteAddress } = from;
    const isWhole = rejectedSpanCount === undefined;
    const userAgent = (from.userAgent ?? '').slice(0, USER_AGENT_LENGTH_MAX);
    const shownReason = reason.slice(0, REJECTION_LOG_REASON_LENGTH_MAX);
    const key = JSON.stringify([source, remoteAddress, userAgent, isWhole, withoutValues(shownReason)]);
    const known = this.#entries.get(key);
    if (known) return known;
    if (this.#entries.size >= REJECTION_LOG_KEY_COUNT_MAX) this.sweep();
    if (this.#entries.size < REJECTION_LOG_KEY_COUNT_MAX) {
      const fields = { source, remoteAddress, userAgent, reason: shownReason };
      return this.#make(key, isWhole ? 'Rejected requests with traces' : 'Rejected spans', fields);
    }
    return this.#entries.get(OTHERS) ?? this.#make(OTHERS, 'Rejected traces for further reasons', {});
  }

  #make(key: string, message: string, fields: object): Entry {
    const entry = { message, fields, lastLineAtMs: -Infinity, requestCount: 0, rejectedSpanCount: 0 };
    this.#entries.set(key, entry);
    return entry;
  }

  #isDue = ({ lastLineAtMs }: Entry): boolean => this.#now() - lastLineAtMs >= REJECTION_LOG_INTERVAL_MS;

  #writeIfDue(entry: Entry): void {
    if (this.#isDue(entry)) this.#write(entry);
  }

  #write(entry: Entry): void {
    const { message, fields, requestCount, rejectedSpanCount } = entry;
    this.#log.info({ ...fields, requestCount, rejectedSpanCount }, message);
    entry.lastLineAtMs = this.#now();
    entry.requestCount = 0;
    entry.rejectedSpanCount = 0;
  }
}

const OTHERS = '';

/**
 * Removes the names, ids and numbers of a request from a reason, so that requests with the same reason share a line.
 */
const withoutValues = (reason: string): string =>
  reason.replace(/"(?:[^"\\]|\\.)*"?/g, '""').replace(/[0-9a-f]{16}|\d+/gi, '#');
