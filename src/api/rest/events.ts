import type { Caller } from '../../model/access/caller.ts';
import { EVENT_HEARTBEAT_MS, EVENT_INTERVAL_MS_MIN, EVENT_STREAM_COUNT_MAX } from '../../model/limits/reads.ts';
import type { Domain } from '../../domain/domain.ts';
import { errorTextResponse } from '../../server/error-response.ts';
import type { HttpRequest, HttpResponse, Route } from '../../server/route.ts';
import { withGlobalIds } from '../contract/error-texts.ts';
import { type EventTopic, readTopics } from './event-topics.ts';

export interface EventsOptions {
  readonly domainFor: (caller: Caller, remoteAddress: string) => Pick<Domain, 'projects' | 'spans'>;
  /** Shorter times and smaller numbers, for tests. */
  readonly heartbeatMs?: number;
  readonly intervalMs?: number;
  readonly streamCountMax?: number;
}

export interface Events {
  readonly routes: readonly Route[];
  /** Ends every stream. New streams end at once. */
  close(): void;
}

/**
 * `GET /events?project=…&trace=…&session=…`: server-sent events that report when spans or annotations of a project,
 * trace or session have changed, or of any project without a parameter. The first event of each topic is sent at once.
 * An event contains only the time, so at most one event per topic is queued for a slow reader. A reader that receives
 * nothing for `RESPONSE_STALL_MS_MAX` is disconnected like any other.
 */
export function openEvents({
  domainFor,
  heartbeatMs = EVENT_HEARTBEAT_MS,
  intervalMs = EVENT_INTERVAL_MS_MIN,
  streamCountMax = EVENT_STREAM_COUNT_MAX,
}: EventsOptions): Events {
  const closing = new AbortController();
  let streamCount = 0;

  async function handle(request: HttpRequest): Promise<HttpResponse> {
    const { caller } = request;
    const domain = domainFor(caller, request.clientAddress);
    const topics = await readTopics(domain, request.query).catch((error) => {
      throw withGlobalIds(error);
    });
    if (streamCount >= streamCountMax) {
      return errorTextResponse('EVENT_STREAMS_TOO_MANY', 'Too many streams of events', { 'retry-after': '5' });
    }
    // The stream ends with the credential.
    const revoked = caller.kind === 'signedIn' ? [caller.signal] : [];
    const chunks = changes(domain, topics, AbortSignal.any([request.signal, closing.signal, ...revoked]));
    return {
      status: 200,
      // A proxy must not buffer events.
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
      body: chunks,
    };
  }

  async function* changes(
    domain: Pick<Domain, 'projects' | 'spans'>,
    topics: readonly EventTopic[],
    ended: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    // Here, not before: of an answer that is never read the generator never runs, and so never ends.
    streamCount++;
    // It also ends when one of its projects is hidden from the caller.
    const access = domain.projects.watchAccess(topics.flatMap(({ projectId }) => projectId ?? []));
    const signal = AbortSignal.any([ended, access.signal]);
    const wait = new Wait(signal);
    /** Topics with an unsent change, and the time of the change in ms. */
    const changed = new Map<EventTopic, number | undefined>(topics.map((topic) => [topic, undefined]));
    const unsubscribe = domain.spans.onChange((change) => {
      for (const topic of topics) if (topic.isChangedBy(change)) changed.set(topic, Date.now());
      if (changed.size > 0) wait.wake();
    });
    try {
      yield Buffer.from('retry: 2000\n\n');
      while (!signal.aborted) {
        if (changed.size > 0) {
          const told = [...changed];
          changed.clear();
          const events = await Promise.all(told.map(([topic, changedAtMs]) => topic.toEvent(changedAtMs)));
          yield Buffer.from(events.join(''));
          // Changes during this time are one event after it.
          await wait.sleep(intervalMs, () => false);
        } else {
          await wait.sleep(heartbeatMs, () => changed.size > 0);
          if (changed.size === 0 && !signal.aborted) yield Buffer.from('event: heartbeat\ndata: {}\n\n');
        }
      }
    } finally {
      unsubscribe();
      access.close();
      streamCount--;
    }
  }

  return {
    routes: [{ method: 'GET', path: '/events', access: 'viewer', bodyBytesMax: 0, handle }],
    close: () => closing.abort(),
  };
}

/** A sleep that an event may end, and that the end of the stream does. */
class Wait {
  readonly #signal: AbortSignal;
  #wake: () => void = () => {};

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.wake(), { once: true });
  }

  wake(): void {
    this.#wake();
  }

  /** Sleeps for this time, or until a wake after which the condition holds. */
  async sleep(ms: number, isOver: () => boolean): Promise<void> {
    if (isOver() || this.#signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        if (!isOver() && !this.#signal.aborted) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = () => {};
  }
}
