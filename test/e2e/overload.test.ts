import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { span } from './odd-spans.ts';
import { encodeTraceRequest } from './otlp-request.ts';
import { type OtlpSender, openGrpcSender, openHttpSender, type SendResult } from './otlp-sender.ts';
import { spansOnceThere } from './rest.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from './server-process.ts';

/** At once. */
const REQUEST_COUNT = 40;
/** A store that is fast may have the first ones before the next arrive. */
const ROUND_COUNT_MAX = 20;
const REQUEST_SPAN_COUNT = 200;

describe('a server that is offered more than it takes', () => {
  let server: ServerProcess;
  let dataDir: string;

  before(async () => {
    dataDir = await makeDataDir();
    // One request fills the queue, so whatever comes before the store has it is too much.
    server = await startServer({ dataDir, env: { SERVICE_MAX_SPANS_QUEUE_SIZE: '1' } });
  });

  after(async () => {
    assert.equal((await server.stop()).code, 0);
    await removeDataDir(dataDir);
  });

  for (const { face, open, refused } of [
    { face: 'HTTP', open: () => openHttpSender(server.url), refused: 503 },
    { face: 'gRPC', open: () => openGrpcSender(server.grpcAddress), refused: 1_014 },
  ]) {
    test(`says over ${face} when to come again, and keeps every span that it acknowledged`, async () => {
      const project = `overload over ${face}`;
      const sender = open();

      const results: SendResult[] = [];
      for (let round = 0; round < ROUND_COUNT_MAX && results.every(({ isAcknowledged }) => isAcknowledged); round++)
        results.push(...(await sendAtOnce(sender, project)));
      sender.close();

      const taken = results.filter(({ isAcknowledged }) => isAcknowledged);
      const left = results.filter(({ isAcknowledged }) => !isAcknowledged);
      assert.ok(taken.length > 0 && left.length > 0, `${taken.length} taken, ${left.length} refused`);
      for (const { status, retryAfterMs, message } of left) {
        assert.equal(status, refused, message);
        assert.ok(retryAfterMs !== undefined && retryAfterMs >= 1_000, 'it says when');
      }
      const spanCount = taken.length * REQUEST_SPAN_COUNT;
      assert.equal((await spansOnceThere(server.url, project, spanCount)).length, spanCount);
    });
  }
});

const sendAtOnce = (sender: OtlpSender, project: string): Promise<SendResult[]> =>
  Promise.all(
    Array.from({ length: REQUEST_COUNT }, () =>
      sender.send(encodeTraceRequest({ project, spans: Array.from({ length: REQUEST_SPAN_COUNT }, () => span()) })),
    ),
  );
