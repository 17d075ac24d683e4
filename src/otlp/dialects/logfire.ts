import type { ExactJson } from '../../base/exact-json.ts';
import type { SpanKind } from '../../semconv/span-kinds.ts';
import type { Dialect, Translation } from './dialect.ts';
import type { Message } from './message.ts';
import { readMessages } from './read-messages.ts';
import { readUsage } from './read-values.ts';
import { asText, fieldOf, type SpanView, textIn, unquoted } from './span-view.ts';

/** Spans of the OpenAI Agents SDK are known by the template of their message only. */
const KIND_OF_TEMPLATE: readonly (readonly [start: string, kind: SpanKind])[] = [
  ['OpenAI Agents trace: ', 'CHAIN'],
  ['Agent run: ', 'AGENT'],
  ['Function: ', 'TOOL'],
  ['Task: ', 'CHAIN'],
  ['Turn {turn} ', 'CHAIN'],
  ['Handoff: ', 'CHAIN'],
  ['Guardrail ', 'GUARDRAIL'],
];

/** Attributes that Logfire and Pydantic AI send beside those of `gen_ai`. */
export const LOGFIRE: Dialect = {
  name: 'logfire',
  prefixes: ['logfire.', 'pydantic_ai.', 'all_messages_events', 'final_result'],
  kindOf(span) {
    const ofTemplate = KIND_OF_TEMPLATE.find(([start]) => span.text('logfire.msg_template')?.startsWith(start));
    if (ofTemplate !== undefined) return ofTemplate[1];
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
      ...(kind === 'LLM' && span.has('raw_input') ? agentsCallOf(span) : undefined),
      ...(kind === 'AGENT' && span.has('handoffs') ? { agentName: span.text('name') } : undefined),
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
    tokens: readUsage(span.json('gen_ai.usage.raw') ?? fieldOf(response, 'usage')),
  };
}

/** A call of the Responses API by the OpenAI Agents SDK. */
function agentsCallOf(span: SpanView): Translation {
  const response = span.json('response');
  const instructions = fieldOf(response, 'instructions') ?? null;
  return {
    inputMessages: readMessages({ instructions, input: span.json('raw_input') ?? null }, 'user'),
    outputMessages: readMessages(fieldOf(response, 'output'), 'assistant'),
    tokens: readUsage(span.json('gen_ai.usage.raw') ?? fieldOf(response, 'usage')),
  };
}

function responseOf(response: ExactJson | undefined): Message[] | undefined {
  const message = fieldOf(response, 'message');
  if (message !== undefined) return readMessages([message], 'assistant');
  const text = textIn(response, 'combined_chunk_content', 'text');
  return text === undefined ? undefined : [{ role: 'assistant', contents: [{ type: 'text', text }], toolCalls: [] }];
}

function toolOf(span: SpanView): Translation {
  const given = span.value('tool_arguments', 'input');
  const result = span.value('tool_response', 'output');
  return {
    tool: { name: span.has('mcp_data') ? span.text('name') : undefined, parameters: given },
    input: given === undefined ? undefined : asText(given),
    output: result === undefined ? undefined : unquoted(result),
  };
}
