import type { ChatRequest, ChatResponse } from '../../contract/chat-model.ts';
import { ModelError } from '../../contract/model-error.ts';
import { OutputCollector } from '../../output-collector.ts';
import { toOutputValue } from '../../output-value.ts';
import type { ProtocolCallOptions } from '../../protocol.ts';
import type { OpenAiClient } from '../openai-client.ts';
import type { OpenAiModel } from '../openai-model.ts';
import { prepare } from '../openai-request.ts';
import { endedEarly, parseResponse, readEvents } from '../read-events.ts';
import { toChatBody } from './chat-body.ts';
import { ChunkReader } from './chunk-reader.ts';
import { readCompletion } from './read-completion.ts';

const PATH = '/chat/completions';

/** Makes one call of chat completions. */
export async function callChat(
  client: OpenAiClient,
  model: OpenAiModel,
  request: ChatRequest,
  { call, onPiece, onSend }: ProtocolCallOptions,
): Promise<ChatResponse> {
  const body = toChatBody(model, request);
  const options = prepare({ client, path: PATH, body, contentKeys: ['model', 'messages'], onSend });
  const output = new OutputCollector(onPiece);
  const response = await client.openai.post(PATH, { ...options, stream: request.isStreamed }).asResponse();
  if (!request.isStreamed) {
    const text = await response.text();
    const { finishReason, usage } = readCompletion(parseResponse(text), output, call);
    return { ...collected(output), finishReason, usage, output: { text, isJson: true } };
  }
  const reader = new ChunkReader(output);
  const isMarked = await readEvents(response, call, (chunk) => reader.read(chunk));
  if (!reader.hasChunks) throw new ModelError('unreadable', 'The model endpoint sent no event of chat completions.');
  // Some servers give no reason. Then the end mark shows that nothing is missing.
  if (reader.finishReason === null && !isMarked) throw endedEarly();
  return {
    ...collected(output),
    finishReason: reader.finishReason,
    usage: reader.usage,
    output: toOutputValue(output.text, output.toolCalls),
  };
}

export const collected = ({ text, reasoning, toolCalls }: OutputCollector) => ({ text, reasoning, toolCalls });
