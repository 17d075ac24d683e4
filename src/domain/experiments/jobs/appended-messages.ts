import { type ExactJson, isJsonObject, toExactJsonText } from '../../../base/exact-json.ts';
import { ownValue } from '../../../base/own-value.ts';
import { SpandrelError } from '../../../model/errors.ts';
import type { ChatMessage, ChatPart } from '../../../llm/contract/chat-model.ts';
import { toRole } from '../../playground/to-messages.ts';
import { valueAt } from '../../prompts/value-at.ts';

/**
 * Messages in the form of OpenAI that an example has at a path into its input.
 *
 * @throws {SpandrelError} `PROMPT_INVALID` when there are none
 */
export function readAppendedMessages(input: ExactJson, path: string): ChatMessage[] {
  const value = valueAt(input, path.split('.'));
  if (value === undefined) return reject(`The input has nothing at the path of the messages, '${path}'`);
  if (!Array.isArray(value)) return reject(`The value at the path of the messages, '${path}', is not a list`);
  return value.map((message) => {
    if (!isJsonObject(message)) return reject(`The list at the path of the messages, '${path}', must contain objects`);
    return toMessage(message);
  });
}

function toMessage(message: Readonly<Record<string, ExactJson>>): ChatMessage {
  const role = toRole(textOf(ownValue(message, 'role')));
  const text = textOf(ownValue(message, 'content'));
  if (role === 'tool') {
    const toolCallId = textOf(ownValue(message, 'tool_call_id'));
    return { role, parts: [{ type: 'toolResult', toolCallId, result: text }] };
  }
  const calls = ownValue(message, 'tool_calls');
  const parts: ChatPart[] = (Array.isArray(calls) ? calls : []).flatMap(toToolCall);
  return { role, parts: text === '' && parts.length > 0 ? parts : [{ type: 'text', text }, ...parts] };
}

function toToolCall(call: ExactJson): ChatPart[] {
  if (!isJsonObject(call)) return [];
  const given = ownValue(call, 'function');
  if (!isJsonObject(given)) return [];
  const args = ownValue(given, 'arguments') ?? {};
  return [
    {
      type: 'toolCall',
      toolCall: {
        id: textOf(ownValue(call, 'id')),
        name: textOf(ownValue(given, 'name')),
        arguments: typeof args === 'string' ? args : toExactJsonText(args),
      },
    },
  ];
}

/** A text as it is, the texts of content parts joined, and other values as JSON. */
function textOf(value: ExactJson | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return toExactJsonText(value);
  return value
    .map((part) => (isJsonObject(part) ? textOf(ownValue(part, 'text')) : textOf(part)))
    .filter((text) => text !== '')
    .join('\n');
}

function reject(message: string): never {
  throw new SpandrelError('PROMPT_INVALID', message);
}
