import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { KEPT_SPANS, REJECTED_SPANS, span } from './odd-spans.ts';
import { encodeTraceRequest, type OtlpSpan } from './otlp-request.ts';
import type { SendResult } from './otlp-sender.ts';
import { readPartialSuccess } from './partial-success.ts';
import { listSpans, listTraces, type RestSpan, spansOnceThere } from './rest.ts';
import { tryServer } from './tried-server.ts';

describe('a server that is sent odd spans', () => {
  const tried = tryServer();

  /** Sends over both transports, one project each, and hands both to the check. */
  const overBoth = async (
    title: string,
    spans: () => OtlpSpan[],
    check: (result: SendResult, project: string) => Promise<void> | void,
  ) => {
    for (const [face, sender] of [['http', tried.http] as const, ['grpc', tried.grpc] as const]) {
      const project = `${title} (${face})`;
      await check(await sender.send(encodeTraceRequest({ project, spans: spans() })), project);
    }
  };
  const namesOf = (spans: readonly RestSpan[]) => spans.map((one) => one.name).sort();

  // ---- single spans that are bad: the good ones of the same request stay, the bad ones are counted

  for (const { what, bad, reason } of REJECTED_SPANS) {
    test(`rejects a span with ${what}, says so in partial success, and keeps the good spans beside it`, async () => {
      const spans = () => [span(), span({ ...bad, name: 'bad' }), span()];
      await overBoth(what, spans, async (result, project) => {
        // A request as a whole may be refused for what it nests; then nothing of it may stay.
        if (!result.isAcknowledged) {
          assert.match(`${result.status}`, /^(400|413|422|1003|1008)$/);
          assert.match(result.message, reason);
          assert.deepEqual(await listSpans(tried.server.url, project), []);
          return;
        }
        const partial = readPartialSuccess(result.body);
        assert.equal(partial.rejectedSpanCount, 1);
        assert.match(partial.message, reason);
        assert.deepEqual(namesOf(await spansOnceThere(tried.server.url, project, 2)), ['good', 'good']);
      });
    });
  }

  // ---- odd, but to be kept as sent

  for (const { what, odd, check } of KEPT_SPANS) {
    test(`keeps a span with ${what}, and those beside it`, async () => {
      const oddId = randomBytes(8);
      const spans = () => [span(), span({ ...odd, spanId: oddId })];
      for (const [index, sender] of [tried.http, tried.grpc].entries()) {
        const project = `${what} ${index} 🦊`;
        const result = await sender.send(encodeTraceRequest({ project, spans: spans() }));
        // gRPC's message limit is the body limit's, so 50 MB pass both.
        assert.ok(result.isAcknowledged, `${result.status} ${result.message}`);
        const stored = await spansOnceThere(tried.server.url, project, 2);
        const kept =
          stored.find((one) => one.context.span_id === oddId.toString('hex')) ?? assert.fail('the odd span is missing');
        check?.(kept);
        assert.equal((await listTraces(tried.server.url, project)).length, 2);
        oddId.set(randomBytes(8));
      }
    });
  }

  test('shows integers beyond 2^53 with every digit', async () => {
    const result = await tried.http.send(
      encodeTraceRequest({
        project: 'digits',
        spans: [span({ attributes: { big: 2n ** 53n + 1n, least: -(2n ** 63n) } })],
      }),
    );
    assert.ok(result.isAcknowledged);
    await spansOnceThere(tried.server.url, 'digits', 1);

    const text = await (await fetch(`${tried.server.url}/v1/projects/digits/spans`)).text();

    assert.ok(text.includes('9007199254740993') && text.includes('-9223372036854775808'), text);
  });

  // ---- ids of odd lengths are kept or counted, never half

  for (const length of [1, 15, 17, 200]) {
    test(`keeps or counts a span whose ids have ${length} bytes`, async () => {
      const project = `ids of ${length} bytes`;
      const odd = span({ traceId: randomBytes(length), spanId: randomBytes(length), name: 'odd' });

      const result = await tried.http.send(encodeTraceRequest({ project, spans: [span(), odd] }));

      assert.ok(result.isAcknowledged, `${result.status} ${result.message}`);
      const { rejectedSpanCount } = readPartialSuccess(result.body);
      const stored = await spansOnceThere(tried.server.url, project, 2 - rejectedSpanCount);
      assert.deepEqual(namesOf(stored), rejectedSpanCount === 0 ? ['good', 'odd'] : ['good']);
    });
  }
});
