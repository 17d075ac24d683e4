import type { Http2Session, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';

/** Interval of pings, which detect a dead peer behind a load balancer so that its connection is closed. */
const PING_INTERVAL_MS = 60_000;
const PONG_MS_MAX = 20_000;
const GOAWAY_TIMEOUT_MS = 1_000;

/**
 * Open connections of the gRPC listener, the longest idle one first. When there are too many, that one is closed.
 * Exporters reconnect automatically, so a client cannot lock them out by opening connections.
 */
export class GrpcSessions {
  readonly #countMax: number;
  readonly #windowBytes: number;
  readonly #sessions = new Map<Http2Session, { streamCount: number }>();
  readonly #pingTimer: NodeJS.Timeout;
  #whenEmpty: () => void = () => {};

  constructor(countMax: number, windowBytes: number) {
    this.#countMax = countMax;
    this.#windowBytes = windowBytes;
    this.#pingTimer = setInterval(() => this.#pingAll(), PING_INTERVAL_MS).unref();
  }

  get count(): number {
    return this.#sessions.size;
  }

  add(session: ServerHttp2Session): void {
    session.on('error', () => {});
    if (this.#sessions.size >= this.#countMax && !this.#closeIdle()) {
      session.destroy();
      return;
    }
    this.#sessions.set(session, { streamCount: 0 });
    session.once('close', () => {
      this.#sessions.delete(session);
      if (this.#sessions.size === 0) this.#whenEmpty();
    });
    session.setLocalWindowSize(this.#windowBytes);
  }

  /** Counts a call as open until it ends. */
  enter(stream: ServerHttp2Stream): void {
    const { session } = stream;
    const entry = session && this.#sessions.get(session);
    if (!entry) return;
    entry.streamCount++;
    this.#moveToEnd(session, entry);
    stream.once('close', () => {
      entry.streamCount--;
      if (this.#sessions.has(session)) this.#moveToEnd(session, entry);
    });
  }

  /** Waits up to `drainMsMax` for calls to end, then closes them. */
  async close(drainMsMax: number): Promise<void> {
    clearInterval(this.#pingTimer);
    for (const session of this.#sessions.keys()) session.close();
    if (this.#sessions.size === 0) return;
    const timer = setTimeout(() => {
      for (const session of this.#sessions.keys()) session.destroy();
    }, drainMsMax);
    await new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
    clearTimeout(timer);
  }

  #moveToEnd(session: Http2Session, entry: { streamCount: number }): void {
    this.#sessions.delete(session);
    this.#sessions.set(session, entry);
  }

  #closeIdle(): boolean {
    for (const [session, { streamCount }] of this.#sessions) {
      if (streamCount > 0) continue;
      this.#sessions.delete(session);
      // GOAWAY informs the peer that no call was lost. The server does not wait for a peer that does not read it.
      session.close();
      setTimeout(() => session.destroy(), GOAWAY_TIMEOUT_MS).unref();
      return true;
    }
    return false;
  }

  #pingAll(): void {
    for (const session of this.#sessions.keys()) {
      const timer = setTimeout(() => session.destroy(), PONG_MS_MAX).unref();
      const wasSent = !session.destroyed && session.ping(() => clearTimeout(timer));
      if (!wasSent) clearTimeout(timer);
    }
  }
}
