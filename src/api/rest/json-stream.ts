import { setImmediate as nextTurn } from 'node:timers/promises';
import { type HttpResponse, jsonTextResponse } from '../../server/route.ts';

/** Characters of JSON that are written without yielding to the event loop: about 2 ms of work. */
export const PIECE_CHARS = 256 * 1024;

/** JSON text that is written in chunks while it is sent, so that a long response blocks neither the thread nor memory. */
export class JsonStream {
  readonly pieces: AsyncIterable<string>;
  constructor(pieces: AsyncIterable<string>) {
    this.pieces = pieces;
  }
}

/** One piece is sent whole, with its length; and what fails before the second is still answered with its status. */
export async function streamResponse(status: number, { pieces }: JsonStream): Promise<HttpResponse> {
  const iterator = pieces[Symbol.asyncIterator]();
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

/** `head`, the texts of items with commas between them, and `tail`; the event loop turns between pieces. */
export async function* listPieces<Item>(
  head: string,
  items: readonly Item[],
  toText: (item: Item) => string,
  tail: string,
): AsyncGenerator<string> {
  let piece = head;
  for (const [index, item] of items.entries()) {
    piece += index === 0 ? toText(item) : `,${toText(item)}`;
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = '';
    await nextTurn();
  }
  yield piece + tail;
}
