import { type Attributes, attribute, emit, hex, type SampleSpan, type SentSpan } from './sample-otlp.ts';
import { TOPICS, type Topic } from './sample-topics.ts';

export const SAMPLE_PROJECT = 'sample-support-assistant';

const HOUR_MS = 3_600_000;
const SESSION_COUNT = 34;
const MODEL = 'gpt-4o-mini';
const SYSTEM =
  'You help customers of a shop for hiking gear. Answer from the documents and the tools. Be brief, and say when you do not know.';

/** Data that an application sends: traces, and annotations of them by an evaluator. */
interface SampleRequests {
  /** OTLP/JSON. */
  readonly traces: object;
  /** For `POST /v1/span_annotations`. */
  readonly annotations: object;
}

/**
 * One day of a support assistant. It has conversations of several turns. Each turn retrieves documents, calls a model and may
 * call tools. Some turns fail. Everything but the times is the same on each call.
 *
 * @param now End of the last trace, in ms since the epoch.
 */
export function sampleRequests(now: number): SampleRequests {
  const random = seeded(20_240_607);
  const spans: SentSpan[] = [];
  for (let session = 0; session < SESSION_COUNT; session++) {
    const turnCount = 1 + Math.floor(random() * 4);
    // More conversations by day than by night.
    let at = now - 23.5 * HOUR_MS + (23 * HOUR_MS * (session + random())) / SESSION_COUNT;
    const user = `user-${1 + Math.floor(random() * 9)}`;
    const firstTopic = Math.floor(random() * TOPICS.length);
    const history: { readonly question: string; readonly answer: string }[] = [];
    for (let turn = 0; turn < turnCount; turn++) {
      // No question occurs twice in a conversation.
      const topic = TOPICS[(firstTopic + turn * 3) % TOPICS.length]!;
      const root = toTurn(topic, history, random);
      const traceId = hex(random, 16);
      const common = { 'session.id': `chat-${1000 + session}`, 'user.id': user };
      emit(root, undefined, at, traceId, common, random, spans);
      history.push({ question: topic.question, answer: topic.answer });
      at += root.latencyMs + 15_000 + random() * 90_000;
      if (at > now - 60_000) break;
    }
    if (session % 2 === 0)
      emit(toTriage(TOPICS[session % TOPICS.length]!, random), undefined, at, hex(random, 16), {}, random, spans);
  }
  const resource = {
    attributes: [
      attribute('openinference.project.name', SAMPLE_PROJECT),
      attribute('service.name', 'support-assistant'),
    ],
  };
  return {
    traces: { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'sample' }, spans }] }] },
    annotations: { data: spans.filter(({ parentSpanId }) => parentSpanId === undefined).flatMap(annotate) },
  };
}

const VERDICTS = [
  { label: 'helpful', score: 1, explanation: 'Answers the question from the documents.' },
  { label: 'helpful', score: 0.9, explanation: 'Right, and a little longer than it had to be.' },
  { label: 'partly', score: 0.5, explanation: 'Right in what it says; leaves out what the customer has to do next.' },
  { label: 'helpful', score: 1, explanation: 'Answers the question and says where it is written.' },
  { label: 'unhelpful', score: 0, explanation: 'Sends the customer to support without trying.' },
] as const;

/** A model annotates two of three turns. */
function annotate({ spanId, name }: SentSpan, index: number): readonly object[] {
  if (name === 'triage_mail' || index % 3 === 2) return [];
  const result = VERDICTS[index % VERDICTS.length];
  return [{ span_id: spanId, name: 'helpfulness', annotator_kind: 'LLM', result }];
}

/** An incoming mail that the assistant sorts. */
function toTriage(topic: Topic, random: () => number): SampleSpan {
  const mail = `Subject: a question\n\nHello, ${topic.question} Thank you!`;
  const checkMs = 12 + random() * 30;
  const askMs = 220 + random() * 500;
  const given = [
    { role: 'system', content: 'Name the topic of the mail in one word.' },
    { role: 'user', content: mail },
  ];
  const answer = { role: 'assistant', content: topic.id };
  return {
    name: 'triage_mail',
    kind: 'CHAIN',
    startMs: 0,
    latencyMs: checkMs + askMs + 9,
    attributes: {
      'input.value': mail,
      'output.value': JSON.stringify({ topic: topic.id, urgent: random() < 0.2 }),
      'output.mime_type': 'application/json',
    },
    children: [
      {
        name: 'mask_personal_data',
        kind: 'GUARDRAIL',
        startMs: 1,
        latencyMs: checkMs,
        attributes: { 'input.value': mail, 'output.value': mail, metadata: JSON.stringify({ masked: 0 }) },
      },
      toModelCall({
        name: 'name_topic',
        given,
        answer,
        startMs: checkMs + 3,
        latencyMs: askMs,
        error: undefined,
        topic: { ...topic, tool: undefined },
      }),
    ],
  };
}

function toTurn(
  topic: Topic,
  history: readonly { readonly question: string; readonly answer: string }[],
  random: () => number,
): SampleSpan {
  const luck = random();
  const isToolDown = topic.tool !== undefined && luck < 0.12;
  const isLimited = !isToolDown && luck > 0.95;
  const embedMs = 30 + random() * 60;
  const searchMs = 60 + random() * 180;
  const retrieve: SampleSpan = {
    name: 'search_handbook',
    kind: 'RETRIEVER',
    startMs: 4,
    latencyMs: embedMs + searchMs,
    attributes: {
      'input.value': topic.question,
      ...flatten(
        'retrieval.documents',
        topic.documents.map((content, index) => ({
          'document.id': `handbook-${topic.id}-${index + 1}`,
          'document.content': content,
          'document.score': Number((0.93 - index * 0.11 - random() * 0.06).toFixed(3)),
          'document.metadata': JSON.stringify({ source: 'handbook.md', section: topic.id }),
        })),
      ),
    },
    children: [
      {
        name: 'embed_query',
        kind: 'EMBEDDING',
        startMs: 6,
        latencyMs: embedMs,
        attributes: {
          'embedding.model_name': 'text-embedding-3-small',
          'embedding.embeddings.0.embedding.text': topic.question,
          'llm.token_count.prompt': 6 + topic.question.length / 4,
        },
      },
    ],
  };
  const messages = [
    { role: 'system', content: SYSTEM },
    ...history.flatMap(({ question, answer }) => [
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ]),
    { role: 'user', content: topic.question },
  ];
  let clock = retrieve.startMs + retrieve.latencyMs + 8;
  const children: SampleSpan[] = [retrieve];
  const ask = (name: string, given: readonly SampleMessage[], answer: SampleMessage, error?: SampleSpan['error']) => {
    const latencyMs = error ? 240 + random() * 100 : 500 + random() * 1_900;
    children.push(toModelCall({ name, given, answer, startMs: clock, latencyMs, error, topic }));
    clock += latencyMs + 6;
  };
  const limit = {
    type: 'RateLimitError',
    message: '429 Rate limit reached for gpt-4o-mini: 200000 tokens per minute. Try again in 1.2 s.',
    stack:
      'RateLimitError: 429\n    at Client.request (assistant/model.ts:48:13)\n    at answer (assistant/agent.ts:31:20)',
  };
  if (isLimited) ask('choose_action', messages, { role: 'assistant', content: '' }, limit);
  else if (topic.tool) {
    const callId = `call_${hex(random, 6)}`;
    const call = {
      role: 'assistant',
      content: '',
      call: { id: callId, name: topic.tool.name, arguments: topic.tool.arguments },
    };
    ask('choose_action', messages, call);
    const latencyMs = isToolDown ? 3_000 : 40 + random() * 320;
    children.push(toToolCall(topic.tool, clock, latencyMs, isToolDown));
    clock += latencyMs + 5;
    if (!isToolDown) {
      const result = { role: 'tool', content: topic.tool.result, answers: callId };
      ask('compose_answer', [...messages, call, result], { role: 'assistant', content: topic.answer });
    }
  } else ask('compose_answer', messages, { role: 'assistant', content: topic.answer });
  const isFailed = isToolDown || isLimited;
  return {
    name: 'support_assistant',
    kind: 'AGENT',
    startMs: 0,
    latencyMs: clock + 4,
    attributes: {
      'input.value': topic.question,
      'input.mime_type': 'text/plain',
      ...(isFailed ? {} : { 'output.value': topic.answer, 'output.mime_type': 'text/plain' }),
      metadata: JSON.stringify({ topic: topic.id, channel: random() < 0.7 ? 'web' : 'mail' }),
    },
    ...(isFailed ? { error: isLimited ? limit : timeout(topic.tool!.name) } : {}),
    children,
  };
}

const timeout = (tool: string) => ({
  type: 'TimeoutError',
  message: `${tool} did not answer within 3000 ms`,
  stack: `TimeoutError: ${tool} did not answer within 3000 ms\n    at withDeadline (assistant/deadline.ts:12:11)\n    at callTool (assistant/tools.ts:27:9)\n    at answer (assistant/agent.ts:44:16)`,
});

function toToolCall(tool: NonNullable<Topic['tool']>, startMs: number, latencyMs: number, isDown: boolean): SampleSpan {
  return {
    name: tool.name,
    kind: 'TOOL',
    startMs,
    latencyMs,
    attributes: {
      'tool.name': tool.name,
      'tool.description': tool.description,
      'tool.parameters': tool.arguments,
      'input.value': tool.arguments,
      'input.mime_type': 'application/json',
      ...(isDown ? {} : { 'output.value': tool.result, 'output.mime_type': 'application/json' }),
    },
    ...(isDown ? { error: timeout(tool.name) } : {}),
  };
}

interface SampleMessage {
  readonly role: string;
  readonly content: string;
  readonly call?: { readonly id: string; readonly name: string; readonly arguments: string };
  /** ID of the tool call that this is the result of. */
  readonly answers?: string;
}

interface ModelCall {
  readonly name: string;
  readonly given: readonly SampleMessage[];
  readonly answer: SampleMessage;
  readonly startMs: number;
  readonly latencyMs: number;
  readonly error: SampleSpan['error'] | undefined;
  readonly topic: Topic;
}

function toModelCall({ name, given, answer, startMs, latencyMs, error, topic }: ModelCall): SampleSpan {
  const prompt = given.reduce((sum, { content }) => sum + 4 + Math.ceil(content.length / 4), 0);
  const completion = 6 + Math.ceil((answer.content.length + (answer.call?.arguments.length ?? 0)) / 4);
  return {
    name,
    kind: 'LLM',
    startMs,
    latencyMs,
    attributes: {
      'llm.model_name': MODEL,
      'llm.provider': 'openai',
      'llm.system': 'openai',
      'llm.invocation_parameters': JSON.stringify({ temperature: 0.2, max_tokens: 400 }),
      ...flatten('llm.input_messages', given.map(toMessage)),
      ...(topic.tool
        ? {
            'llm.tools.0.tool.json_schema': JSON.stringify({
              type: 'function',
              function: { name: topic.tool.name, description: topic.tool.description, parameters: topic.tool.schema },
            }),
          }
        : {}),
      ...(error
        ? {}
        : {
            ...flatten('llm.output_messages', [toMessage(answer)]),
            'output.value': answer.content || JSON.stringify(answer.call),
            'llm.token_count.prompt': prompt,
            'llm.token_count.completion': completion,
            'llm.token_count.total': prompt + completion,
            ...(given.length > 3 ? { 'llm.token_count.prompt_details.cache_read': Math.floor(prompt * 0.6) } : {}),
          }),
      'input.value': JSON.stringify({ messages: given.map(({ role, content }) => ({ role, content })) }),
      'input.mime_type': 'application/json',
    },
    ...(error ? { error } : {}),
  };
}

const toMessage = ({ role, content, call, answers }: SampleMessage): Attributes => ({
  'message.role': role,
  ...(content === '' ? {} : { 'message.content': content }),
  ...(answers === undefined ? {} : { 'message.tool_call_id': answers }),
  ...(call === undefined
    ? {}
    : {
        'message.tool_calls.0.tool_call.id': call.id,
        'message.tool_calls.0.tool_call.function.name': call.name,
        'message.tool_calls.0.tool_call.function.arguments': call.arguments,
      }),
});

function flatten(prefix: string, items: readonly Attributes[]): Attributes {
  return Object.fromEntries(
    items.flatMap((item, index) => Object.entries(item).map(([key, value]) => [`${prefix}.${index}.${key}`, value])),
  );
}

/** Mulberry32, a pseudo-random generator. Each run returns the same numbers. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
