import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { span } from './odd-spans.ts';
import { encodeTraceRequest } from './otlp-request.ts';
import type { OtlpSender, SendResult } from './otlp-sender.ts';
import { spansOnceThere } from './rest.ts';
import { type TriedServer, tryServer } from './tried-server.ts';

const SENDER_COUNT = 8;
const REQUEST_COUNT_MAX = 800;
const REQUEST_SPAN_COUNT = 200;

describe('an overloaded server', () => {
  // One request fills the queue, so that the server rejects each that arrives before the store has its spans.
  const tried = tryServer({ SERVICE_MAX_SPANS_QUEUE_SIZE: '1' });

  for (const { transport, senderOf, rejected } of [
    { transport: 'HTTP', senderOf: ({ http }: TriedServer) => http, rejected: 503 },
    { transport: 'gRPC', senderOf: ({ grpc }: TriedServer) => grpc, rejected: 1_014 },
  ]) {
    test(`states over ${transport} when to retry, and keeps every acknowledged span`, async () => {
      const project = `overload over ${transport}`;

      const results = await sendUntilRejected(senderOf(tried), project);

      const taken = results.filter(({ isAcknowledged }) => isAcknowledged);
      const left = results.filter(({ isAcknowledged }) => !isAcknowledged);
      assert.ok(taken.length > 0 && left.length > 0, `${taken.length} taken, ${left.length} rejected`);
      for (const { status, retryAfterMs, message } of left) {
        assert.equal(status, rejected, message);
        assert.ok(retryAfterMs !== undefined && retryAfterMs >= 1_000, 'it says when');
      }
      const spanCount = taken.length * REQUEST_SPAN_COUNT;
      assert.equal((await spansOnceThere(tried.server.url, project, spanCount)).length, spanCount);
    });
  }
});

/**
 * Results of requests that each sender sends as soon as its last one has a response, until the server rejects one. A
 * request is acknowledged before the store has its spans, so that the next one meets them in the queue.
 */
async function sendUntilRejected(sender: OtlpSender, project: string): Promise<SendResult[]> {
  const results: SendResult[] = [];
  const send = async () => {
    while (results.length < REQUEST_COUNT_MAX && results.every(({ isAcknowledged }) => isAcknowledged)) {
      const spans = Array.from({ length: REQUEST_SPAN_COUNT }, () => span());
      results.push(await sender.send(encodeTraceRequest({ project, spans })));
    }
  };
  await Promise.all(Array.from({ length: SENDER_COUNT }, send));
  return results;
}
