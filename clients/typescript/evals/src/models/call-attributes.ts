import { type ChatMessage, textOf } from './chat-message.ts';
import type { Model, ModelUsage } from './model.ts';

/** Characters of a text in an attribute of a span. */
const VALUE_CHARS_MAX = 100_000;

/** What is recorded of the response of a model. */
export interface RecordedResponse {
  readonly text: string;
  readonly value?: unknown;
  readonly usage?: ModelUsage;
}

/** Attributes of the LLM span of a call, by OpenInference. @param response Undefined when the call failed */
export function callAttributes(
  { name, provider }: Pick<Model, 'name' | 'provider'>,
  messages: readonly ChatMessage[],
  response: RecordedResponse | undefined,
): Record<string, string | number> {
  const shorten = (text: string) => text.slice(0, VALUE_CHARS_MAX);
  const answer = response && shorten(response.text || (JSON.stringify(response.value ?? '') ?? ''));
  const { inputTokens, outputTokens } = response?.usage ?? {};
  return {
    'llm.model_name': name,
    'llm.provider': provider,
    'input.value': shorten(messages.map(textOf).join('\n\n')),
    ...Object.fromEntries(
      messages.flatMap((message, index) => [
        [`llm.input_messages.${index}.message.role`, message.role],
        [`llm.input_messages.${index}.message.content`, shorten(textOf(message))],
      ]),
    ),
    ...(answer !== undefined && {
      'output.value': answer,
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': answer,
    }),
    ...(inputTokens !== undefined && { 'llm.token_count.prompt': inputTokens }),
    ...(outputTokens !== undefined && { 'llm.token_count.completion': outputTokens }),
  };
}
