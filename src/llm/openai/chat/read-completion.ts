import type { TokenUsage } from '../../contract/chat-model.ts';
import { ModelError } from '../../contract/model-error.ts';
import type { OutputCollector } from '../../output-collector.ts';
import { asList, asObject, asText, type Received } from '../../read-values.ts';
import { toEventError } from '../../transport/vendor-error.ts';
import type { VendorCall } from '../../transport/vendor-transport.ts';
import { readChatUsage } from './chat-usage.ts';
import { argumentsText, contentText, reasoningText } from './message-fields.ts';

interface Completion {
  readonly finishReason: string | null;
  readonly usage: TokenUsage;
}

/** @throws {ModelError} for a body without choices */
export function readCompletion(body: Received, output: OutputCollector, { secrets }: VendorCall): Completion {
  const choice = asObject(asList(body.choices)[0]);
  if (body.error && body.choices === undefined) throw toEventError(body, secrets);
  if (choice.message === undefined) {
    throw new ModelError('unreadable', 'The response of the model endpoint has no choices.');
  }
  const message = asObject(choice.message);
  output.addReasoning(reasoningText(message));
  output.addText(contentText(message));
  for (const call of asList(message.tool_calls).map(asObject)) {
    const definition = asObject(call.type === 'custom' ? call.custom : call.function);
    output.addToolCall(asText(call.id), asText(definition.name), argumentsText(definition));
  }
  return { finishReason: asText(choice.finish_reason) || null, usage: readChatUsage(body.usage) };
}
