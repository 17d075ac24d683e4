import type { ExactJson } from '../../base/exact-json.ts';
import type { Dialect, Translation } from './dialect.ts';
import type { Message } from './message.ts';
import { readMessages } from './read-messages.ts';
import { readUsage } from './read-values.ts';
import { asText, fieldOf, type SpanView, textIn, unquoted } from './span-view.ts';

/** Attributes that Logfire and Pydantic AI send beside those of `gen_ai`. */
export const LOGFIRE: Dialect = {
  name: 'logfire',
  prefixes: ['logfire.', 'pydantic_ai.', 'all_messages_events', 'final_result'],
  kindOf(span) {
    if (isAgent(span)) return 'AGENT';
    if (span.has('tool_arguments', 'tool_response')) return 'TOOL';
    const isCall = fieldOf(span.json('request_data'), 'messages', 'input') !== undefined;
    return isCall && !span.has('gen_ai.operation.name') ? 'LLM' : undefined;
  },
  translate(span, kind) {
    return {
      // The name of a span is the template of its message.
      name: span.text('logfire.msg'),
      ...(isAgent(span) ? agentOf(span) : undefined),
      ...(kind === 'LLM' && span.has('request_data') ? modelCallOf(span) : undefined),
      ...(kind === 'TOOL' ? toolOf(span) : undefined),
      sessionId: span.text('group_id'),
      cost: span.number('operation.cost'),
    };
  },
};

const isAgent = (span: SpanView): boolean =>
  span.has('pydantic_ai.all_messages', 'all_messages_events', 'final_result');

function agentOf(span: SpanView): Translation {
  const messages = readMessages(span.value('pydantic_ai.all_messages', 'all_messages_events'), 'user');
  const result = span.value('final_result');
  const textOfRole = (role: string) => {
    const contents = messages?.findLast((message) => message.role === role)?.contents ?? [];
    return contents.flatMap((content) => (content.type === 'text' ? [content.text] : [])).join('\n\n') || undefined;
  };
  return {
    agentName: span.text('gen_ai.agent.name', 'agent_name'),
    input: textOfRole('user'),
    output: result === undefined ? textOfRole('assistant') : unquoted(result),
  };
}

/** A call of OpenAI or Anthropic that Logfire has wrapped: the arguments and the response, as JSON. */
function modelCallOf(span: SpanView): Translation {
  const request = span.json('request_data');
  const response = span.json('response_data');
  const events = span.json('events');
  return {
    model: textIn(request, 'model'),
    inputMessages: Array.isArray(events) ? undefined : readMessages(request, 'user'),
    outputMessages: responseOf(response),
    tokens: readUsage(fieldOf(response, 'usage')),
  };
}

function responseOf(response: ExactJson | undefined): Message[] | undefined {
  const message = fieldOf(response, 'message');
  if (message !== undefined) return readMessages([message], 'assistant');
  const text = textIn(response, 'combined_chunk_content', 'text');
  return text === undefined ? undefined : [{ role: 'assistant', contents: [{ type: 'text', text }], toolCalls: [] }];
}

function toolOf(span: SpanView): Translation {
  const given = span.value('tool_arguments');
  const result = span.value('tool_response');
  return {
    tool: { parameters: given },
    input: given === undefined ? undefined : asText(given),
    output: result === undefined ? undefined : unquoted(result),
  };
}
