import type { Protocol } from '../protocol.ts';
import { callChat } from './chat/call-chat.ts';
import { openClient } from './openai-client.ts';
import type { OpenAiConnection } from './openai-model.ts';
import { callResponses } from './responses/call-responses.ts';

/** OpenAI, Azure OpenAI, and all vendors and servers that are compatible with OpenAI, through the package `openai`. */
export const protocol: Protocol<OpenAiConnection> = {
  async call(model, request, options) {
    const client = await openClient(model, options.call);
    const call = model.connection.api === 'responses' ? callResponses : callChat;
    return call(client, model, request, options);
  },
  async test(model, call) {
    const { openai } = await openClient(model, call);
    await openai.get('/models').asResponse();
  },
};
