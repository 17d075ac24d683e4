import { formatUnixNano } from '../../model/datetime.ts';
import { toGlobalId } from '../../model/global-id.ts';
import { EVENT_HEARTBEAT_MS, EVENT_INTERVAL_MS_MIN, EVENT_STREAM_COUNT_MAX } from '../../model/limits.ts';
import type { Domain } from '../../domain/domain.ts';
import { getProject } from '../../domain/projects/get-project.ts';
import { type HttpRequest, type HttpResponse, type Route, textResponse } from '../../server/route.ts';
import { readQuery } from './read-request.ts';

export interface EventsOptions {
  readonly domain: Pick<Domain, 'projects' | 'spans'>;
  /** Shorter times and smaller numbers, for tests. */
  readonly heartbeatMs?: number;
  readonly intervalMs?: number;
  readonly streamCountMax?: number;
}

export interface Events {
  readonly routes: readonly Route[];
  /** Ends every stream; a new one ends at once. */
  close(): void;
}

/**
 * `GET /events?project=<name or global ID>`: server-sent events that say when the spans of a project, or without one of
 * any, have changed. An event tells the time alone, so what a slow reader has not taken yet is always one event; a reader
 * that takes nothing for `RESPONSE_STALL_MS_MAX` is cut off like any other.
 */
export function openEvents({
  domain,
  heartbeatMs = EVENT_HEARTBEAT_MS,
  intervalMs = EVENT_INTERVAL_MS_MIN,
  streamCountMax = EVENT_STREAM_COUNT_MAX,
}: EventsOptions): Events {
  const closing = new AbortController();
  let streamCount = 0;

  async function handle(request: HttpRequest): Promise<HttpResponse> {
    const identifier = readQuery(request.query).get('project')?.at(-1);
    const project = identifier === undefined ? undefined : await getProject(domain, identifier);
    if (streamCount >= streamCountMax) return textResponse(503, 'Too many streams of events', { 'retry-after': '5' });
    const pieces = changes(project?.rowId, AbortSignal.any([request.signal, closing.signal]));
    return {
      status: 200,
      // A proxy must not gather events.
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
      body: pieces,
    };
  }

  async function* changes(projectId: number | undefined, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    // Here, not before: of an answer that is never read the generator never runs, and so never ends.
    streamCount++;
    const wait = new Wait(signal);
    let isChanged = true;
    const unsubscribe = domain.spans.onChange((projectIds) => {
      if (projectId !== undefined && projectIds && !projectIds.includes(projectId)) return;
      isChanged = true;
      wait.wake();
    });
    try {
      yield Buffer.from('retry: 2000\n\n');
      while (!signal.aborted) {
        if (isChanged) {
          isChanged = false;
          yield Buffer.from(toEvent(projectId, await domain.spans.lastChangedAt(projectId)));
          // What changes meanwhile is one event after it.
          await wait.sleep(intervalMs, () => false);
        } else {
          await wait.sleep(heartbeatMs, () => isChanged);
          if (!isChanged && !signal.aborted) yield Buffer.from(': heartbeat\n\n');
        }
      }
    } finally {
      unsubscribe();
      streamCount--;
    }
  }

  return {
    routes: [{ method: 'GET', path: '/events', access: 'viewer', bodyBytesMax: 0, handle }],
    close: () => closing.abort(),
  };
}

/** `lastChangedMs` undefined: not since the server began. */
function toEvent(projectId: number | undefined, lastChangedMs: number | undefined): string {
  const data = {
    project: projectId === undefined ? null : toGlobalId('Project', projectId),
    last_changed_at: lastChangedMs === undefined ? null : formatUnixNano(BigInt(lastChangedMs) * 1_000_000n),
  };
  return `event: change\ndata: ${JSON.stringify(data)}\n\n`;
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

  /** So long, or until a wake after which the condition holds. */
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
