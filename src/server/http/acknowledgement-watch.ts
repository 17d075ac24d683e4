import { toAddress } from '../guards/trusted-proxies.ts';
import type { Exchange } from './exchange.ts';
import { readSendQueues, type SendQueue } from './send-queues.ts';
import type { SendProgress } from './send-response.ts';

/** Part of a request that the watch observes. */
export interface WatchedResponse {
  readonly exchange: Pick<Exchange, 'cut' | 'remoteAddress' | 'remotePort'>;
  /** Set while the response is being sent. */
  readonly sending: SendProgress | undefined;
}

const INTERVAL_MS_MAX = 3_000;

/**
 * Ends responses whose reader acknowledges nothing for a time. On systems that do not report what was acknowledged, nothing is
 * done.
 *
 * @param msMax Time in milliseconds.
 */
export function startAcknowledgementWatch(
  inFlight: ReadonlySet<WatchedResponse>,
  msMax: number,
  localPort: number,
): { stop(): void } {
  const watch = new AcknowledgementWatch(msMax);
  let sentBefore = new WeakSet<SendProgress>();
  let isReading = false;
  const look = async () => {
    const sending = [...inFlight].flatMap((one) => (one.sending ? [{ one, progress: one.sending }] : []));
    // Short responses end between two looks, and the tables are not read for them.
    const long = sending.filter(({ progress }) => sentBefore.has(progress));
    sentBefore = new WeakSet(sending.map(({ progress }) => progress));
    if (long.length === 0 || isReading) return;
    isReading = true;
    const queues = await readSendQueues(localPort);
    isReading = false;
    if (queues === undefined) return stop();
    const responses = long.map(({ one }) => one);
    for (const { exchange } of watch.findStalled(responses, queues, performance.now())) exchange.cut();
  };
  const timer = setInterval(() => void look(), Math.min(INTERVAL_MS_MAX, msMax / 4));
  timer.unref();
  const stop = () => clearInterval(timer);
  return { stop };
}

interface Group {
  /** The responses that were being sent when the group was last seen. */
  readonly responses: ReadonlySet<WatchedResponse>;
  sinceMs: number;
  /** Most bytes that were acknowledged so far, without the bytes of headers. */
  acknowledgedBytes: number;
}

/**
 * Finds responses whose bytes the kernel has taken and whose reader acknowledges none of them: the machine of the reader is
 * gone, or its process no longer reads. The size of the kernel's buffer decides when a writer would notice; a stream that
 * sends little would stay open for hours.
 *
 * A response is known by the address and port of its connection. uWebSockets.js for Node.js 20 has no port: then the responses
 * of one address are a group, and end together if none of their connections moves.
 */
export class AcknowledgementWatch {
  readonly #msMax: number;
  #groups = new Map<string, Group>();

  constructor(msMax: number) {
    this.#msMax = msMax;
  }

  /** The responses without a single acknowledgement for longer than allowed. Called at every look, in order. */
  findStalled(responses: Iterable<WatchedResponse>, queues: readonly SendQueue[], nowMs: number): WatchedResponse[] {
    const groups = new Map<string, Group>();
    const stalled: WatchedResponse[] = [];
    for (const [key, members] of groupByConnection(responses)) {
      const own = queues.filter((queue) => key === queue.remoteAddress || key === connectionKey(queue));
      // With fewer queues than responses, at least one of the responses has arrived.
      if (own.length < members.size) continue;
      const sentBytes = [...members].reduce((sum, { sending }) => sum + (sending?.bytes ?? 0), 0);
      const acknowledgedBytes = sentBytes - own.reduce((sum, { bytes }) => sum + bytes, 0);
      const group = this.#groups.get(key);
      if (!group || !isSame(group.responses, members) || acknowledgedBytes > group.acknowledgedBytes) {
        groups.set(key, { responses: members, sinceMs: nowMs, acknowledgedBytes });
      } else {
        groups.set(key, group);
        if (nowMs - group.sinceMs > this.#msMax) stalled.push(...members);
      }
    }
    this.#groups = groups;
    return stalled;
  }
}

function groupByConnection(responses: Iterable<WatchedResponse>): Map<string, Set<WatchedResponse>> {
  const groups = new Map<string, Set<WatchedResponse>>();
  for (const response of responses) {
    const { remoteAddress: given, remotePort } = response.exchange;
    const remoteAddress = toAddress(given);
    if (remoteAddress === undefined) continue;
    const key = remotePort === undefined ? remoteAddress : connectionKey({ remoteAddress, remotePort });
    const group = groups.get(key);
    if (group) group.add(response);
    else groups.set(key, new Set([response]));
  }
  return groups;
}

const connectionKey = ({ remoteAddress, remotePort }: Pick<SendQueue, 'remoteAddress' | 'remotePort'>): string =>
  `${remoteAddress} ${remotePort}`;

const isSame = <Item>(first: ReadonlySet<Item>, second: ReadonlySet<Item>): boolean =>
  first.size === second.size && [...first].every((item) => second.has(item));
