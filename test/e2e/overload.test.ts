import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { span } from './odd-spans.ts';
import { encodeTraceRequest } from './otlp-request.ts';
import type { OtlpSender, SendResult } from './otlp-sender.ts';
import { spansOnceThere } from './rest.ts';
import { type TriedServer, tryServer } from './tried-server.ts';

/** At once. */
const REQUEST_COUNT = 40;
/** A store that is fast may have the first ones before the next arrive. */
const ROUND_COUNT_MAX = 20;
const REQUEST_SPAN_COUNT = 200;

describe('a server that is offered more than it takes', () => {
  // One request fills the queue, so whatever comes before the store has it is too much.
  const tried = tryServer({ SERVICE_MAX_SPANS_QUEUE_SIZE: '1' });

  for (const { face, senderOf, refused } of [
    { face: 'HTTP', senderOf: ({ http }: TriedServer) => http, refused: 503 },
    { face: 'gRPC', senderOf: ({ grpc }: TriedServer) => grpc, refused: 1_014 },
  ]) {
    test(`says over ${face} when to come again, and keeps every span that it acknowledged`, async () => {
      const project = `overload over ${face}`;

      const results: SendResult[] = [];
      for (let round = 0; round < ROUND_COUNT_MAX && results.every(({ isAcknowledged }) => isAcknowledged); round++)
        results.push(...(await sendAtOnce(senderOf(tried), project)));

      const taken = results.filter(({ isAcknowledged }) => isAcknowledged);
      const left = results.filter(({ isAcknowledged }) => !isAcknowledged);
      assert.ok(taken.length > 0 && left.length > 0, `${taken.length} taken, ${left.length} refused`);
      for (const { status, retryAfterMs, message } of left) {
        assert.equal(status, refused, message);
        assert.ok(retryAfterMs !== undefined && retryAfterMs >= 1_000, 'it says when');
      }
      const spanCount = taken.length * REQUEST_SPAN_COUNT;
      assert.equal((await spansOnceThere(tried.server.url, project, spanCount)).length, spanCount);
    });
  }
});

const sendAtOnce = (sender: OtlpSender, project: string): Promise<SendResult[]> =>
  Promise.all(
    Array.from({ length: REQUEST_COUNT }, () =>
      sender.send(encodeTraceRequest({ project, spans: Array.from({ length: REQUEST_SPAN_COUNT }, () => span()) })),
    ),
  );
