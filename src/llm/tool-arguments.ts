import { type ExactJsonObject, isJsonObject, newJsonObject } from '../base/exact-json.ts';
import { parseExactJson } from '../base/parse-exact-json.ts';
import { MODEL_RESPONSE_DEPTH_MAX } from '../model/limits/model-calls.ts';
import type { ChatToolCall } from './contract/chat-model.ts';
import { ModelError } from './contract/model-error.ts';

/**
 * Arguments of an earlier call, for vendors that take them as an object.
 *
 * @throws {ModelError} for arguments that such a vendor cannot receive
 */
export function toArgumentsObject({ name, arguments: text }: ChatToolCall): ExactJsonObject {
  if (text.trim() === '') return newJsonObject();
  try {
    const value = parseExactJson(text, { depthMax: MODEL_RESPONSE_DEPTH_MAX });
    if (isJsonObject(value)) return value;
  } catch {
    // The message below is the same for all reasons.
  }
  throw new ModelError(
    'rejected',
    `The arguments of the call of ${name} are not a JSON object, which this vendor needs.`,
  );
}
