import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpRequest } from '../../../src/server/route.ts';
import { eventually, RawConnection } from './raw-connection.ts';
import { type EngineName, get, openTestServer } from './server-under-test.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
/** More than a connection accepts whose reader reads nothing, and less than the kernel's buffer, so that no write waits. */
const UNREAD_BYTES = 400_000;
const KIB = 1_024;

/** A stream that sends some bytes, and then a few at a time. */
async function* heartbeats({ signal }: Pick<HttpRequest, 'signal'>, bytes: number, everyMs: number) {
  for (let sent = 0; sent < bytes; sent += 16 * KIB) yield Buffer.alloc(16 * KIB, '.');
  while (!signal.aborted) {
    await sleep(everyMs);
    yield Buffer.from(':\n\n');
  }
}

/** Tests of both engines: a stream of few bytes ends with its reader, although the kernel takes all its bytes. */
export function testUnacknowledgedResponses(engine: EngineName): void {
  const skip = process.platform !== 'linux' && 'only Linux says what was acknowledged';

  describe(`HTTP on ${engine}: streams whose reader acknowledges nothing`, { skip }, () => {
    const openStream = async (
      t: Parameters<typeof openTestServer>[0],
      { bytes, everyMs }: { bytes: number; everyMs: number },
    ) => {
      const signals: AbortSignal[] = [];
      const handle = (request: HttpRequest) => {
        signals.push(request.signal);
        return { status: 200, body: heartbeats(request, bytes, everyMs) };
      };
      const { port } = await openTestServer(t, engine, [get('/', handle)], { limits: { responseStallMsMax: 300 } });
      const open = async () => {
        const reader = await RawConnection.open(port);
        t.after(() => reader.close());
        return reader;
      };
      return { signals, open };
    };

    test('end soon, while others go on', async (t) => {
      const { signals, open } = await openStream(t, { bytes: UNREAD_BYTES, everyMs: 20 });
      const dead = await open();
      dead.socket.removeAllListeners('data').pause();

      dead.send(REQUEST);
      await eventually(() => signals.length === 1 && signals[0]!.aborted, 'the stream has ended');
      const reading = await open();
      reading.send(REQUEST);
      await sleep(1_000);

      assert.equal(signals[1]?.aborted, false);
      assert.ok(reading.text.length > UNREAD_BYTES);
    });

    test('go on if the reader reads slowly, or if there is nothing to send', async (t) => {
      const slow = await openStream(t, { bytes: 3_000_000, everyMs: 20 });
      const idle = await openStream(t, { bytes: 0, everyMs: 60_000 });
      const [reader, waiting] = [await slow.open(), await idle.open()];
      reader.send(REQUEST);
      waiting.send(REQUEST);

      for (let step = 0; step < 20; step++) {
        reader.socket.pause();
        await sleep(75);
        reader.socket.resume();
        await sleep(5);
      }

      assert.equal(slow.signals[0]?.aborted, false);
      assert.equal(idle.signals[0]?.aborted, false);
    });
  });
}
