import type { Log } from '../base/log.ts';
import {
  REFUSAL_LOG_INTERVAL_MS,
  REFUSAL_LOG_KEY_COUNT_MAX,
  REFUSAL_LOG_REASON_LENGTH_MAX,
  USER_AGENT_LENGTH_MAX,
} from '../model/limits.ts';
import type { Refusal } from './ingest.ts';

/** What was refused of one client for one reason. */
interface Entry {
  readonly message: string;
  readonly fields: object;
  lastLineAtMs: number;
  /** Since the last line. */
  requestCount: number;
  rejectedSpanCount: number;
}

/**
 * Why traces were refused, in the log: per client and reason one line at once, and then at most one in
 * `REFUSAL_LOG_INTERVAL_MS` with the number since the last. Clients and reasons beyond `REFUSAL_LOG_KEY_COUNT_MAX` share
 * one line.
 */
export class RefusalLog {
  readonly #log: Pick<Log, 'info'>;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #timer: NodeJS.Timeout;

  constructor(log: Pick<Log, 'info'>, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
    this.#timer = setInterval(() => this.sweep(), REFUSAL_LOG_INTERVAL_MS).unref();
  }

  add(refusal: Refusal): void {
    const entry = this.#entryOf(refusal);
    entry.requestCount++;
    entry.rejectedSpanCount += refusal.rejectedSpanCount ?? 0;
    this.#tellWhenDue(entry);
  }

  /** Writes what is due, and forgets those of whom nothing was refused since their last line. */
  sweep(): void {
    for (const [key, entry] of this.#entries) {
      if (entry.requestCount > 0) this.#tellWhenDue(entry);
      else if (this.#isDue(entry)) this.#entries.delete(key);
    }
  }

  /** Writes what was counted and not told yet. */
  close(): void {
    clearInterval(this.#timer);
    for (const entry of this.#entries.values()) if (entry.requestCount > 0) this.#tell(entry);
    this.#entries.clear();
  }

  #entryOf({ from, reason, rejectedSpanCount }: Refusal): Entry {
    const { face, remoteAddress } = from;
    const isWhole = rejectedSpanCount === undefined;
    const userAgent = (from.userAgent ?? '').slice(0, USER_AGENT_LENGTH_MAX);
    const shownReason = reason.slice(0, REFUSAL_LOG_REASON_LENGTH_MAX);
    const key = JSON.stringify([face, remoteAddress, userAgent, isWhole, withoutValues(shownReason)]);
    const known = this.#entries.get(key);
    if (known) return known;
    if (this.#entries.size >= REFUSAL_LOG_KEY_COUNT_MAX) this.sweep();
    if (this.#entries.size < REFUSAL_LOG_KEY_COUNT_MAX) {
      const fields = { face, remoteAddress, userAgent, reason: shownReason };
      return this.#make(key, isWhole ? 'Requests with traces were refused' : 'Spans were refused', fields);
    }
    return (
      this.#entries.get(OTHERS) ?? this.#make(OTHERS, 'Traces were refused for more reasons than are told apart', {})
    );
  }

  #make(key: string, message: string, fields: object): Entry {
    const entry = { message, fields, lastLineAtMs: -Infinity, requestCount: 0, rejectedSpanCount: 0 };
    this.#entries.set(key, entry);
    return entry;
  }

  #isDue = ({ lastLineAtMs }: Entry): boolean => this.#now() - lastLineAtMs >= REFUSAL_LOG_INTERVAL_MS;

  #tellWhenDue(entry: Entry): void {
    if (this.#isDue(entry)) this.#tell(entry);
  }

  #tell(entry: Entry): void {
    const { message, fields, requestCount, rejectedSpanCount } = entry;
    this.#log.info({ ...fields, requestCount, rejectedSpanCount }, message);
    entry.lastLineAtMs = this.#now();
    entry.requestCount = 0;
    entry.rejectedSpanCount = 0;
  }
}

const OTHERS = '';

/** The reason without names, ids and numbers of one request, which would make each request a reason of its own. */
const withoutValues = (reason: string): string =>
  reason.replace(/"(?:[^"\\]|\\.)*"?/g, '""').replace(/[0-9a-f]{16}|\d+/gi, '#');
