import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AcknowledgementWatch, type WatchedResponse } from '../../../src/server/http/acknowledgement-watch.ts';
import { parseSendQueues } from '../../../src/server/http/send-queues.ts';

const TITLES = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';

describe('the tables of the kernel', () => {
  test('give the bytes that a peer has not acknowledged, by its address and port', () => {
    const table = `${TITLES}   0: 0100007F:1776 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 3
   1: 0100007F:1776 0101A8C0:C001 01 0000002F:00000000 01:00000014 00000003     0        0 4
   2: 0100007F:1776 0101A8C0:C002 01 00000000:00000000 00:00000000 00000000     0        0 5
   3: 0101A8C0:C003 0100007F:1776 01 00000010:00000000 01:00000014 00000000     0        0 6
`;

    assert.deepEqual(parseSendQueues(table, 0x1776), [{ remoteAddress: '192.168.1.1', remotePort: 0xc001, bytes: 47 }]);
  });

  test('give addresses of both families in their usual form', () => {
    const row = (remote: string) =>
      `   0: 00000000000000000000000000000000:1776 ${remote}:C001 01 00000001:00000000 01:00000014 00000003 0 0 4\n`;
    const table = `${TITLES}${row('0000000000000000FFFF00000100007F')}${row('B80D0120000000000000000001000000')}`;

    assert.deepEqual(
      parseSendQueues(table, 0x1776).map(({ remoteAddress }) => remoteAddress),
      ['127.0.0.1', '2001:db8::1'],
    );
  });
});

const request = (remoteAddress: string, remotePort?: number) => {
  const sending = { bytes: 0, isBlocked: false };
  return { exchange: { cut() {}, remoteAddress, remotePort }, sending };
};
const queue = (remoteAddress: string, remotePort: number, bytes: number) => ({ remoteAddress, remotePort, bytes });

describe('a watch of acknowledgements', () => {
  /** Times at which each request was found stalled, when it is looked at each second with these queues. */
  function stalledTimes(requests: WatchedResponse[], queuesAt: (second: number) => ReturnType<typeof queue>[]) {
    const watch = new AcknowledgementWatch(3_000);
    const times = new Map<WatchedResponse, number>();
    for (let second = 0; second < 10; second++) {
      const queues = queuesAt(second);
      for (const found of watch.findStalled(requests, queues, second * 1_000)) {
        if (!times.has(found)) times.set(found, second);
      }
    }
    return requests.map((one) => times.get(one));
  }

  test('finds the connection of a known port', () => {
    const [dead, alive] = [request('10.0.0.1', 1), request('10.0.0.1', 2)];

    const found = stalledTimes([dead, alive], (second) => {
      dead.sending.bytes += 10;
      alive.sending.bytes += 10;
      return [queue('10.0.0.1', 1, 100 + 12 * second), queue('10.0.0.1', 2, 12)];
    });

    assert.deepEqual(found, [4, undefined]);
  });

  test('ends the streams of an address without ports only if all of them are stalled', () => {
    const both = [request('10.0.0.1'), request('10.0.0.1')];
    const one = [request('10.0.0.1'), request('10.0.0.1')];

    assert.deepEqual(
      stalledTimes(both, () => [queue('10.0.0.1', 1, 47), queue('10.0.0.1', 2, 47)]),
      [4, 4],
    );
    assert.deepEqual(
      stalledTimes(one, () => [queue('10.0.0.1', 1, 47)]),
      [undefined, undefined],
    );
  });

  test('begins again when bytes were acknowledged, or when another stream of the address has begun', () => {
    const slow = request('10.0.0.1', 1);
    const first = request('10.0.0.2');
    const requests: WatchedResponse[] = [first];

    const slowFound = stalledTimes([slow], () => {
      slow.sending.bytes += 10;
      return [queue('10.0.0.1', 1, 50)];
    });
    const growing = stalledTimes(requests, (second) => {
      if (second === 3) requests.push(request('10.0.0.2'));
      return [queue('10.0.0.2', 1, 47), queue('10.0.0.2', 2, 47)];
    });

    assert.deepEqual(slowFound, [undefined]);
    assert.deepEqual(growing, [7, 7]);
  });
});
