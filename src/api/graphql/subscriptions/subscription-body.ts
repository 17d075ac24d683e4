import { SUBSCRIPTION_WRITE_CHARS } from '../../../model/limits/subscriptions.ts';
import type { TimeSlices } from '../execution/time-slices.ts';
import { EventQueue, type HeldChars } from './event-queue.ts';
import type { EventSource } from './event-source.ts';
import type { PayloadBuilder } from './payload-builder.ts';
import type { StreamForm } from './stream-forms.ts';

export interface SubscriptionBodyOptions {
  readonly source: EventSource;
  readonly builder: Pick<PayloadBuilder, 'build' | 'countMax'>;
  readonly form: StreamForm;
  /** Aborted when the body has ended. Its reason, when it is aborted before, ends the body. */
  readonly controller: AbortController;
  /** Fires when the client has disconnected, so that nothing is written anymore. */
  readonly client: AbortSignal;
  readonly held: HeldChars & { readonly slices: TimeSlices };
  readonly heartbeatMs: number;
  readonly waitingCharsMax: number;
  /** JSON text of the payload for an error that ends the subscription. */
  readonly failed: (error: unknown) => string;
  /** Called before the end is written, when the work has ended by itself. */
  readonly beforeEnd: () => Promise<void>;
}

/** The body of a response that sends the payloads of a subscription while its events arrive. */
export async function* subscriptionBody(options: SubscriptionBodyOptions): AsyncGenerator<Uint8Array> {
  const { source, builder, form, controller, client, held, heartbeatMs } = options;
  const { signal } = controller;
  const queue = new EventQueue(source, held, options.waitingCharsMax);
  let wake = () => {};
  let end: { readonly error?: unknown } | undefined;
  let isSilent = false;
  let writableAt = 0;
  const ended = () => {
    end ??= { error: signal.reason };
    wake();
  };
  const timer = setTimeout(() => {
    isSilent = true;
    wake();
  }, heartbeatMs);
  try {
    if (signal.aborted) ended();
    else signal.addEventListener('abort', ended, { once: true });
    void collect(source, queue, () => wake()).then((reached) => {
      end ??= reached;
      wake();
    });
    yield Buffer.from(form.opening);
    while (!client.aborted) {
      if (queue.count > 0 && !signal.aborted) {
        const waitMs = writableAt - performance.now();
        if (waitMs > 0) await waitOrEnd(waitMs, signal);
        const text = signal.aborted ? '' : await nextTexts(queue, options);
        if (text !== '') yield Buffer.from(text);
        writableAt = performance.now() + (source.writeIntervalMs ?? 0);
        timer.refresh();
        isSilent = false;
      } else if (end) {
        if ('error' in end) yield Buffer.from(form.payload(options.failed(end.error)));
        else await options.beforeEnd();
        yield Buffer.from(form.closing);
        return;
      } else if (isSilent) {
        isSilent = false;
        timer.refresh();
        yield Buffer.from(form.heartbeat);
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', ended);
    controller.abort();
    queue.clear();
  }

  /** Builds payloads until a write is full, the queue is empty or other work waits. */
  async function nextTexts(
    events: EventQueue<unknown>,
    { held: { slices } }: SubscriptionBodyOptions,
  ): Promise<string> {
    if (slices.isOver()) await slices.waitOrLeave(signal).catch(() => {});
    let text = '';
    do {
      for (const json of await builder.build(events.take(builder.countMax))) text += form.payload(json);
    } while (text.length < SUBSCRIPTION_WRITE_CHARS && events.count > 0 && !slices.isOver() && !signal.aborted);
    return text;
  }
}

function waitOrEnd(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}

/** Moves events to the queue as they arrive, and returns how they ended. */
async function collect(
  { events }: EventSource,
  queue: EventQueue<unknown>,
  onEvent: () => void,
): Promise<{ readonly error?: unknown }> {
  try {
    for await (const event of events) {
      queue.push(event);
      onEvent();
    }
    return {};
  } catch (error) {
    return { error };
  }
}
