import type { HttpResponse } from '../../../server/route.ts';

/** A form of the stream of payloads over HTTP. Every text can be processed as soon as it arrives. */
export interface StreamForm {
  readonly contentType: string;
  /** Before the first payload. */
  readonly opening: string;
  /** @param json JSON text of an execution result, which contains no line break */
  payload(json: string): string;
  readonly heartbeat: string;
  readonly closing: string;
}

/**
 * Multipart subscriptions of Apollo. A part is followed by the next boundary at once, because readers look for it to find the
 * end of the part.
 */
const MULTIPART: StreamForm = {
  contentType: 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json',
  opening: '\r\n--graphql',
  payload: (json) => `\r\nContent-Type: application/json\r\n\r\n{"payload":${json}}\r\n--graphql`,
  heartbeat: '\r\nContent-Type: application/json\r\n\r\n{}\r\n--graphql',
  closing: '--\r\n',
};

/** GraphQL over SSE, distinct connections mode. */
const EVENT_STREAM: StreamForm = {
  contentType: 'text/event-stream; charset=utf-8',
  opening: ':\n\n',
  payload: (json) => `event: next\ndata: ${json}\n\n`,
  heartbeat: ':\n\n',
  closing: 'event: complete\ndata:\n\n',
};

/** The form that a client accepts. `multipart/mixed` comes first, which public clients send together with JSON. */
export function acceptedForm(accept: string | undefined): StreamForm | undefined {
  const types = (accept ?? '').split(',').map((range) => range.replace(/;.*/s, '').trim().toLowerCase());
  if (types.includes('multipart/mixed')) return MULTIPART;
  return types.includes('text/event-stream') ? EVENT_STREAM : undefined;
}

/** Whether a client accepts no response of an operation but a stream of events. */
export const wantsEventStream = (accept: string | undefined): boolean =>
  /^\s*text\/event-stream\s*(;[^,]*)?$/i.test(accept ?? '');

/** Headers of a stream. A proxy must not buffer it. */
export const streamHeaders = ({ contentType }: StreamForm): Record<string, string> => ({
  'content-type': contentType,
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
});

/** The response of another operation as the only event of a stream. Errors of HTTP stay as they are. */
export function toEventStream(response: HttpResponse): HttpResponse {
  const { status, headers, body } = response;
  if (status !== 200 || headers?.['content-type'] !== 'application/json' || body === undefined) return response;
  const json = typeof body === 'string' ? body : Buffer.from(body as Uint8Array).toString();
  const { opening, closing } = EVENT_STREAM;
  return {
    ...response,
    headers: { ...headers, ...streamHeaders(EVENT_STREAM) },
    body: `${opening}${EVENT_STREAM.payload(json)}${closing}`,
  };
}
