import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadHandler, type McpRequestOptions } from '../../src/api/mcp/load-handler.ts';

const toCall = (id: number, signal?: AbortSignal) =>
  new Request('http://spandrel.invalid/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: 'Bearer token-of-the-caller',
      cookie: 'session=token-of-the-caller',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'list-projects', arguments: {} },
    }),
    ...(signal && { signal }),
  });
const PAGE = { data: [], next_cursor: null };
const open = () => loadHandler({ version: '1.0.0', onError: () => {} });

/** Requests of tools, each of which waits until it is answered or cancelled. */
function holdRequests() {
  const held: { readonly request: Request; readonly answer: () => void }[] = [];
  const options: McpRequestOptions = {
    allowsWrites: false,
    fetch: (request) =>
      new Promise((resolve, reject) => {
        held.push({ request, answer: () => resolve(Response.json(PAGE)) });
        request.signal.addEventListener('abort', () => reject(request.signal.reason), { once: true });
      }),
  };
  const until = async (count: number) => {
    for (let round = 0; held.length < count && round < 400; round++) await sleep(5);
    assert.equal(held.length, count);
  };
  return { held, options, until };
}

describe('the handler of /mcp', () => {
  test('sends no credential of the caller with the requests of tools', async () => {
    const { held, options, until } = holdRequests();
    const handler = await open();
    const response = handler.handle(toCall(1), options);
    await until(1);
    held[0]?.answer();
    assert.equal((await response).status, 200);
    assert.deepEqual(
      [...(held[0]?.request.headers ?? [])].filter(([, value]) => value.includes('token-of-the-caller')),
      [],
    );
    await handler.close();
  });

  test('cancels the requests of a tool when the caller disconnects', async () => {
    const { held, options, until } = holdRequests();
    const handler = await open();
    const caller = new AbortController();
    const response = handler.handle(toCall(1, caller.signal), options).catch(() => undefined);
    await until(1);
    const { signal } = held[0]?.request ?? {};
    assert.ok(signal && !signal.aborted);
    const aborted = once(signal, 'abort');
    caller.abort();
    await aborted;
    await response;
    await handler.close();
  });

  test('runs eight calls at once, and lets 64 wait', async () => {
    const { held, options, until } = holdRequests();
    const handler = await open();
    const texts = Array.from({ length: 73 }, async (_, index) => (await handler.handle(toCall(index), options)).text());
    await until(8);
    assert.match(await Promise.race(texts), /Too many calls at once/);
    for (let count = 1; count <= 72; count++) {
      await until(Math.min(count + 7, 72));
      held[count - 1]?.answer();
    }
    const answered = (await Promise.all(texts)).filter((text) => text.includes('projects'));
    assert.equal(answered.length, 72);
    await handler.close();
  });
});
