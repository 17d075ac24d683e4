import { type ExactJsonObject, isJsonObject, newJsonObject, toExactJsonText } from '../base/exact-json.ts';
import type { SentRequest } from './contract/chat-model.ts';

interface Sending {
  readonly body: ExactJsonObject;
  readonly url: SentRequest['url'];
  /** Keys of the model and the messages, which are no parameters. */
  readonly contentKeys: readonly string[];
}

/** Describes a request whose body is sent as the text of `body`. */
export function toSentRequest({ body, url, contentKeys }: Sending): SentRequest {
  const parameters = newJsonObject();
  for (const [key, value] of Object.entries(body)) {
    if (key !== 'tools' && !contentKeys.includes(key)) parameters[key] = value;
  }
  const { tools } = body;
  return {
    ...{ url, body, parameters },
    bodyText: toExactJsonText(body),
    tools: Array.isArray(tools) ? tools.filter(isJsonObject) : [],
  };
}
