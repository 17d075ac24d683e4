import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';

import { START, span } from './odd-spans.ts';
import { type AttributeValue, encodeTraceRequest, nestedArrays, type OtlpSpan } from './otlp-request.ts';
import { type OtlpSender, openGrpcSender, openHttpSender, type SendResult } from './otlp-sender.ts';
import { readPartialSuccess } from './partial-success.ts';
import { type Ping, startPing } from './ping.ts';
import { listSpans, listTraces, type RestSpan, spansOnceThere } from './rest.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from './server-process.ts';

const MiB = 1024 * 1024;

describe('a server that is sent odd spans', () => {
  let server: ServerProcess;
  let dataDir: string;
  let http: OtlpSender;
  let grpc: OtlpSender;
  let ping: Ping;

  before(async () => {
    dataDir = await makeDataDir();
    server = await startServer({ dataDir });
    http = openHttpSender(server.url);
    grpc = openGrpcSender(server.grpcAddress);
    ping = startPing(server.url);
  });

  after(async () => {
    const { answered, failed } = await ping.stop();
    http.close();
    grpc.close();
    const exit = await server.stop();
    await removeDataDir(dataDir);
    assert.ok(answered > 0 && failed === 0, `${failed} of ${answered + failed} pings were not answered`);
    assert.equal(exit.code, 0, 'it lived through everything and drained');
  });

  /** Sends over both transports, one project each, and hands both to the check. */
  const overBoth = async (
    title: string,
    spans: () => OtlpSpan[],
    check: (result: SendResult, project: string) => Promise<void> | void,
  ) => {
    for (const [face, sender] of [['http', http] as const, ['grpc', grpc] as const]) {
      const project = `${title} (${face})`;
      await check(await sender.send(encodeTraceRequest({ project, spans: spans() })), project);
    }
  };
  const namesOf = (spans: readonly RestSpan[]) => spans.map((one) => one.name).sort();

  // ---- single spans that are bad: the good ones of the same request stay, the bad ones are counted

  const REJECTED: { what: string; bad: Partial<OtlpSpan>; reason: RegExp }[] = [
    { what: 'an empty trace id', bad: { traceId: new Uint8Array(0) }, reason: /trace.?id/i },
    { what: 'a trace id of zeros', bad: { traceId: new Uint8Array(16) }, reason: /trace.?id/i },
    {
      what: 'a start after 2262, which nanoseconds in int64 cannot tell',
      bad: { startTimeUnixNano: 2n ** 63n, endTimeUnixNano: 2n ** 63n + 1n },
      reason: /2262/,
    },
    { what: 'an empty span id', bad: { spanId: new Uint8Array(0) }, reason: /span.?id/i },
    { what: 'a span id of zeros', bad: { spanId: new Uint8Array(8) }, reason: /span.?id/i },
    {
      what: '100,000 attributes',
      bad: {
        attributes: Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key ${index}`, index])),
      },
      reason: /attribute/i,
    },
    {
      what: 'a value nested 10,000 deep',
      bad: { attributes: { deep: { encoded: nestedArrays(10_000) } } },
      reason: /nest|deep|depth/i,
    },
  ];
  for (const { what, bad, reason } of REJECTED) {
    test(`rejects a span with ${what}, says so in partial success, and keeps the good spans beside it`, async () => {
      const spans = () => [span(), span({ ...bad, name: 'bad' }), span()];
      await overBoth(what, spans, async (result, project) => {
        // A request as a whole may be refused for what it nests; then nothing of it may stay.
        if (!result.isAcknowledged) {
          assert.match(`${result.status}`, /^(400|413|422|1003|1008)$/);
          assert.match(result.message, reason);
          assert.deepEqual(await listSpans(server.url, project), []);
          return;
        }
        const partial = readPartialSuccess(result.body);
        assert.equal(partial.rejectedSpanCount, 1);
        assert.match(partial.message, reason);
        assert.deepEqual(namesOf(await spansOnceThere(server.url, project, 2)), ['good', 'good']);
      });
    });
  }

  // ---- odd, but to be kept as sent

  const KEPT: { what: string; odd: Partial<OtlpSpan>; check?: (stored: RestSpan) => void }[] = [
    {
      what: 'an end before its start',
      odd: { endTimeUnixNano: START - 5_000_000n },
      check: (stored) => assert.ok(stored.end_time < stored.start_time),
    },
    {
      what: 'the year 1970',
      odd: { startTimeUnixNano: 0n, endTimeUnixNano: 1_000n },
      check: (stored) =>
        assert.deepEqual(
          [stored.start_time, stored.end_time],
          ['1970-01-01T00:00:00+00:00', '1970-01-01T00:00:00.000001+00:00'],
        ),
    },
    {
      what: 'the last second of int64 nanoseconds, in 2262',
      odd: { startTimeUnixNano: 2n ** 63n - 2_000_000_000n, endTimeUnixNano: 2n ** 63n - 1_000_000_000n },
      check: (stored) => assert.match(stored.start_time, /^2262-04-11T23:47:14/),
    },
    { what: 'no name', odd: { name: '' } },
    {
      what: 'a name of 100,000 characters',
      odd: { name: 'n'.repeat(100_000) },
      check: (stored) => assert.equal(stored.name.length, 100_000),
    },
    {
      what: 'NUL characters in its texts',
      odd: { name: 'a\u0000b', attributes: { 'input.value': 'c\u0000d', 'k\u0000ey': 'v\u0000' } },
      check: (stored) => {
        assert.equal(stored.name, 'a\u0000b');
        assert.equal(stored.attributes['input.value'], 'c\u0000d');
      },
    },
    {
      what: "attribute names of JavaScript's own making",
      odd: {
        attributes: { ['__proto__']: 'p', 'constructor.prototype.polluted': 'q', toString: 's', 'a.__proto__.b': 'r' },
      },
      check: (stored) => {
        assert.equal(stored.attributes['constructor.prototype.polluted'], 'q');
        assert.equal(stored.attributes['a.__proto__.b'], 'r');
        assert.equal(stored.attributes.toString, 's');
      },
    },
    {
      what: 'one key twice: the last value wins',
      odd: {
        attributes: [
          ['twice', 'first'],
          ['once', 1],
          ['twice', 'second'],
        ],
      },
      check: (stored) => assert.deepEqual(stored.attributes, { twice: 'second', once: 1 }),
    },
    {
      what: 'an attribute of 50 MB',
      odd: { attributes: { 'input.value': 'x'.repeat(50 * MiB) } },
      check: (stored) => assert.equal(String(stored.attributes['input.value']).length, 50 * MiB),
    },
    {
      what: 'numbers beyond what a double holds, and what JSON has no word for',
      odd: {
        attributes: {
          big: 2n ** 53n + 1n,
          least: -(2n ** 63n),
          nan: { double: Number.NaN },
          infinite: { double: Number.POSITIVE_INFINITY },
          small: { double: 5e-324 },
        } satisfies Record<string, AttributeValue>,
      },
      check: (stored) => {
        assert.ok(!('nan' in stored.attributes) && !('infinite' in stored.attributes));
        assert.equal(stored.attributes.small, 5e-324);
      },
    },
    {
      what: 'Unicode in every text',
      odd: {
        name: 'Ω≈ç√ 漢字 🦊👩‍👩‍👧 \u202Eabc \uFEFF \u0001\u007F',
        statusMessage: 'schiefgegangen: ß 🐛',
        statusCode: 2,
        attributes: { 'ключ.値.🔑': ['日本', '🦊'], metadata: '{"ключ": "значение 🦊"}', 'session.id': 'Sitzung 🦊' },
        events: [{ name: 'événement', timeUnixNano: START, attributes: { clé: 'valeur 🦊' } }],
      },
      check: (stored) => {
        assert.equal(stored.name, 'Ω≈ç√ 漢字 🦊👩‍👩‍👧 \u202Eabc \uFEFF \u0001\u007F');
        assert.equal(stored.status_message, 'schiefgegangen: ß 🐛');
        assert.deepEqual(stored.attributes['ключ.値.🔑'], ['日本', '🦊']);
        assert.equal(stored.attributes['metadata.ключ'], 'значение 🦊');
        assert.deepEqual([stored.events[0]?.name, stored.events[0]?.attributes.clé], ['événement', 'valeur 🦊']);
      },
    },
  ];
  for (const { what, odd, check } of KEPT) {
    test(`keeps a span with ${what}, and those beside it`, async () => {
      const oddId = randomBytes(8);
      const spans = () => [span(), span({ ...odd, spanId: oddId })];
      for (const [index, sender] of [http, grpc].entries()) {
        const project = `${what} ${index} 🦊`;
        const result = await sender.send(encodeTraceRequest({ project, spans: spans() }));
        // gRPC's message limit is the body limit's, so 50 MB pass both.
        assert.ok(result.isAcknowledged, `${result.status} ${result.message}`);
        const stored = await spansOnceThere(server.url, project, 2);
        const kept =
          stored.find((one) => one.context.span_id === oddId.toString('hex')) ?? assert.fail('the odd span is missing');
        check?.(kept);
        assert.equal((await listTraces(server.url, project)).length, 2);
        oddId.set(randomBytes(8));
      }
    });
  }

  test('shows integers beyond 2^53 with every digit', async () => {
    const result = await http.send(
      encodeTraceRequest({
        project: 'digits',
        spans: [span({ attributes: { big: 2n ** 53n + 1n, least: -(2n ** 63n) } })],
      }),
    );
    assert.ok(result.isAcknowledged);
    await spansOnceThere(server.url, 'digits', 1);

    const text = await (await fetch(`${server.url}/v1/projects/digits/spans`)).text();

    assert.ok(text.includes('9007199254740993') && text.includes('-9223372036854775808'), text);
  });

  // ---- ids of odd lengths are kept or counted, never half

  for (const length of [1, 15, 17, 200]) {
    test(`keeps or counts a span whose ids have ${length} bytes`, async () => {
      const project = `ids of ${length} bytes`;
      const odd = span({ traceId: randomBytes(length), spanId: randomBytes(length), name: 'odd' });

      const result = await http.send(encodeTraceRequest({ project, spans: [span(), odd] }));

      assert.ok(result.isAcknowledged, `${result.status} ${result.message}`);
      const { rejectedSpanCount } = readPartialSuccess(result.body);
      const stored = await spansOnceThere(server.url, project, 2 - rejectedSpanCount);
      assert.deepEqual(namesOf(stored), rejectedSpanCount === 0 ? ['good', 'odd'] : ['good']);
    });
  }
});
