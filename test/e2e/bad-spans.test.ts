import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { KEPT_SPANS, REJECTED_SPANS, span } from './odd-spans.ts';
import { encodeTraceRequest, type OtlpSpan } from './otlp-request.ts';
import type { SendResult } from './otlp-sender.ts';
import { readPartialSuccess } from './partial-success.ts';
import { listSpans, listTraces, type RestSpan, spansOnceThere } from './rest.ts';
import { tryServer } from './tried-server.ts';

describe('a server that receives unusual spans', () => {
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
    test(`rejects a span with ${what}, reports it as partial success, and stores the valid spans of the request`, async () => {
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
    test(`stores a span with ${what}, and the other spans of the request`, async () => {
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

  /** A short random ID could be that of another span, or be zero, which is no ID. */
  const newId = (length: number, first: number) => Buffer.concat([Buffer.of(first), randomBytes(length - 1)]);

  test('stores IDs of 1 to 64 bytes, and finds, annotates, exports and deletes by them', async () => {
    const { server, http } = tried;
    const send = async (method: string, path: string, body?: unknown) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const type = typeof body === 'string' ? 'application/octet-stream' : 'application/json';
      const headers = { 'content-type': type };
      const response = await fetch(server.url + path, { method, ...(body !== undefined && { body: text, headers }) });
      const answer = await response.text();
      assert.ok(response.ok, `${method} ${path}: ${response.status} ${answer}`);
      return answer;
    };
    const ask = async (query: string) =>
      (JSON.parse(await send('POST', '/graphql', { query })) as { data: Record<string, unknown> }).data;
    for (const length of [1, 7, 8, 15, 16, 17, 32, 64]) {
      const project = `ids of ${length} bytes`;
      const [traceId, parentId, childId] = [newId(length, 1), newId(length, 2), newId(length, 3)];
      const hex = [traceId, parentId, childId].map((id) => id.toString('hex'));
      const spans = [
        span({ traceId, spanId: parentId, name: 'parent' }),
        span({ traceId, spanId: childId, parentSpanId: parentId, name: 'child' }),
      ];
      // A retry stores nothing twice.
      for (const _ of [1, 2]) {
        const result = await http.send(encodeTraceRequest({ project, spans }));
        assert.ok(result.isAcknowledged, `${result.status} ${result.message}`);
        assert.equal(readPartialSuccess(result.body).rejectedSpanCount, 0);
      }
      const path = `/v1/projects/${project}`;
      const listed = async (query: string, of = path) =>
        (JSON.parse(await send('GET', `${of}/spans?${query}`)) as { data: RestSpan[] }).data
          .map(({ name, context, parent_id }) => [name, context.trace_id, context.span_id, parent_id])
          .sort();
      const both = [
        ['child', hex[0], hex[2], hex[1]],
        ['parent', hex[0], hex[1], null],
      ];
      await spansOnceThere(server.url, project, 2);
      assert.deepEqual(await listed(''), both);
      assert.deepEqual(await listed(`trace_id=${hex[0]}`), both);
      assert.deepEqual(await listed(`span_id=${hex[2]}`), [both[0]]);
      assert.deepEqual(await listed(`parent_id=${hex[1]}`), [both[0]]);
      const field = (filter: string) => `recordCount(filterCondition:"${filter}")`;
      assert.deepEqual(
        await ask(`{getProjectByName(name:"${project}"){traceCount a:${field(`trace_id == '${hex[0]}'`)}
          b:${field(`span_id == '${hex[1]}'`)} c:${field(`parent_id == '${hex[1]}'`)} d:${field('parent_span is None')}
          trace(traceId:"${hex[0]}"){traceId spans(first:5,rootSpansOnly:true){edges{node{spanId}}}}}
          getSpanByOtelId(spanId:"${hex[2]}"){parentId trace{traceId}} getTraceByOtelId(traceId:"${hex[0]}"){traceId}}`),
        {
          getProjectByName: {
            ...{ traceCount: 1, a: 2, b: 1, c: 1, d: 1 },
            trace: { traceId: hex[0], spans: { edges: [{ node: { spanId: hex[1] } }] } },
          },
          getSpanByOtelId: { parentId: hex[1], trace: { traceId: hex[0] } },
          getTraceByOtelId: { traceId: hex[0] },
        },
      );
      const annotation = { name: 'kind', annotator_kind: 'CODE', result: { label: 'kept' } };
      await send('POST', '/v1/span_annotations?sync=true', { data: [{ ...annotation, span_id: hex[2] }] });
      await send('POST', '/v1/trace_annotations?sync=true', { data: [{ ...annotation, trace_id: hex[0] }] });
      const annotated = await send('GET', `${path}/span_annotations?span_ids=${hex[2]}`);
      assert.ok(annotated.includes(`"span_id":"${hex[2]}"`), annotated);
      const otlp = await send('GET', `${path}/spans/otlpv1?trace_id=${hex[0]}`);
      assert.ok(
        hex.every((id) => otlp.includes(`"${id}"`)),
        otlp,
      );

      const lines = await send('GET', `${path}/spans/export`);
      await send('DELETE', `/v1/spans/${hex[2]}`);
      assert.deepEqual(await listed(''), [both[1]]);
      await send('DELETE', `/v1/traces/${hex[0]}`);
      assert.deepEqual(await listed(''), []);
      await send('POST', `/v1/projects/copy of ${length}/spans/import`, lines);
      assert.deepEqual(await listed('', `/v1/projects/copy of ${length}`), both);
    }
  });

  test('reports a span with IDs of more than 64 bytes, and stores the others', async () => {
    const odd = span({ traceId: randomBytes(65), spanId: randomBytes(200) });

    const result = await tried.http.send(encodeTraceRequest({ project: 'long ids', spans: [span(), odd] }));

    assert.ok(result.isAcknowledged);
    const { rejectedSpanCount, message } = readPartialSuccess(result.body);
    assert.equal(rejectedSpanCount, 1);
    assert.match(message, /trace id is 65 bytes long, expected 1 to 64/);
    assert.deepEqual(namesOf(await spansOnceThere(tried.server.url, 'long ids', 1)), ['good']);
  });
});
