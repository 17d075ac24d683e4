import type { ExactJson } from '../../base/exact-json.ts';
import type { Dialect } from './dialect.ts';
import type { Content, Message } from './message.ts';
import { readMessages } from './read-messages.ts';
import { readUsage } from './read-values.ts';
import { fieldOf, textIn } from './span-view.ts';

/** Attributes of Google's Agent Development Kit: requests and responses of Gemini as JSON. */
export const ADK: Dialect = {
  name: 'adk',
  prefixes: ['gcp.vertex.agent.'],
  kindOf: (span) => {
    const isModelCall = notEmpty(span.json('gcp.vertex.agent.llm_request')) !== undefined;
    return isModelCall ? 'LLM' : undefined;
  },
  translate(span) {
    const request = notEmpty(span.json('gcp.vertex.agent.llm_request'));
    const response = notEmpty(span.json('gcp.vertex.agent.llm_response'));
    const given = notEmpty(span.json('gcp.vertex.agent.tool_call_args'));
    const result = notEmpty(span.json('gcp.vertex.agent.tool_response'));
    const chunks = chunksOf(span.json('gen_ai.output.messages'));
    return {
      ...(request === undefined && response === undefined
        ? {}
        : {
            model: textIn(request, 'model'),
            inputMessages: readMessages(request, 'user'),
            outputMessages: readMessages(fieldOf(response, 'content'), 'assistant'),
            tokens: readUsage(fieldOf(response, 'usage_metadata', 'usageMetadata')),
          }),
      ...(chunks === undefined ? {} : { outputMessages: chunks }),
      ...(given === undefined ? {} : { tool: { parameters: given }, input: given }),
      ...(result === undefined ? {} : { output: result }),
      sessionId: span.text('gcp.vertex.agent.session_id'),
    };
  },
};

/** A streamed response is sent as one message for each chunk, of which only the last one has a reason to finish. */
function chunksOf(messages: ExactJson | undefined): Message[] | undefined {
  if (!Array.isArray(messages) || messages.length < 2) return undefined;
  if (!messages.slice(0, -1).every((message) => fieldOf(message, 'finish_reason') === '')) return undefined;
  const read = readMessages(messages, 'assistant') ?? [];
  const contents: Content[] = [];
  for (const content of read.flatMap((message) => message.contents)) {
    const last = contents.at(-1);
    const isSame = last?.type === content.type && 'text' in content && 'text' in last;
    if (isSame) contents[contents.length - 1] = { ...content, text: last.text + content.text };
    else contents.push(content);
  }
  return [{ role: 'assistant', contents, toolCalls: read.flatMap(({ toolCalls }) => toolCalls) }];
}

/** ADK sends `{}` where a value does not apply or is not captured. */
const notEmpty = <Value>(value: Value | undefined): Value | undefined =>
  value === undefined ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0) ||
  value === ''
    ? undefined
    : value;
