import {
  ACTIVITY_BIN_COUNT,
  ACTIVITY_BIN_MS,
  INGEST_CLIENT_COUNT_MAX,
  USER_AGENT_LENGTH_MAX,
} from '../model/limits/ingest.ts';
import type { ActivityBin, IngestClient, OtlpRequest } from './ingest.ts';

/** Result of one request. */
interface Outcome {
  readonly spanCount: number;
  readonly rejectedSpanCount: number;
  readonly isRejected: boolean;
}

type Counts = { -readonly [Name in keyof ActivityBin]: ActivityBin[Name] };

/** Recent requests by time and by client, for the ingest status. */
export class IngestActivity {
  readonly #now: () => number;
  readonly #bins: Counts[] = [];
  /** Clients by transport and user agent, in the order of their last request. */
  readonly #clients = new Map<string, { -readonly [Name in keyof IngestClient]: IngestClient[Name] }>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  add({ source, remoteAddress, userAgent = '' }: OtlpRequest['from'], outcome: Outcome): void {
    const nowMs = this.#now();
    count(this.#bin(nowMs), outcome);
    const name = userAgent.slice(0, USER_AGENT_LENGTH_MAX);
    const key = `${source} ${name}`;
    const client = this.#clients.get(key) ?? {
      source,
      userAgent: name,
      ...NOTHING,
      remoteAddress,
      lastSeenAtMs: nowMs,
    };
    count(client, outcome);
    client.remoteAddress = remoteAddress;
    client.lastSeenAtMs = nowMs;
    this.#clients.delete(key);
    this.#clients.set(key, client);
    const [oldest] = this.#clients.keys();
    if (this.#clients.size > INGEST_CLIENT_COUNT_MAX && oldest !== undefined) this.#clients.delete(oldest);
  }

  /** Clients, the most recent first. */
  clients(): IngestClient[] {
    return Array.from(this.#clients.values(), (client) => ({ ...client })).reverse();
  }

  /** Bins up to now, the oldest first, including empty ones. */
  bins(): ActivityBin[] {
    const last = startOf(this.#now());
    const found = new Map(this.#bins.map((bin) => [bin.startMs, bin]));
    return Array.from({ length: ACTIVITY_BIN_COUNT }, (_, index) => {
      const startMs = last - (ACTIVITY_BIN_COUNT - 1 - index) * ACTIVITY_BIN_MS;
      return { ...(found.get(startMs) ?? { startMs, ...NOTHING }) };
    });
  }

  #bin(nowMs: number): Counts {
    const startMs = startOf(nowMs);
    const last = this.#bins.at(-1);
    // If the clock was set back, requests count in the newest bin.
    if (last && last.startMs >= startMs) return last;
    const bin = { startMs, ...NOTHING };
    this.#bins.push(bin);
    if (this.#bins.length > ACTIVITY_BIN_COUNT) this.#bins.shift();
    return bin;
  }
}

const NOTHING = { requestCount: 0, rejectedRequestCount: 0, spanCount: 0, rejectedSpanCount: 0 };

const startOf = (ms: number): number => Math.floor(ms / ACTIVITY_BIN_MS) * ACTIVITY_BIN_MS;

function count(counts: typeof NOTHING, { spanCount, rejectedSpanCount, isRejected }: Outcome): void {
  counts.requestCount++;
  if (isRejected) counts.rejectedRequestCount++;
  counts.spanCount += spanCount;
  counts.rejectedSpanCount += rejectedSpanCount;
}
