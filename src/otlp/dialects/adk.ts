import type { Dialect } from './dialect.ts';
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
    return {
      ...(request === undefined && response === undefined
        ? {}
        : {
            model: textIn(request, 'model'),
            inputMessages: readMessages(request, 'user'),
            outputMessages: readMessages(fieldOf(response, 'content'), 'assistant'),
            tokens: readUsage(fieldOf(response, 'usage_metadata', 'usageMetadata')),
          }),
      ...(given === undefined ? {} : { tool: { parameters: given }, input: given }),
      ...(result === undefined ? {} : { output: result }),
      sessionId: span.text('gcp.vertex.agent.session_id'),
    };
  },
};

/** ADK sends `{}` where a value does not apply or is not captured. */
const notEmpty = <Value>(value: Value | undefined): Value | undefined =>
  value === undefined ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0) ||
  value === ''
    ? undefined
    : value;
