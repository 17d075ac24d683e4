import type { ChatRequest, ChatResponse } from '../../contract/chat-model.ts';
import { OutputCollector } from '../../output-collector.ts';
import type { ProtocolCallOptions } from '../../protocol.ts';
import { collected } from '../chat/call-chat.ts';
import type { OpenAiClient } from '../openai-client.ts';
import type { OpenAiModel } from '../openai-model.ts';
import { prepare } from '../openai-request.ts';
import { parseResponse, readEvents } from '../read-events.ts';
import { EventReader } from './event-reader.ts';
import { readResponse } from './read-response.ts';
import { responseText } from './response-text.ts';
import { toResponsesBody } from './responses-body.ts';

const PATH = '/responses';

/** Makes one call of the responses API. */
export async function callResponses(
  client: OpenAiClient,
  model: OpenAiModel,
  request: ChatRequest,
  { call, onPiece, onSend }: ProtocolCallOptions,
): Promise<ChatResponse> {
  const body = toResponsesBody(model, request);
  const options = prepare({ client, path: PATH, body, contentKeys: ['model', 'input'], onSend });
  const output = new OutputCollector(onPiece);
  const received = await client.openai.post(PATH, { ...options, stream: request.isStreamed }).asResponse();
  if (!request.isStreamed) {
    const text = await received.text();
    const result = readResponse(parseResponse(text), output, call);
    return { ...collected(output), ...result, output: { text, isJson: true } };
  }
  const reader = new EventReader(output, call);
  let finalEvent = '';
  await readEvents(received, call, (event, data) => {
    if (reader.read(event)) finalEvent = data;
  });
  const { response, finishReason, usage } = reader.end();
  return {
    ...collected(output),
    ...{ finishReason, usage },
    output: { text: responseText(finalEvent) ?? JSON.stringify(response), isJson: true },
  };
}
