import { BODY_STALL_SHARE_MIN } from '../../model/limits/requests.ts';
import type { Exchange } from './exchange.ts';
import type { IncomingBody } from './request-body.ts';
import type { SendProgress } from './send-response.ts';

/** Part of a request that the watch observes. */
export interface WatchedRequest {
  readonly exchange: Pick<Exchange, 'cut' | 'heartbeat'>;
  /** Set while the body is being received. */
  body: IncomingBody | undefined;
  /** Set while the response is being sent. */
  sending: SendProgress | undefined;
}

export interface StallLimits {
  /** Within this time, a body must end, or receive `bodyBytesMin` more bytes and a share of the bytes that it holds. */
  readonly bodyMsMax: number;
  readonly bodyBytesMin: number;
  /** A response that waits for its reader must move within this time. */
  readonly responseMsMax: number;
}

/** More often than the 8 s after which uWebSockets.js may close a connection as idle. */
const INTERVAL_MS_MAX = 3_000;

interface Window {
  startedMs: number;
  bytes: number;
}

/**
 * Ends requests whose body or reader makes no progress, and prevents the engine from closing those that do or that may
 * wait.
 */
export function startStallWatch(inFlight: ReadonlySet<WatchedRequest>, limits: StallLimits): { stop(): void } {
  const windows = new WeakMap<object, Window>();

  /** True when fewer than `bytesMin` were added to `bytes` since the window began, and that is longer ago than allowed. */
  const isStalled = (mover: object, bytes: number, bytesMin: number, msMax: number): boolean => {
    const now = performance.now();
    const window = windows.get(mover);
    if (window === undefined || bytes < window.bytes || bytes - window.bytes >= bytesMin) {
      windows.set(mover, { startedMs: now, bytes });
      return false;
    }
    return now - window.startedMs > msMax;
  };

  const look = (request: WatchedRequest) => {
    const { body, sending, exchange } = request;
    if (body !== undefined && !body.isAwaited) {
      windows.delete(body);
      exchange.heartbeat();
    } else if (body !== undefined) {
      const bytesMin = Math.max(limits.bodyBytesMin, body.heldBytes * BODY_STALL_SHARE_MIN);
      if (isStalled(body, body.byteCount, bytesMin, limits.bodyMsMax)) body.fail({ kind: 'stalled' });
      else exchange.heartbeat();
    } else if (sending !== undefined) {
      // If a response waits for its own source, the reader is not at fault.
      const bytesMin = sending.isBlocked ? 1 : 0;
      if (isStalled(sending, sending.bytes, bytesMin, limits.responseMsMax)) exchange.cut();
      else exchange.heartbeat();
    } else {
      exchange.heartbeat();
    }
  };
  const intervalMs = Math.min(INTERVAL_MS_MAX, limits.bodyMsMax / 4, limits.responseMsMax / 4);
  const timer = setInterval(() => {
    for (const request of inFlight) look(request);
  }, intervalMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
