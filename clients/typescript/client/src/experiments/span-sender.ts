import type { SpandrelClient } from '../client.ts';
import type { NewSpan } from '../generated/api.ts';
import { logSpans, SpanCreationError } from '../spans/spans.ts';

/** Spans of one request, and those that wait; above this the oldest are dropped and counted. */
const BATCH_SPAN_COUNT = 200;
const WAITING_SPAN_COUNT_MAX = 20_000;
/** Characters of a value in a span; the run has the whole one. */
const VALUE_CHARS_MAX = 100_000;

/** A span of a task or evaluator. */
export interface WorkSpan {
  readonly name: string;
  readonly kind: 'CHAIN' | 'EVALUATOR';
  readonly traceId: string;
  readonly spanId: string;
  readonly startTime: Date;
  readonly endTime: Date;
  readonly error: string | null;
  /** A value of JSON. */
  readonly input: unknown;
  /** Undefined when the work has failed. */
  readonly output: unknown;
}

/** Sends spans in the background. Spans explain results and are not results: a failure is a warning. */
export class SpanSender {
  readonly #client: SpandrelClient;
  readonly #warn: (message: string) => void;
  #waiting: { readonly project: string; readonly span: NewSpan }[] = [];
  #sending: Promise<void> | undefined;
  #droppedCount = 0;

  constructor(client: SpandrelClient, warn: (message: string) => void) {
    this.#client = client;
    this.#warn = warn;
  }

  /** Queues a span of a project, with its values as they are now and cut, so that what waits is bounded. */
  add(project: string | null, span: WorkSpan): void {
    if (!project) return;
    this.#waiting.push({ project, span: toNewSpan(span) });
    if (this.#waiting.length > WAITING_SPAN_COUNT_MAX) {
      this.#waiting.shift();
      this.#droppedCount++;
    }
    if (this.#waiting.length >= BATCH_SPAN_COUNT) this.#send();
  }

  /** Sends what waits. Never rejects. */
  async flush(): Promise<void> {
    while (this.#waiting.length > 0 || this.#sending) await this.#send();
    if (this.#droppedCount > 0)
      this.#warn(`${this.#droppedCount} spans of tasks were dropped, because the server did not take them in time.`);
    this.#droppedCount = 0;
  }

  #send(): Promise<void> {
    this.#sending ??= this.#sendWaiting().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const project = this.#waiting[0]?.project ?? '';
      const batch = this.#waiting.filter((each) => each.project === project).slice(0, BATCH_SPAN_COUNT);
      const taken = new Set(batch);
      this.#waiting = this.#waiting.filter((each) => !taken.has(each));
      try {
        await logSpans({
          client: this.#client,
          project: { projectName: project },
          spans: batch.map(({ span }) => span),
        });
      } catch (error) {
        // Of a request that is repeated the server has the spans already.
        if (error instanceof SpanCreationError && error.totalInvalid === 0) continue;
        // The client has repeated the request already, so the end of a run does not wait for every batch.
        const lostCount = batch.length + this.#waiting.length;
        this.#waiting = [];
        this.#warn(`${lostCount} spans were not stored: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
}

const toNewSpan = (span: WorkSpan): NewSpan => ({
  name: span.name,
  context: { trace_id: span.traceId, span_id: span.spanId },
  span_kind: span.kind,
  start_time: span.startTime.toISOString(),
  end_time: span.endTime.toISOString(),
  status_code: span.error === null ? 'OK' : 'ERROR',
  status_message: span.error ?? '',
  attributes: toAttributes(span),
});

/** Random hexadecimal digits for IDs of OpenTelemetry. */
export const randomHex = (byteCount: number): string =>
  [...crypto.getRandomValues(new Uint8Array(byteCount))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

function toAttributes({ kind, input, output }: WorkSpan): Record<string, unknown> {
  const attributes: Record<string, unknown> = { 'openinference.span.kind': kind };
  addValue(attributes, 'input', input);
  if (output !== undefined) addValue(attributes, 'output', output);
  return attributes;
}

/** Adds a value under `input` or `output`: text as it is, anything else as JSON. */
function addValue(attributes: Record<string, unknown>, side: 'input' | 'output', value: unknown): void {
  const isText = typeof value === 'string';
  const text = isText ? value : JSON.stringify(value ?? null);
  const shown = text.length > VALUE_CHARS_MAX ? `${text.slice(0, VALUE_CHARS_MAX)}…` : text;
  attributes[`${side}.value`] = shown;
  // JSON that was cut is none.
  attributes[`${side}.mime_type`] = isText || shown !== text ? 'text/plain' : 'application/json';
}
