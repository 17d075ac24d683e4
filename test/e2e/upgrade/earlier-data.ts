import assert from 'node:assert/strict';
import { getJson, listSpans, type RestSpan } from '../rest.ts';

const SECOND = 1_000_000_000n;
const START = 1_760_000_000n * SECOND;
export const SPAN_COUNT = 60;
/** Number of spans that are sent last, so that the kill leaves them only in the journal. */
export const LATE_SPAN_COUNT = 5;

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
export const traceIdOf = (span: number): string => hex(0xabc000 + Math.floor(span / 4), 32);
export const spanIdOf = (span: number): string => hex(0xdef000 + span, 16);

/** Writes some data of every kind through routes that every version has. */
export async function writeEarlierData(url: string): Promise<void> {
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await response.text();
    assert.ok(response.ok, `POST ${path} → ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const sendSpans = (project: string, from: number, to: number) =>
    post(
      '/v1/traces',
      otlpRequest(
        project,
        Array.from({ length: to - from }, (_, index) => otlpSpan(from + index)),
      ),
    );

  await sendSpans('earlier', 0, SPAN_COUNT - LATE_SPAN_COUNT);
  await post('/v1/projects', { name: 'deleted-earlier' });
  await sendSpans('deleted-earlier', 1_000, 1_004);
  await spansOnceStored(url, 'earlier', SPAN_COUNT - LATE_SPAN_COUNT);
  await spansOnceStored(url, 'deleted-earlier', 4);
  assert.equal((await fetch(`${url}/v1/projects/deleted-earlier`, { method: 'DELETE' })).status, 204);

  const annotation = (fields: object) => ({
    name: 'quality',
    annotator_kind: 'HUMAN',
    result: { label: 'good', score: 0.75 },
    ...fields,
  });
  await post('/v1/span_annotations?sync=true', { data: [annotation({ span_id: spanIdOf(1) })] });
  await post('/v1/trace_annotations?sync=true', { data: [annotation({ trace_id: traceIdOf(1) })] });
  const uploaded = (await post('/v1/datasets/upload?sync=true', {
    action: 'create',
    name: 'earlier-cases',
    inputs: [{ question: 'a' }, { question: 'b' }],
    outputs: [{ answer: 1 }, { answer: 2 }],
  })) as { data: { dataset_id: string } };
  await post('/v1/prompts', {
    prompt: { name: 'earlier-prompt' },
    version: {
      model_provider: 'OPENAI',
      model_name: 'gpt-4o',
      template: { type: 'chat', messages: [{ role: 'user', content: 'Answer {{question}}' }] },
      template_type: 'CHAT',
      template_format: 'MUSTACHE',
      invocation_parameters: { type: 'openai', openai: { temperature: 0.5 } },
    },
  });
  await post(`/v1/datasets/${uploaded.data.dataset_id}/experiments`, { name: 'earlier-experiment', repetitions: 1 });
  await sendSpans('earlier', SPAN_COUNT - LATE_SPAN_COUNT, SPAN_COUNT);
}

/** Checks that all data of `writeEarlierData` exists once, and adds new data. May be called repeatedly. */
export async function checkEarlierData(url: string): Promise<void> {
  const spans = await spansOnceStored(url, 'earlier', SPAN_COUNT);
  assert.deepEqual(
    spans.map(({ context, name }) => [context.trace_id, context.span_id, name]).sort(),
    Array.from({ length: SPAN_COUNT }, (_, span) => [traceIdOf(span), spanIdOf(span), `span ${span}`]).sort(),
  );
  const first = spans.find(({ context }) => context.span_id === spanIdOf(0))!;
  assert.equal(first.attributes['input.value'], 'question 0');
  assert.equal(first.attributes['llm.token_count.prompt'], 7);
  assert.equal(first.start_time, '2025-10-09T08:53:20+00:00');

  const { data: projects } = await getJson<{ data: { name: string; id: string }[] }>(`${url}/v1/projects`);
  assert.deepEqual(
    projects
      .map(({ name }) => name)
      .filter((name) => name !== 'later')
      .sort(),
    ['default', 'earlier'],
  );
  const annotations = await getJson<{ data: { name: string; result: { score: number } }[] }>(
    `${url}/v1/projects/earlier/span_annotations?span_ids=${spanIdOf(1)}`,
  );
  assert.deepEqual(
    annotations.data.map(({ name, result }) => [name, result.score]),
    [['quality', 0.75]],
  );
  const { data: datasets } = await getJson<{ data: { id: string; name: string }[] }>(`${url}/v1/datasets`);
  assert.deepEqual(
    datasets.map(({ name }) => name),
    ['earlier-cases'],
  );
  const { data: examples } = await getJson<{ data: { examples: { output: unknown }[] } }>(
    `${url}/v1/datasets/${datasets[0]!.id}/examples`,
  );
  assert.deepEqual(
    examples.examples.map(({ output }) => output),
    [{ answer: 1 }, { answer: 2 }],
  );
  const { data: experiments } = await getJson<{ data: { name: string }[] }>(
    `${url}/v1/datasets/${datasets[0]!.id}/experiments`,
  );
  assert.deepEqual(
    experiments.map(({ name }) => name),
    ['earlier-experiment'],
  );
  const { data: prompt } = await getJson<{ data: { model_name: string } }>(`${url}/v1/prompts/earlier-prompt/latest`);
  assert.equal(prompt.model_name, 'gpt-4o');

  const sent = await fetch(`${url}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(otlpRequest('later', [otlpSpan(500)])),
  });
  assert.equal(sent.status, 200);
  await spansOnceStored(url, 'later', 1);
  const { data: now } = await getJson<{ data: { name: string; id: string }[] }>(`${url}/v1/projects`);
  assert.equal(new Set(now.map(({ id }) => id)).size, 3);
}

async function spansOnceStored(url: string, project: string, count: number): Promise<RestSpan[]> {
  for (let attempt = 0; ; attempt++) {
    const spans = await listSpans(url, project);
    if (spans.length === count) return spans;
    assert.ok(attempt < 600, `${project} has ${spans.length} of ${count} spans`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const otlpRequest = (project: string, spans: unknown[]) => ({
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'openinference.project.name', value: { stringValue: project } }] },
      scopeSpans: [{ scope: { name: 'earlier' }, spans }],
    },
  ],
});

function otlpSpan(span: number) {
  const start = START + BigInt(span) * SECOND;
  return {
    traceId: traceIdOf(span),
    spanId: spanIdOf(span),
    ...(span % 4 > 0 && { parentSpanId: spanIdOf(span - (span % 4)) }),
    name: `span ${span}`,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + SECOND / 2n),
    attributes: [
      { key: 'openinference.span.kind', value: { stringValue: span % 4 > 0 ? 'CHAIN' : 'LLM' } },
      { key: 'input.value', value: { stringValue: `question ${span}` } },
      { key: 'session.id', value: { stringValue: `session ${span % 3}` } },
      { key: 'llm.model_name', value: { stringValue: 'gpt-4o' } },
      { key: 'llm.token_count.prompt', value: { intValue: '7' } },
    ],
    status: { code: span % 10 === 9 ? 2 : 1 },
  };
}
