import type { Dispatcher } from 'undici';
import { MODEL_ERROR_BYTES_MAX } from '../../model/limits/model-calls.ts';
import type { VendorLimit } from '../../model/models/vendor-limit.ts';
import { ModelError } from '../contract/model-error.ts';
import { toConnectionError } from './connection-error.ts';
import { readLimits } from './read-limits.ts';
import type { ReadTurns } from './read-turns.ts';
import { type BodyForm, ResponseBody } from './response-body.ts';
import { toResponseError } from './vendor-error.ts';
import { VendorResponse } from './vendor-response.ts';

export interface TimeLimits {
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly idleMs: number;
}

interface RequestOptions {
  readonly url: URL;
  readonly secrets: readonly string[];
  readonly times: TimeLimits;
  readonly form: BodyForm;
  readonly hold: (bytes: number) => void;
  readonly turns: ReadTurns;
  readonly onLimits: ((limits: readonly VendorLimit[]) => void) | undefined;
}

/** A response that becomes an error, with the part of its body that has arrived. */
interface FailedBody {
  readonly status: number;
  readonly headers: Headers;
  readonly chunks: Buffer[];
  bytes: number;
}

type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** One request on its connection. It ends once: with a whole body, or with an error that closes the connection. */
export class VendorRequest implements Dispatcher.DispatchHandler {
  readonly response: Promise<VendorResponse>;
  readonly #options: RequestOptions;
  #resolve!: (response: VendorResponse) => void;
  #reject!: (error: ModelError) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #body: ResponseBody | undefined;
  #failed: FailedBody | undefined;
  #error: ModelError | undefined;
  #isDone = false;
  #timer: NodeJS.Timeout;

  constructor(options: RequestOptions) {
    this.#options = options;
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // The caller may have ended before it waits for the response.
    this.response.catch(() => {});
    const { times, url } = options;
    this.#timer = setTimeout(
      () => this.fail(new ModelError('timedOut', `The connection to ${url.host} timed out.`)),
      times.connectMs,
    );
  }

  get error(): ModelError | undefined {
    return this.#error;
  }

  /** Closes the connection, unless the request has ended. */
  fail(error: ModelError): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#error = error;
    clearTimeout(this.#timer);
    this.#reject(error);
    this.#body?.fail(error);
    this.#controller?.abort(error);
  }

  /** Closes the connection of a response that its reader has left. */
  close(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    clearTimeout(this.#timer);
    this.#controller?.abort(new Error(STOPPED));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isDone) controller.abort(this.#error ?? new Error('ended'));
    else this.#startTimer(this.#options.times.firstByteMs, 'The model endpoint did not respond in time.');
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, received: ReceivedHeaders): void {
    if (status < 200 || this.#isDone) return;
    this.#startTimer(this.#options.times.idleMs, 'The model endpoint stopped sending.');
    const headers = toHeaders(received);
    this.#reportLimits(headers);
    if (status > 299) {
      this.#failed = { status, headers, chunks: [], bytes: 0 };
      return;
    }
    const problem = problemOf(headers);
    if (problem !== undefined) {
      this.fail(new ModelError('unreadable', problem, { status }));
      return;
    }
    // A stream was requested, so JSON is an error, or the response of an endpoint that does not stream.
    if (this.#options.form === 'events' && /^application\/(.*\+)?json$/.test(mediaType(headers))) {
      this.#failed = { status, headers, chunks: [], bytes: 0 };
      return;
    }
    const { form, hold, turns } = this.#options;
    const flow = {
      pause: () => this.#controller?.pause(),
      resume: () => this.#controller?.resume(),
      cancel: () => this.close(),
      hold,
    };
    this.#body = new ResponseBody(form, flow, turns);
    this.#resolve(new VendorResponse({ status, headers, url: this.#options.url.href, body: this.#body }));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isDone) return;
    this.#timer.refresh();
    if (this.#failed) {
      this.#failed.chunks.push(chunk);
      this.#failed.bytes += chunk.length;
      if (this.#failed.bytes > MODEL_ERROR_BYTES_MAX) this.#failWithResponse(this.#failed);
      return;
    }
    try {
      this.#body?.push(chunk);
    } catch (error) {
      this.fail(error as ModelError);
    }
  }

  onResponseEnd(): void {
    if (this.#isDone) return;
    if (this.#failed) {
      this.#failWithResponse(this.#failed);
      return;
    }
    this.#isDone = true;
    clearTimeout(this.#timer);
    this.#body?.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // The received part of an error is more precise than the end of its connection.
    if (this.#failed && this.#failed.bytes > 0) this.#failWithResponse(this.#failed);
    else this.fail(toConnectionError(error, this.#options.url.host));
  }

  #failWithResponse({ status, headers, chunks }: FailedBody): void {
    const bodyText = Buffer.concat(chunks).subarray(0, MODEL_ERROR_BYTES_MAX).toString('utf8');
    const error = toResponseError({ status, headers, bodyText }, this.#options.secrets);
    this.fail(error);
  }

  #reportLimits(headers: Headers): void {
    const { onLimits } = this.#options;
    const limits = onLimits ? readLimits(headers) : [];
    if (limits.length > 0) onLimits?.(limits);
  }

  #startTimer(ms: number, text: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.fail(new ModelError('timedOut', text)), ms);
  }
}

export const STOPPED = 'The call to the model was stopped.';

function toHeaders(received: ReceivedHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      try {
        if (one !== undefined) headers.append(name, one);
      } catch {
        // A value that is no header of HTTP is of no use.
      }
    }
  }
  return headers;
}

function problemOf(headers: Headers): string | undefined {
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity') {
    return 'The response of the model endpoint is compressed, although the request did not allow it.';
  }
  return mediaType(headers) === 'text/html'
    ? 'The model endpoint responded with a page instead of a result. Check the base URL.'
    : undefined;
}

const mediaType = (headers: Headers): string =>
  (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
