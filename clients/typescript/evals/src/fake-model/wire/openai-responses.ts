import { choiceOf, textOf } from './openai-chat.ts';
import { findBearerProblem, openAiError } from './openai-rules.ts';
import {
  type AnswerContext,
  argumentsText,
  namedEvent,
  type ProtocolServer,
  roleOf,
  type StreamEvent,
  slices,
  type VendorPrompt,
} from './protocol.ts';
import type { CompleteAnswer } from './wire-answer.ts';

const CREATED = 1_760_000_000;

/** OpenAI's responses. */
export const openAiResponses: ProtocolServer<'openai-responses'> = {
  protocol: 'openai-responses',
  match: (path) => (path.endsWith('/responses') ? {} : undefined),
  findCredentialProblem: findBearerProblem,
  credentialStatus: 401,
  unknownModelStatus: 404,
  readPrompt,
  streamType: 'text/event-stream; charset=utf-8',
  toBody: (answer, context) => toResponse(answer, context),
  toEvents,
  toError: openAiError,
  toErrorEvent: (message) =>
    namedEvent({ type: 'error', code: 'server_error', message, param: null, sequence_number: 9 }).bytes,
};

// biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
function readPrompt(body: any): VendorPrompt {
  // biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
  const items: any[] = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : (body.input ?? []);
  const itemText = (item: { content?: unknown; output?: unknown }) => textOf(item.content ?? item.output);
  return {
    model: body.model,
    isStreamed: body.stream === true,
    messages: [
      ...(body.instructions ? [{ role: 'system' as const, content: body.instructions }] : []),
      ...items.map((item) => ({ role: roleOf(item.role), content: itemText(item) })),
    ],
    text: [body.instructions ?? '', ...items.map(itemText)].join('\n'),
    lastText: itemText(
      items.findLast(({ role, type }) => role === 'user' || type === 'function_call_output') ?? { content: '' },
    ),
    // biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
    tools: (body.tools ?? []).map((tool: any) => ({ name: tool.name, schema: tool.parameters })),
    choice: choiceOf(body.tool_choice),
    format: body.text?.format?.schema,
    body,
  };
}

function itemsOf(answer: CompleteAnswer) {
  const text = answer.chunks.join('');
  return [
    ...(answer.reasoning === ''
      ? []
      : [{ id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: answer.reasoning }] }]),
    ...(text === '' && answer.toolCalls.length > 0
      ? []
      : [
          {
            id: 'msg_1',
            type: 'message',
            status: 'completed',
            role: 'assistant',
            content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
          },
        ]),
    ...answer.toolCalls.map((call, index) => ({
      id: `fc_${index}`,
      type: 'function_call',
      status: 'completed',
      call_id: call.id,
      name: call.name,
      arguments: argumentsText(call.arguments),
    })),
  ];
}

function toResponse(answer: CompleteAnswer, { prompt, callNumber }: AnswerContext) {
  const isCut = answer.finish === 'length' || answer.finish === 'filter';
  return {
    id: `resp_${callNumber}`,
    object: 'response',
    created_at: CREATED,
    status: isCut ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: isCut ? { reason: answer.finish === 'length' ? 'max_output_tokens' : 'content_filter' } : null,
    instructions: null,
    model: prompt.model,
    output: itemsOf(answer),
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    metadata: {},
    usage: {
      input_tokens: answer.usage.prompt,
      input_tokens_details: { cached_tokens: answer.usage.cacheRead },
      output_tokens: answer.usage.completion,
      output_tokens_details: { reasoning_tokens: answer.usage.reasoning },
      total_tokens: answer.usage.prompt + answer.usage.completion,
    },
  };
}

function* toEvents(answer: CompleteAnswer, context: AnswerContext): Iterable<StreamEvent> {
  let sequence_number = 0;
  const event = (data: { type: string; [field: string]: unknown }, isText = false) =>
    namedEvent({ ...data, sequence_number: sequence_number++ }, isText);
  const whole = toResponse(answer, context);
  const started = { ...whole, status: 'in_progress', incomplete_details: null, output: [], usage: null };
  yield event({ type: 'response.created', response: started });
  yield event({ type: 'response.in_progress', response: started });
  for (const [output_index, item] of whole.output.entries()) {
    yield event({ type: 'response.output_item.added', output_index, item: emptied(item) });
    const place = { item_id: item.id, output_index };
    if ('content' in item) {
      const part = { type: 'output_text', text: '', annotations: [] };
      yield event({ type: 'response.content_part.added', ...place, content_index: 0, part });
      for (const delta of answer.chunks) {
        yield event({ type: 'response.output_text.delta', ...place, content_index: 0, delta, logprobs: [] }, true);
      }
      const text = answer.chunks.join('');
      yield event({ type: 'response.output_text.done', ...place, content_index: 0, text, logprobs: [] });
      yield event({ type: 'response.content_part.done', ...place, content_index: 0, part: { ...part, text } });
    } else if ('summary' in item) {
      const part = { type: 'summary_text', text: '' };
      yield event({ type: 'response.reasoning_summary_part.added', ...place, summary_index: 0, part });
      for (const delta of slices(answer.reasoning)) {
        yield event({ type: 'response.reasoning_summary_text.delta', ...place, summary_index: 0, delta });
      }
      yield event({ type: 'response.reasoning_summary_text.done', ...place, summary_index: 0, text: answer.reasoning });
      const done = { ...part, text: answer.reasoning };
      yield event({ type: 'response.reasoning_summary_part.done', ...place, summary_index: 0, part: done });
    } else if ('arguments' in item) {
      for (const delta of slices(item.arguments)) {
        yield event({ type: 'response.function_call_arguments.delta', ...place, delta });
      }
      yield event({ type: 'response.function_call_arguments.done', ...place, arguments: item.arguments });
    }
    yield event({ type: 'response.output_item.done', output_index, item });
  }
  yield event({ type: whole.status === 'incomplete' ? 'response.incomplete' : 'response.completed', response: whole });
}

function emptied(item: ReturnType<typeof itemsOf>[number]) {
  if ('content' in item) return { ...item, status: 'in_progress', content: [] };
  return 'summary' in item ? { ...item, summary: [] } : { ...item, status: 'in_progress', arguments: '' };
}
