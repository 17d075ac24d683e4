import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { limitTime as limitTimeOfServer } from '../../src/base/limit-time.ts';
import { limitTime as limitTimeOfClients } from '../../clients/typescript/client/src/http/limit-time.ts';
import { collectGarbage } from '../fixtures/collect-garbage.ts';

const LONG_MS = 60_000;

for (const [where, limitTime] of [
  ['server', limitTimeOfServer],
  ['clients', limitTimeOfClients],
] as const) {
  describe(`a time limit of the ${where}`, () => {
    // Never answers.
    const silent = createServer(() => {});
    let url = '';
    before(async () => {
      await once(silent.listen(0, '127.0.0.1'), 'listening');
      url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    });
    after(() => {
      silent.closeAllConnections();
      silent.close();
    });

    test('ends the work, also after garbage was collected', async () => {
      const ended = limitTime(300, new AbortController().signal, (signal) => fetch(url, { signal })).then(
        () => assert.fail('it was answered'),
        String,
      );
      await collectGarbage();

      assert.equal(await ended, 'TimeoutError: It took longer than 300 ms');
    });

    test('passes on the end of the other signal, and its reason', async () => {
      const controller = new AbortController();
      const call = limitTime(LONG_MS, controller.signal, (signal) => fetch(url, { signal }));
      await collectGarbage();
      controller.abort(new Error('mine'));

      await assert.rejects(call, { message: 'mine' });
      await assert.rejects(
        limitTime(LONG_MS, controller.signal, async (signal) => signal.throwIfAborted()),
        { message: 'mine' },
      );
    });

    test('returns the result, and leaves no timer and no listener behind', async () => {
      const { signal } = new AbortController();
      const removed: string[] = [];
      const removeEventListener = signal.removeEventListener.bind(signal);
      signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
        removed.push(args[0]);
        removeEventListener(...args);
      };
      const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
      const before = timers();

      assert.equal(await limitTime(LONG_MS, signal, async () => timers() - before), 1);
      assert.deepEqual([timers() - before, removed], [0, ['abort']]);
    });
  });
}
