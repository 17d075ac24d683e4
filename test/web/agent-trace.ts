import { hexId, type SeedSpan } from './seed.ts';

type Attributes = NonNullable<SeedSpan['attributes']>;

/** A red dot of 5 × 5 pixels. */
export const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==';

const json = (value: object): string => JSON.stringify(value);

const model = (prompt: number, completion: number): Attributes => ({
  'openinference.span.kind': 'LLM',
  'llm.model_name': 'gpt-4o-mini',
  'llm.provider': 'openai',
  'llm.invocation_parameters': json({ temperature: 0.2, max_tokens: 400 }),
  'llm.token_count.prompt': prompt,
  'llm.token_count.completion': completion,
  'llm.token_count.prompt_details.cache_read': Math.floor(prompt / 2),
  'llm.token_count.completion_details.reasoning': Math.floor(completion / 4),
});

const said = (side: 'input' | 'output', index: number, role: string, content: string): Attributes => ({
  [`llm.${side}_messages.${index}.message.role`]: role,
  [`llm.${side}_messages.${index}.message.content`]: content,
});

const call = (index: number, number: number, id: string, name: string, given: object): Attributes => {
  const place = `llm.output_messages.${index}.message.tool_calls.${number}.tool_call`;
  return {
    [`${place}.id`]: id,
    [`${place}.function.name`]: name,
    [`${place}.function.arguments`]: json(given),
  };
};

const io = (kind: string, input: string, output: string): Attributes => ({
  'openinference.span.kind': kind,
  'input.value': input,
  'output.value': output,
});

const documents = (prefix: string, texts: readonly string[]): Attributes =>
  Object.fromEntries(
    texts.flatMap((text, index) => [
      [`${prefix}.${index}.document.id`, `guide-${index + 1}`],
      [`${prefix}.${index}.document.content`, text],
      [`${prefix}.${index}.document.score`, 0.91 - index * 0.17],
      [`${prefix}.${index}.document.metadata`, json({ source: 'lisbon.md', page: index + 1 })],
    ]),
  );

const GUIDE = ['Alfama is the oldest quarter.', 'Line 28 climbs to Graça.', 'Belém lies 6 km to the west.'];
const QUESTION = 'Plan a weekend in **Lisbon** for two, under 600 euros.';
const ANSWER =
  'Fly on *Friday* at 18:05 for 214 euros, stay in Alfama:\n\n- Saturday: tram 28 and the castle\n- Sunday: Belém';

/** What of one run differs from another. */
export interface AgentTraceOptions {
  /** ms since the epoch. */
  readonly start: number;
  readonly session?: string;
  readonly answer?: string;
  /** The weather service answers at once where it does, and else fails first. */
  readonly isWeatherUp?: boolean;
}

/**
 * A planner that asks a model, hands flights to another agent, finds documents, and calls tools, one of which fails
 * before it works. All kinds of spans are there.
 */
export function agentTrace(number: number, options: AgentTraceOptions): SeedSpan[] {
  const { start, session, answer = ANSWER, isWeatherUp = false } = options;
  const traceId = hexId(number, 16);
  let count = 0;
  const span = (
    parent: SeedSpan | undefined,
    name: string,
    offset: number,
    latencyMs: number,
    attributes: Attributes,
    failure?: SeedSpan['exception'],
  ): SeedSpan => ({
    traceId,
    spanId: hexId(number * 1_000 + count++, 8),
    ...(parent ? { parentSpanId: parent.spanId } : {}),
    name,
    start: start + offset,
    latencyMs,
    attributes: { ...attributes, ...(session === undefined ? {} : { 'session.id': session, 'user.id': 'ada' }) },
    ...(failure ? { isError: true, exception: failure } : {}),
  });
  const root = span(undefined, 'trip_planner', 0, 6_400, {
    ...io('AGENT', QUESTION, answer),
    metadata: json({ tier: 'gold', channel: 'web' }),
  });
  const flights = span(
    root,
    'flight_agent',
    1_400,
    2_300,
    io('AGENT', 'Cheapest flight to Lisbon on Friday', 'TP 571'),
  );
  const search = span(root, 'search_guide', 1_380, 420, {
    ...io('RETRIEVER', 'Lisbon on foot', ''),
    ...documents('retrieval.documents', GUIDE),
  });
  const template = 'Plan {{days}} days in {{city}}.';
  const weatherDown = {
    type: 'TimeoutError',
    message: 'weather: no answer in 900 ms',
    stack: 'at ask (weather.ts:12)',
  };
  return [
    root,
    span(root, 'check_request', 5, 40, io('GUARDRAIL', QUESTION, '{"allowed": true}')),
    span(root, 'render_prompt', 46, 4, {
      ...io('PROMPT', json({ days: 2, city: 'Lisbon' }), 'Plan 2 days in Lisbon.'),
    }),
    span(root, 'decide', 60, 1_300, {
      ...model(412, 96),
      'llm.prompt_template.template': template,
      'llm.prompt_template.version': 'v3',
      'llm.prompt_template.variables': json({ days: 2, city: 'Lisbon' }),
      'llm.tools.0.tool.json_schema': json({
        type: 'function',
        function: { name: 'get_weather', description: 'Weather of a day', parameters: { type: 'object' } },
      }),
      ...said('input', 0, 'system', 'You plan short trips.'),
      'llm.input_messages.1.message.role': 'user',
      'llm.input_messages.1.message.contents.0.message_content.type': 'text',
      'llm.input_messages.1.message.contents.0.message_content.text': QUESTION,
      'llm.input_messages.1.message.contents.1.message_content.type': 'image',
      'llm.input_messages.1.message.contents.1.message_content.image.image.url': PICTURE,
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.contents.0.message_content.type': 'reasoning',
      'llm.output_messages.0.message.contents.0.message_content.text': 'Flights first, then what the weather allows.',
      'llm.output_messages.0.message.contents.1.message_content.type': 'text',
      'llm.output_messages.0.message.contents.1.message_content.text':
        'I will look up flights, the guide and the weather.',
      ...call(0, 0, 'call_weather', 'get_weather', { city: 'Lisbon', day: 'Saturday' }),
      ...call(0, 1, 'call_flights', 'flight_agent', { to: 'LIS', day: 'Friday' }),
    }),
    search,
    span(search, 'embed', 1_384, 90, {
      'openinference.span.kind': 'EMBEDDING',
      'embedding.model_name': 'text-embedding-3-small',
      'embedding.embeddings.0.embedding.text': 'Lisbon on foot',
      'embedding.embeddings.0.embedding.vector': '[0.1,0.2]',
    }),
    span(search, 'rerank', 1_560, 200, {
      'openinference.span.kind': 'RERANKER',
      'reranker.query': 'Lisbon on foot',
      'reranker.model_name': 'rerank-3',
      'reranker.top_k': 2,
      ...documents('reranker.input_documents', GUIDE),
      ...documents('reranker.output_documents', GUIDE.slice(0, 2)),
    }),
    flights,
    span(flights, 'choose_flight', 1_420, 700, {
      ...model(180, 30),
      ...said('input', 0, 'user', 'Cheapest flight to Lisbon on Friday'),
      'llm.output_messages.0.message.role': 'assistant',
      ...call(0, 0, 'call_a', 'search_flights', { to: 'LIS', day: 'Friday' }),
    }),
    ...['TAP', 'Ryanair', 'easyJet'].map((airline, index) =>
      span(flights, 'search_flights', 2_140 + index * 60, 800 + index * 300, {
        ...io('TOOL', json({ to: 'LIS', day: 'Friday', airline }), json({ price: 214 + index * 31 })),
        'tool.name': 'search_flights',
        'tool.description': 'Flights of one airline',
        'tool.parameters': json({ type: 'object', properties: { airline: { type: 'string' } } }),
      }),
    ),
    ...(isWeatherUp
      ? []
      : [span(root, 'get_weather', 3_720, 900, { ...io('TOOL', json({ city: 'Lisbon' }), '') }, weatherDown)]),
    span(root, 'get_weather', isWeatherUp ? 3_720 : 4_640, 300, {
      ...io('TOOL', json({ city: 'Lisbon', day: 'Saturday' }), json({ sky: 'clear', high: 24 })),
      'tool_call.id': 'call_weather',
    }),
    span(root, 'answer', 4_960, 1_380, {
      ...model(880, 140),
      ...said('input', 0, 'user', QUESTION),
      ...said('input', 1, 'tool', '{"sky": "clear", "high": 24}'),
      'llm.input_messages.1.message.tool_call_id': 'call_weather',
      ...said('output', 0, 'assistant', answer),
    }),
    span(root, 'rate_answer', 6_345, 50, io('EVALUATOR', answer, json({ label: 'helpful', score: 0.9 }))),
  ];
}

/** A root below which rounds of so many searches follow each other. */
export function roundsTrace(number: number, options: { start: number; rounds: number; searches: number }): SeedSpan[] {
  const { start, rounds, searches } = options;
  const traceId = hexId(number, 16);
  const spanId = (index: number) => hexId(number * 1_000_000 + index, 8);
  const step = searches * 4 + 10;
  const root: SeedSpan = { traceId, spanId: spanId(0), name: 'run', start, latencyMs: rounds * step };
  const spans = [root];
  for (let round = 0; round < rounds; round++) {
    const parent: SeedSpan = {
      traceId,
      spanId: spanId(spans.length),
      parentSpanId: root.spanId,
      name: 'round',
      start: start + round * step,
      latencyMs: step - 2,
      attributes: { 'openinference.span.kind': 'CHAIN' },
    };
    spans.push(parent);
    for (let search = 0; search < searches; search++) {
      spans.push({
        traceId,
        spanId: spanId(spans.length),
        parentSpanId: parent.spanId,
        name: 'search',
        start: parent.start + search * 4,
        latencyMs: 3,
        isError: round === rounds - 1 && search === searches - 1,
        attributes: { 'openinference.span.kind': 'TOOL' },
      });
    }
  }
  return spans;
}
