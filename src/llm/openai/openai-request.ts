import type { ExactJsonObject } from '../../base/exact-json.ts';
import type { SentRequest } from '../contract/chat-model.ts';
import type { ProtocolCallOptions } from '../protocol.ts';
import { toSentRequest } from '../sent-request.ts';
import { type OpenAiClient, urlsOf } from './openai-client.ts';

interface Sending extends Pick<ProtocolCallOptions, 'onSend'> {
  readonly client: OpenAiClient;
  readonly path: string;
  readonly body: ExactJsonObject;
  readonly contentKeys: readonly string[];
}

/** Reports a request, and returns the options with which the official client sends its text as it is. */
export function prepare({ client, path, body, contentKeys, onSend }: Sending) {
  const sent: SentRequest = toSentRequest({ body, url: urlsOf(client.baseUrl, path), contentKeys });
  onSend(sent);
  // The client would print an object with `JSON.stringify`, which changes numbers. With a content type, it sends a text unchanged.
  return { body: sent.bodyText, headers: { 'content-type': 'application/json' } };
}
