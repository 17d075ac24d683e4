import assert from 'node:assert/strict';

/** A payload: the result of one execution of the operation. */
export interface Payload {
  // biome-ignore lint/suspicious/noExplicitAny: the operation determines the shape
  readonly data?: any;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

/** What a reader finds in a stream, in order. */
export type Found = { readonly payload: Payload } | 'heartbeat' | 'end';

export const TRANSPORTS = ['multipart', 'sse'] as const;
export type Transport = (typeof TRANSPORTS)[number];

export const ACCEPT: Readonly<Record<Transport, string>> = {
  multipart: 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json',
  sse: 'text/event-stream',
};

/** Reads a stream as it arrives. Throws when the body ends without the end of the stream. */
export async function* readStream(response: Response): AsyncGenerator<Found> {
  const type = response.headers.get('content-type') ?? '';
  assert.equal(response.headers.get('content-encoding'), null);
  const body = response.body ?? assert.fail('no body');
  yield* type.startsWith('text/event-stream') ? readEvents(body) : readParts(body, type);
}

/** As Apollo Client does: a part is complete when the next boundary has arrived. */
async function* readParts(body: ReadableStream<Uint8Array>, type: string): AsyncGenerator<Found> {
  assert.equal(type, 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json');
  const boundary = `\r\n--${/boundary="?([^;"]+)/.exec(type)![1]}`;
  let buffer = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    buffer += text;
    for (let at = buffer.indexOf(boundary); at !== -1; at = buffer.indexOf(boundary)) {
      const part = buffer.slice(0, at);
      buffer = buffer.slice(at + boundary.length);
      if (part.trim() === '') continue;
      const [head, json] = part.split('\r\n\r\n');
      assert.match(head!, /^\r\nContent-Type: application\/json$/i);
      const parsed = JSON.parse(json!) as { readonly payload?: Payload };
      yield parsed.payload ? { payload: parsed.payload } : 'heartbeat';
    }
    if (!buffer.startsWith('--')) continue;
    assert.equal(buffer.trim(), '--');
    yield 'end';
    return;
  }
  assert.fail(`the body ended with ${JSON.stringify(buffer)}`);
}

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<Found> {
  let buffer = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    buffer += text;
    for (let at = buffer.indexOf('\n\n'); at !== -1; at = buffer.indexOf('\n\n')) {
      const lines = buffer.slice(0, at).split('\n');
      buffer = buffer.slice(at + 2);
      const event = lines.find((line) => line.startsWith('event: '))?.slice(7);
      if (event === undefined) yield 'heartbeat';
      else if (event === 'complete') yield 'end';
      else yield { payload: JSON.parse(lines.find((line) => line.startsWith('data: '))!.slice(6)) as Payload };
      if (event === 'complete') return;
    }
  }
  assert.fail(`the body ended with ${JSON.stringify(buffer)}`);
}

/** The payloads of a whole stream, which must have an end. */
export async function readPayloads(response: Response): Promise<Payload[]> {
  const found: Found[] = [];
  for await (const one of readStream(response)) found.push(one);
  assert.equal(found.at(-1), 'end');
  return found.flatMap((one) => (typeof one === 'object' ? [one.payload] : []));
}
