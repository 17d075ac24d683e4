import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { createGzip, gzipSync } from 'node:zlib';

import { type AttributeValue, encodeTraceRequest, nestedArrays, type OtlpSpan } from './otlp-request.ts';
import { type OtlpSender, openGrpcSender, openHttpSender, type SendResult } from './otlp-sender.ts';
import { eventually, listSpans, listTraces, type RestSpan, spansOnceThere } from './rest.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from './server-process.ts';

const START = 1_770_000_000_000_000_000n;
const MiB = 1024 * 1024;

function span(changes: Partial<OtlpSpan> = {}): OtlpSpan {
  return {
    traceId: randomBytes(16),
    spanId: randomBytes(8),
    name: 'good',
    startTimeUnixNano: START,
    endTimeUnixNano: START + 1_000_000n,
    attributes: { 'input.value': 'good input' },
    ...changes,
  };
}

describe('a server that is sent what it should not be', () => {
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
        assert.equal(stored.attributes['toString'], 's');
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
        assert.deepEqual([stored.events[0]?.name, stored.events[0]?.attributes['clé']], ['événement', 'valeur 🦊']);
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

  // ---- requests that are bad as a whole: a clear 4xx, and nothing is kept

  const project = 'never made by a bad request';
  const good = () => encodeTraceRequest({ project, spans: [span()] });
  const WHOLE: { what: string; body: () => Uint8Array; headers?: Record<string, string>; status: number[] }[] = [
    { what: 'bytes that are no protobuf', body: () => randomBytes(1_000), status: [400, 422] },
    { what: 'a request cut off in the middle', body: () => good().subarray(0, 60), status: [400, 422] },
    {
      what: 'a length that points past the end',
      body: () => Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x00]),
      status: [400, 422],
    },
    { what: 'an endless varint', body: () => Buffer.alloc(64, 0xff), status: [400, 422] },
    {
      what: 'text that is not UTF-8',
      body: () => encodeTraceRequest({ project, spans: [span(), span({ name: Buffer.from([0xc3, 0x28, 0xff]) })] }),
      status: [400, 422],
    },
    {
      what: 'an attribute that is not UTF-8',
      body: () =>
        encodeTraceRequest({
          project,
          spans: [span({ attributes: { text: { utf8: Buffer.from([0xed, 0xa0, 0x80]) } } })],
        }),
      status: [400, 422],
    },
    { what: 'gzip that is none', body: () => good(), headers: { 'content-encoding': 'gzip' }, status: [400, 422] },
    {
      what: 'gzip cut off in the middle',
      body: () => gzipSync(good()).subarray(0, 40),
      headers: { 'content-encoding': 'gzip' },
      status: [400, 422],
    },
    { what: 'an unknown encoding', body: () => good(), headers: { 'content-encoding': 'rot13' }, status: [415] },
    { what: 'an unknown content type', body: () => good(), headers: { 'content-type': 'text/csv' }, status: [415] },
    {
      what: 'JSON that is none',
      body: () => Buffer.from('{"resourceSpans": [{'),
      headers: { 'content-type': 'application/json' },
      status: [400, 422],
    },
    {
      what: 'JSON nested 100,000 deep',
      body: () => Buffer.from(`{"resourceSpans":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
      headers: { 'content-type': 'application/json' },
      status: [400, 413, 422],
    },
    { what: 'a body over 64 MiB', body: () => Buffer.alloc(65 * MiB), status: [413] },
  ];
  for (const { what, body, headers, status } of WHOLE) {
    test(`refuses ${what} with ${status.join(' or ')}, and keeps nothing of it`, async () => {
      const result = await http.send(body(), headers);

      assert.ok(status.includes(result.status), `${result.status} ${result.message.slice(0, 200)}`);
      assert.ok(result.message.length > 0 && result.message.length < 2_000, 'it says why');
      assert.equal((await fetch(`${server.url}/v1/projects/${encodeURIComponent(project)}`)).status, 404);
    });
  }

  test('refuses over gRPC what is no protobuf, as a fault of the sender', async () => {
    const result = await grpc.send(randomBytes(1_000));

    assert.equal(result.status, 1_003, result.message);
  });

  test('refuses 1 GB that comes as 1 MB of gzip, without holding it', async () => {
    const bomb = await gzipBomb(1024 * MiB);

    const result = await http.send(bomb, { 'content-encoding': 'gzip' });

    assert.equal(result.status, 413, result.message);
  });

  test('refuses a bomb of gzip over gRPC', async () => {
    const bomb = await gzipBomb(256 * MiB);

    const status = await grpcStatusOfGzip(server.grpcAddress, bomb);

    assert.match(status, /^(3|8|11|12|13)$/);
  });

  test('refuses bad questions with 422, not 500', async () => {
    await http.send(encodeTraceRequest({ project: 'questions', spans: [span()] }));
    await spansOnceThere(server.url, 'questions', 1);
    const base = `${server.url}/v1/projects/questions`;
    const queries = [
      'limit=0',
      'limit=1001',
      'limit=x',
      `limit=${'9'.repeat(30)}`,
      'cursor=%00',
      'cursor=U3BhbjpY',
      'start_time=yesterday',
      'span_kind=NOPE',
      'status_code=FINE',
      'attribute=nocolon',
      'attribute=%3A5',
      'attribute=k%3A%5B1%5D',
      'attribute=k%3Anull',
    ];

    for (const query of queries) {
      const response = await fetch(`${base}/spans?${query}`);
      assert.equal(response.status, 422, `${query} → ${response.status} ${await response.text()}`);
    }
    for (const odd of ["'; DROP TABLE spans; --", '%', '\u0000', '🦊', 'a.b.c.__proto__']) {
      const response = await fetch(
        `${base}/spans?${new URLSearchParams({ attribute: `${odd}:${odd}`, name: odd, trace_id: odd })}`,
      );
      assert.ok([200, 422].includes(response.status), `${odd} → ${response.status} ${await response.text()}`);
    }
    assert.equal((await listSpans(server.url, 'questions')).length, 1);
  });

  test('answers JSON 404 for what is not there', async () => {
    for (const path of ['/v1/projects/nope', '/v1/projects/nope/spans', '/v1/no/such/route', '/v1/sessions/nope']) {
      const response = await fetch(server.url + path);
      const type = response.headers.get('content-type') ?? '';
      await response.arrayBuffer();
      assert.equal(response.status, 404, path);
      assert.ok(!type.includes('html'), `${path} → ${type}`);
    }
  });

  test('lives through clients that go away half way, and still answers others', async () => {
    const port = Number(new URL(server.url).port);
    const head =
      'POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-protobuf\r\nContent-Length: 100000\r\n\r\n';
    const cutOffs = Array.from({ length: 50 }, (_, index) =>
      abandon(port, index % 2 === 0 ? head.slice(0, 40) : head + 'x'.repeat(500)),
    );
    await Promise.all(cutOffs);

    const result = await http.send(encodeTraceRequest({ project: 'after the rude ones', spans: [span()] }));

    assert.ok(result.isAcknowledged);
    await spansOnceThere(server.url, 'after the rude ones', 1);
  });

  test('stores once what a client sent twice, even at the same time over both transports', async () => {
    const spans = Array.from({ length: 200 }, () => span());
    const body = encodeTraceRequest({ project: 'twice', spans });

    const results = await Promise.all([http.send(body), grpc.send(body), http.send(body), grpc.send(body)]);

    assert.ok(results.every((result) => result.isAcknowledged));
    await eventually(async () => assert.equal((await listSpans(server.url, 'twice')).length, 200));
    const late = await http.send(encodeTraceRequest({ project: 'twice', spans: [span({ name: 'marker' })] }));
    assert.ok(late.isAcknowledged);
    await spansOnceThere(server.url, 'twice', 201);
    assert.equal((await listSpans(server.url, 'twice')).length, 201);
  });
});

/** `ExportTraceServiceResponse.partial_success` (1): `rejected_spans` (1) and `error_message` (2); zero and empty when absent. */
function readPartialSuccess(body: Uint8Array): { rejectedSpanCount: number; message: string } {
  const partial = { rejectedSpanCount: 0, message: '' };
  const bytes = Buffer.from(body);
  if (bytes.length === 0) return partial;
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[at++] ?? assert.fail('the answer ends inside a number');
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  assert.equal(varint(), 0x0a);
  assert.equal(varint(), bytes.length - at);
  while (at < bytes.length) {
    const key = varint();
    if (key === 0x08) partial.rejectedSpanCount = varint();
    else if (key === 0x12) {
      const length = varint();
      partial.message = bytes.subarray(at, at + length).toString('utf8');
      at += length;
    } else assert.fail(`unknown field ${key} in the answer`);
  }
  return partial;
}

/** Zeros that inflate to `byteCount`, made without holding them. */
async function gzipBomb(byteCount: number): Promise<Buffer> {
  const gzip = createGzip({ level: 9 });
  const chunks: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => gzip.once('end', resolve));
  const zeros = Buffer.alloc(4 * MiB);
  for (let written = 0; written < byteCount; written += zeros.length) {
    if (!gzip.write(zeros)) await new Promise((resolve) => gzip.once('drain', resolve));
  }
  gzip.end();
  await ended;
  return Buffer.concat(chunks);
}

/** The gRPC status of a message with the compressed flag set, as its trailer or header says. */
async function grpcStatusOfGzip(address: string, message: Uint8Array): Promise<string> {
  const { connect: connectHttp2 } = await import('node:http2');
  const session = connectHttp2(`http://${address}`);
  session.on('error', () => {});
  const stream = session.request({
    ':method': 'POST',
    ':path': '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
    'content-type': 'application/grpc',
    te: 'trailers',
    'grpc-encoding': 'gzip',
  });
  const frame = Buffer.alloc(5);
  frame[0] = 1;
  frame.writeUInt32BE(message.length, 1);
  const status = new Promise<string>((resolve, reject) => {
    const note = (headers: Record<string, unknown>) =>
      headers['grpc-status'] !== undefined && resolve(String(headers['grpc-status']));
    stream.on('response', note);
    stream.on('trailers', note);
    stream.on('error', reject);
    stream.on('end', () => reject(new Error('the stream ended without a status')));
  });
  stream.resume();
  stream.end(Buffer.concat([frame, message]));
  try {
    return await status;
  } finally {
    session.destroy();
  }
}

/** Opens a connection, writes, and breaks it. */
function abandon(port: number, text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text, () => {
        socket.resetAndDestroy();
        resolve();
      });
    });
    socket.on('error', () => resolve());
  });
}

interface Ping {
  stop(): Promise<{ answered: number; failed: number }>;
}

/** Asks `/healthz` ten times a second, so that a server that stands still or falls is noticed whatever else runs. */
function startPing(serverUrl: string): Ping {
  let isStopping = false;
  const outcome = { answered: 0, failed: 0 };
  const once = () =>
    new Promise<boolean>((resolve) => {
      const request = httpRequest(`${serverUrl}/healthz`, { timeout: 20_000 }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode === 200));
      });
      request.on('timeout', () => request.destroy());
      request.on('error', () => resolve(false));
      request.end();
    });
  const loop = (async () => {
    while (!isStopping) {
      if (await once()) outcome.answered++;
      else outcome.failed++;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  return {
    async stop() {
      isStopping = true;
      await loop;
      return outcome;
    },
  };
}
