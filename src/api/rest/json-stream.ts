import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type HttpResponse, jsonTextResponse } from '../../server/route.ts';

/** Characters of JSON that are written without yielding to the event loop: about 2 ms of work. */
export const CHUNK_CHARS = 256 * 1024;

/** JSON text that is written in chunks while it is sent, so that a long response blocks neither the thread nor memory. */
export class JsonStream {
  readonly chunks: AsyncIterable<string>;
  constructor(chunks: AsyncIterable<string>) {
    this.chunks = chunks;
  }
}

/** A single chunk is sent whole, with its length. An error before the second chunk still determines the status. */
export async function streamResponse(status: number, { chunks }: JsonStream): Promise<HttpResponse> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return jsonTextResponse(status, '');
  const second = await iterator.next();
  if (second.done) return jsonTextResponse(status, first.value);
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: toBytes([first.value, second.value], iterator),
  };
}

async function* toBytes(texts: string[], rest: AsyncIterator<string>): AsyncGenerator<Uint8Array> {
  try {
    for (const text of texts.splice(0)) yield Buffer.from(text);
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield Buffer.from(next.value);
  } finally {
    await rest.return?.();
  }
}

/** Streams `head`, the item texts with commas between them, and `tail`. Yields to the event loop between chunks. */
export async function* listChunks<Item>(
  head: string,
  items: readonly Item[],
  toText: (item: Item) => string,
  tail: string,
): AsyncGenerator<string> {
  let chunk = head;
  for (const [index, item] of items.entries()) {
    chunk += index === 0 ? toText(item) : `,${toText(item)}`;
    if (chunk.length < CHUNK_CHARS) continue;
    yield chunk;
    chunk = '';
    await yieldToEventLoop();
  }
  yield chunk + tail;
}
