import type { ChatMessage } from '../../models/chat-message.ts';
import type { JsonSchema, ModelRequest } from '../../models/model.ts';
import { ownValue } from '../../own-value.ts';
import { firstOf, toEvent, toPieces } from './events.ts';
import { partTexts } from './part-texts.ts';
import type { WireProtocol } from './wire-protocol.ts';

const STATUSES = new Map([
  [400, 'INVALID_ARGUMENT'],
  [403, 'PERMISSION_DENIED'],
  [429, 'RESOURCE_EXHAUSTED'],
  [503, 'UNAVAILABLE'],
]);

/** `generateContent` and `streamGenerateContent` of Google. */
export const googleWire: WireProtocol = {
  match(path) {
    const [, model, method] = /\/models\/([^/:]+):(g|streamG)enerateContent$/.exec(path) ?? [];
    return model === undefined ? undefined : { model: decodeURIComponent(model), isStream: method === 'streamG' };
  },
  readKey: (headers) => headers.get('x-goog-api-key') ?? undefined,
  unauthorizedStatus: 403,
  readRequest,
  writeResponse({ text, value, usage, logprobs }, { answer }, model) {
    const isCall = answer?.form === 'tool' && typeof value === 'object' && value !== null;
    const read = ({ token, logprob }: { token: string; logprob: number }) => ({ token, logProbability: logprob });
    return {
      candidates: [
        {
          index: 0,
          finishReason: 'STOP',
          content: {
            role: 'model',
            parts: isCall ? [{ functionCall: { name: answer.name, args: value } }] : [{ text }],
          },
          ...(logprobs && {
            logprobsResult: {
              chosenCandidates: logprobs.map(read),
              topCandidates: logprobs.map(({ alternatives }) => ({ candidates: alternatives.map(read) })),
            },
          }),
        },
      ],
      usageMetadata: {
        promptTokenCount: usage?.inputTokens ?? 0,
        candidatesTokenCount: usage?.outputTokens ?? 0,
        totalTokenCount: (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
      },
      modelVersion: model,
    };
  },
  writeStream(response) {
    const candidate = firstOf(response, 'candidates');
    const { content, finishReason, ...rest } = candidate as Readonly<Record<string, unknown>>;
    const part = firstOf(content, 'parts');
    const text = ownValue(part, 'text');
    const parts = typeof text === 'string' ? toPieces(text).map((piece) => ({ text: piece })) : [part];
    return parts.map((each, index) => {
      const isLast = index === parts.length - 1;
      const ended = { ...rest, content: { role: 'model', parts: [each] }, ...(isLast && { finishReason }) };
      return toEvent({ ...(response as object), candidates: [ended] });
    });
  },
  writeError: (status, message) => ({ error: { code: status, message, status: STATUSES.get(status) ?? 'INTERNAL' } }),
};

function readRequest(body: unknown): ModelRequest {
  const contents = (ownValue(body, 'contents') ?? []) as readonly { role?: string; parts?: unknown }[];
  const system = partTexts(ownValue(ownValue(body, 'systemInstruction'), 'parts'));
  const config = ownValue(body, 'generationConfig');
  const tools = ownValue((ownValue(body, 'tools') as readonly unknown[] | undefined)?.[0], 'functionDeclarations');
  const tool = Array.isArray(tools) ? tools[0] : undefined;
  const format = ownValue(config, 'responseJsonSchema') ?? ownValue(config, 'responseSchema');
  const schema = (format ?? ownValue(tool, 'parametersJsonSchema') ?? ownValue(tool, 'parameters')) as
    | JsonSchema
    | undefined;
  const read: ChatMessage[] = contents.map(({ role, parts }) => ({
    role: role === 'model' ? 'assistant' : 'user',
    content: partTexts(parts),
  }));
  return {
    messages: system ? [{ role: 'system', content: system }, ...read] : read,
    parameters: {},
    ...(schema && {
      answer: { form: format ? 'schema' : 'tool', name: String(ownValue(tool, 'name') ?? 'answer'), schema },
    }),
    ...(ownValue(config, 'responseLogprobs') === true && { wantsLogprobs: true }),
  };
}
