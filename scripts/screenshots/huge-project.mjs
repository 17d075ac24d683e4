// Test data at the limits of the interface: a trace of 100,000 spans, an attribute of 20 MB, a session of 500 turns,
// 10,000 annotation names, totals with many digits, scripts of all directions, words without breaks.

const WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(4);
const TEXTS = [
  `A name that goes on and on, as names do that somebody composes of a class, a method, a tenant and a request: ${'retrieve, rank, read; '.repeat(9)}`,
  WORD,
  'مرحبا بالعالم، هذا نص طويل من اليمين إلى اليسار مع English وأرقام 12345 في الوسط',
  '👩‍👩‍👧‍👦🏳️‍🌈 émojis 🇪🇺 and c̸o̸m̸b̸i̸n̸i̸n̸g̸ m̷a̷r̷k̷s̷, 漢字かな交じり文も長く続くことがあります',
  `https://example.com/a/very/long/path/${'segment/'.repeat(30)}?with=${'x'.repeat(200)}`,
];
const HOUR_MS = 3_600_000;
export const HUGE_PROJECT = `tenant-${'north-west-'.repeat(12)}production`;

/** Sends the data like an exporter. @returns OpenTelemetry IDs of its traces, and the ID of the session */
export async function sendHugeProject(url) {
  const now = Date.now();
  const big = manySpans(now);
  for (let at = 0; at < big.length; at += 20_000) await post(url, 'v1/traces', otlp(big.slice(at, at + 20_000)));
  await post(url, 'v1/traces', otlp(oddSpans(now)));
  await post(url, 'v1/traces', otlp(turns(now)));
  const annotations = big.slice(0, 10_000).map(({ spanId }, index) => ({
    span_id: index < 200 ? big[0].spanId : spanId,
    name: index % 7 === 0 ? `${WORD} ${index}` : `judgement ${index}`,
    annotator_kind: index % 2 === 0 ? 'LLM' : 'CODE',
    result: {
      label: TEXTS[index % TEXTS.length],
      score: index * 1234.56789,
      explanation: TEXTS[(index + 1) % TEXTS.length],
    },
  }));
  for (let at = 0; at < annotations.length; at += 2_000) {
    await post(url, 'v1/span_annotations?sync=false', { data: annotations.slice(at, at + 2_000) });
  }
  return { bigTraceId: big[0].traceId, oddTraceId: hex(7, 16), sessionId: WORD };
}

function manySpans(now) {
  const traceId = hex(1, 16);
  const start = now - 2 * HOUR_MS;
  const spans = [span({ traceId, id: 1, name: 'overnight evaluation run', start, latencyMs: HOUR_MS })];
  for (let step = 0; spans.length < 100_000; step++) {
    const id = 10_000_000 + step;
    const at = start + step * 3_000;
    spans.push(span({ traceId, id, parent: 1, name: TEXTS[step % 5], start: at, latencyMs: 2_900, kind: 'CHAIN' }));
    for (let call = 0; call < 99 && spans.length < 100_000; call++) {
      const kind = ['LLM', 'TOOL', 'RETRIEVER'][call % 3];
      const from = at + call * 29;
      const isError = call === 98 && step % 50 === 0;
      spans.push(
        span({
          traceId,
          id: spans.length + 100,
          parent: id,
          name: `step ${call}`,
          start: from,
          latencyMs: 28,
          kind,
          isError,
        }),
      );
    }
  }
  return spans;
}

function oddSpans(now) {
  const traceId = hex(7, 16);
  const start = now - HOUR_MS;
  const message = (side, index, role, content) => ({
    [`llm.${side}_messages.${index}.message.role`]: role,
    [`llm.${side}_messages.${index}.message.content`]: content,
  });
  const call = 'llm.output_messages.0.message.tool_calls.0.tool_call';
  const model = {
    'llm.model_name': 'gpt-4o',
    'llm.token_count.prompt': 812_345_678_901,
    'llm.token_count.completion': 98_765_432_109,
    ...message('input', 0, 'system', TEXTS[0].repeat(40)),
    ...message('input', 1, TEXTS[2], TEXTS.join('\n\n')),
    ...message('output', 0, 'assistant', WORD),
    [`${call}.function.name`]: WORD,
    [`${call}.function.arguments`]: JSON.stringify({ [WORD]: TEXTS, deep: deep(30) }),
  };
  const documents = TEXTS.flatMap((text, index) => [
    [`retrieval.documents.${index}.document.id`, WORD],
    [`retrieval.documents.${index}.document.content`, text.repeat(20)],
    [`retrieval.documents.${index}.document.score`, 1 / (index + 3)],
  ]);
  const stack = Array.from(
    { length: 200 },
    (_, line) => `    at ${WORD}.method${line} (/srv/${'deep/'.repeat(20)}file.ts:${line}:7)`,
  );
  const io = { 'input.value': TEXTS.join(' '), 'output.value': WORD, 'session.id': WORD, 'user.id': TEXTS[2] };
  const metadata = JSON.stringify(Object.fromEntries(TEXTS.map((text, index) => [`${WORD}${index}`, text])));
  return [
    span({
      traceId,
      id: 200_001,
      name: TEXTS[0],
      start,
      latencyMs: 90 * HOUR_MS,
      attributes: { ...io, metadata },
      kind: 'AGENT',
    }),
    span({ traceId, id: 200_002, parent: 200_001, name: WORD, start, latencyMs: 0, attributes: model, kind: 'LLM' }),
    span({
      traceId,
      id: 200_003,
      parent: 200_002,
      name: TEXTS[2],
      start,
      latencyMs: 5,
      attributes: Object.fromEntries(documents),
      kind: 'RETRIEVER',
    }),
    span({
      traceId,
      id: 200_004,
      parent: 200_003,
      name: TEXTS[3],
      start,
      latencyMs: 7,
      isError: true,
      stack: stack.join('\n'),
      kind: 'TOOL',
    }),
    span({
      traceId,
      id: 200_005,
      parent: 200_004,
      name: 'twenty megabytes',
      start,
      latencyMs: 9,
      attributes: { 'input.value': TEXTS.join(' ').repeat(16_000).slice(0, 20_000_000) },
    }),
  ];
}

function turns(now) {
  return Array.from({ length: 500 }, (_, index) =>
    span({
      traceId: hex(1_000 + index, 16),
      id: 300_000 + index,
      name: index % 9 === 0 ? TEXTS[index % 5] : 'turn',
      start: now - HOUR_MS + index * 5_000,
      latencyMs: 100 + ((index * 7_919) % 4_000),
      isError: index % 40 === 3,
      attributes: {
        'session.id': 'five hundred turns',
        'input.value': index % 3 === 0 ? TEXTS[index % 5] : `Question ${index}`,
        'output.value': `Answer ${index}. ${TEXTS[(index + 1) % 5]}`,
        'llm.token_count.prompt': 100 + index,
      },
    }),
  );
}

const deep = (depth) => (depth === 0 ? TEXTS[1] : { below: deep(depth - 1) });
const hex = (number, bytes) => number.toString(16).padStart(bytes * 2, '0');

function span({
  traceId,
  id,
  parent,
  name,
  start,
  latencyMs,
  kind = 'CHAIN',
  isError = false,
  stack,
  attributes = {},
}) {
  const nano = (ms) => String(BigInt(Math.round(ms)) * 1_000_000n);
  const value = (given) =>
    typeof given === 'string'
      ? { stringValue: given }
      : Number.isInteger(given)
        ? { intValue: String(given) }
        : { doubleValue: given };
  const pairs = (given) => Object.entries(given).map(([key, each]) => ({ key, value: value(each) }));
  const exception = { 'exception.type': WORD, 'exception.message': TEXTS[0], 'exception.stacktrace': stack ?? '' };
  return {
    traceId,
    spanId: hex(id, 8),
    ...(parent === undefined ? {} : { parentSpanId: hex(parent, 8) }),
    name,
    startTimeUnixNano: nano(start),
    endTimeUnixNano: nano(start + latencyMs),
    attributes: pairs({ 'openinference.span.kind': kind, ...attributes }),
    status: isError ? { code: 2, message: TEXTS[0] } : {},
    events: stack === undefined ? [] : [{ name: 'exception', timeUnixNano: nano(start), attributes: pairs(exception) }],
  };
}

const otlp = (spans) => ({
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'openinference.project.name', value: { stringValue: HUGE_PROJECT } }] },
      scopeSpans: [{ spans }],
    },
  ],
});

async function post(url, path, body) {
  const response = await fetch(`${url}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}
