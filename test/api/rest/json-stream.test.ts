import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { JsonStream, listChunks, streamResponse } from '../../../src/api/rest/json-stream.ts';

const LONG = 'x'.repeat(100_000);

async function textOf(body: unknown): Promise<string> {
  if (typeof body === 'string') return body;
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const stream = (items: readonly unknown[], toText = (item: unknown) => JSON.stringify(item)) =>
  streamResponse(200, new JsonStream(listChunks('{"data":[', items, toText, '],"next_cursor":null}')));

describe('JSON that is made while it is sent', () => {
  for (const count of [0, 1, 2, 3, 50]) {
    test(`is the text of all items (${count} long ones)`, async () => {
      const items = Array.from({ length: count }, (_, index) => ({ index, LONG }));
      const { body } = await stream(items);
      assert.deepEqual(JSON.parse(await textOf(body)), { data: items, next_cursor: null });
    });
  }

  test('is sent whole when it is short', async () => {
    assert.equal((await stream(['a', 'b'])).body, '{"data":["a","b"],"next_cursor":null}');
  });

  test('yields the event loop between chunks', async () => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await textOf((await stream(Array(100).fill(LONG))).body);
    isOver = true;
    // 10 MB in pieces of 256 KiB.
    assert.ok(turns >= 30, `${turns} turns`);
  });

  test('makes no more than is taken, and ends when the reader goes', async () => {
    let made = 0;
    const { body } = await stream(Array(100).fill(LONG), (item) => {
      made++;
      return JSON.stringify(item);
    });
    const iterator = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    await iterator.next();
    assert.ok(made <= 9, `${made} of 100 items`);
    await iterator.return?.();
    assert.deepEqual(await iterator.next(), { done: true, value: undefined });
    assert.ok(made <= 9);
  });

  test('is an error before anything is sent when the first chunk fails', async () => {
    await assert.rejects(
      stream(['a'], () => {
        throw new Error('no text');
      }),
      /no text/,
    );
  });
});
