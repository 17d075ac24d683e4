import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { BODY_STREAM_BYTES } from '../../../src/model/limits/datasets.ts';
import { type HttpRequest, type Route, textResponse } from '../../../src/server/route.ts';
import { RawConnection } from './raw-connection.ts';
import { type EngineName, openTestServer, post } from './server-under-test.ts';

const MiB = 1024 * 1024;
const HOST = 'Host: x\r\n';

/** Bodies that are sent while they are read, on every engine. */
export function testStreamedBodies(engine: EngineName): void {
  const streaming = (handle: Route['handle'], bytesMax = 64 * MiB): Route => ({
    ...post('/', handle, 100),
    streaming: { appliesTo: (head) => head.header('x-collect') === undefined, bytesMax },
  });
  const count = async ({ body, bodyStream }: HttpRequest) => {
    if (!bodyStream) return textResponse(200, `collected ${body.byteLength}`);
    let byteCount = 0;
    let sum = 0;
    for await (const chunk of bodyStream) {
      byteCount += chunk.byteLength;
      for (const byte of chunk) sum = (sum + byte) % 1_000_003;
    }
    return textResponse(200, `streamed ${byteCount} ${sum}`);
  };

  describe(`HTTP on ${engine}: bodies that are streamed`, () => {
    test('passes on every byte in order, with and without a stated length', async (t) => {
      const { address } = await openTestServer(t, engine, [streaming(count)]);
      const body = Buffer.alloc(5 * MiB, 'abcdefg');
      const expected = `streamed ${body.byteLength} ${body.reduce((sum, byte) => (sum + byte) % 1_000_003, 0)}`;

      assert.equal(await (await fetch(address, { method: 'POST', body })).text(), expected);
      assert.equal(await sendChunked(address, body), expected);
    });

    test('collects the body of a request that streaming does not apply to, within its own limit', async (t) => {
      const { address } = await openTestServer(t, engine, [streaming(count)]);
      const send = (bytes: number) =>
        fetch(address, { method: 'POST', headers: { 'x-collect': '1' }, body: Buffer.alloc(bytes) });

      assert.equal(await (await send(10)).text(), 'collected 10');
      assert.equal((await send(101)).status, 413);
    });

    test('pauses the sender while the body is not read, and continues afterwards', async (t) => {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const { port } = await openTestServer(t, engine, [
        streaming(async (incoming) => {
          await released;
          return count(incoming);
        }),
      ]);
      const byteCount = 40 * MiB;
      const connection = await RawConnection.open(port);
      t.after(() => connection.close());
      connection.send(`POST / HTTP/1.1\r\n${HOST}Content-Length: ${byteCount}\r\n\r\n`);
      connection.socket.write(Buffer.alloc(byteCount));

      await sleep(300);
      const waiting = connection.socket.writableLength;
      release();

      // The rest is in the buffers of the sockets and the engine.
      assert.ok(waiting > byteCount - BODY_STREAM_BYTES - 16 * MiB, `${waiting} bytes had not been taken`);
      assert.equal(await connection.status(), 200);
      assert.match(connection.text, new RegExp(`streamed ${byteCount} 0`));
    });

    test('responds with 413 above the limit, as soon as the size is known', async (t) => {
      const { address } = await openTestServer(t, engine, [streaming(count, MiB)]);
      const body = Buffer.alloc(2 * MiB);

      assert.equal((await fetch(address, { method: 'POST', body })).status, 413);
      assert.match(await sendChunked(address, body), /larger than 1048576 bytes/);
    });

    test('responds if a handler does not read the rest of a body, and drops the rest', async (t) => {
      const { address } = await openTestServer(t, engine, [
        streaming(async ({ bodyStream }) => {
          for await (const _ of bodyStream!) break;
          return textResponse(422, 'enough');
        }),
      ]);

      for (let i = 0; i < 3; i++) {
        const response = await fetch(address, { method: 'POST', body: Buffer.alloc(8 * MiB) });
        assert.equal(`${response.status} ${await response.text()}`, '422 enough');
      }
    });

    test('rejects a stalled body with 408, unless its reader stalls or it is complete', async (t) => {
      const limits = { bodyStallMsMax: 200 };
      const slow = streaming(async (incoming) => {
        const answer = await count(incoming);
        await sleep(600);
        return answer;
      });
      const { port, address } = await openTestServer(t, engine, [slow], { limits });
      const stalled = await RawConnection.open(port);
      t.after(() => stalled.close());

      stalled.send(`POST / HTTP/1.1\r\n${HOST}Content-Length: 100\r\n\r\nabc`);

      assert.equal((await fetch(address, { method: 'POST', body: 'abc' })).status, 200);
      assert.equal(await stalled.status(), 408);
    });

    test('throws an error to the reader if the sender disconnects', async (t) => {
      let tell: (error: unknown) => void = () => {};
      const told = new Promise((resolve) => {
        tell = resolve;
      });
      const { port } = await openTestServer(t, engine, [
        streaming(async (incoming) => {
          await count(incoming).then(tell, tell);
          return textResponse(200, '');
        }),
      ]);
      const connection = await RawConnection.open(port);

      connection.send(`POST / HTTP/1.1\r\n${HOST}Content-Length: 100\r\n\r\nabc`);
      await sleep(100);
      connection.close();

      assert.match(String(await told), /BodyBroken.*aborted/);
    });
  });
}

function sendChunked(address: string, body: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(address, { method: 'POST' }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
    });
    outgoing.on('error', reject);
    for (let at = 0; at < body.byteLength; at += 100_000) outgoing.write(body.subarray(at, at + 100_000));
    outgoing.end();
  });
}
