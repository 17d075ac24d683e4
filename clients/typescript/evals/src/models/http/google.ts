import { ownValue } from '../../own-value.ts';
import { type ChatMessage, type ContentPart, divideMessages } from '../chat-message.ts';
import { parseDataUrl } from '../data-url.ts';
import type { ModelRequest, ModelResponse, ModelUsage, TokenLogprob } from '../model.ts';
import { parseJson } from '../parse-json.ts';
import { withoutAbsent } from './without-absent.ts';

const ALTERNATIVE_COUNT = 10;

export function toGoogleBody(request: ModelRequest): Record<string, unknown> {
  const { temperature, maxTokens, topP, seed, ...others } = request.parameters;
  const { answer } = request;
  const { system, others: spoken } = divideMessages(request.messages);
  const isTool = answer?.form === 'tool';
  return withoutAbsent({
    systemInstruction: system ? { parts: [{ text: system }] } : undefined,
    contents: spoken.map(toContent),
    generationConfig: withoutAbsent({
      temperature,
      maxOutputTokens: maxTokens,
      topP,
      seed,
      ...others,
      ...(answer?.form === 'schema' && { responseMimeType: 'application/json', responseJsonSchema: answer.schema }),
      ...(request.wantsLogprobs && { responseLogprobs: true, logprobs: ALTERNATIVE_COUNT }),
    }),
    ...(isTool && {
      tools: [
        {
          functionDeclarations: [
            { name: answer.name, description: answer.description ?? 'The answer', parametersJsonSchema: answer.schema },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [answer.name] } },
    }),
  });
}

const toContent = ({ role, content }: ChatMessage) => ({
  role: role === 'assistant' ? 'model' : 'user',
  parts: typeof content === 'string' ? [{ text: content }] : content.map(toPart),
});

function toPart(part: ContentPart) {
  if (part.type === 'text') return { text: part.text };
  const data = parseDataUrl(part.url);
  return data ? { inlineData: { mimeType: data.mediaType, data: data.base64 } } : { fileData: { fileUri: part.url } };
}

const FINISH = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'filter'],
]);

export function readGoogleBody(body: unknown, { answer }: ModelRequest): ModelResponse {
  const candidate = (ownValue(body, 'candidates') as readonly unknown[] | undefined)?.[0];
  const content = ownValue(ownValue(candidate, 'content'), 'parts');
  const parts = Array.isArray(content) ? content : [];
  // Parts with `thought` are the reasoning, which is not the answer.
  const text = parts.map((part) => (ownValue(part, 'thought') ? '' : String(ownValue(part, 'text') ?? ''))).join('');
  const call = parts.map((part) => ownValue(part, 'functionCall')).find((each) => each !== undefined);
  const reason = String(
    ownValue(candidate, 'finishReason') ?? ownValue(ownValue(body, 'promptFeedback'), 'blockReason') ?? '',
  );
  const logprobs = toLogprobs(ownValue(candidate, 'logprobsResult'));
  return {
    text,
    ...(answer && { value: call ? ownValue(call, 'args') : parseJson(text) }),
    usage: toUsage(ownValue(body, 'usageMetadata')),
    finishReason: FINISH.get(reason) ?? reason,
    ...(logprobs && { logprobs }),
  };
}

function toLogprobs(result: unknown): readonly TokenLogprob[] | undefined {
  const chosen = ownValue(result, 'chosenCandidates');
  const top = ownValue(result, 'topCandidates');
  if (!Array.isArray(chosen)) return undefined;
  const read = (value: unknown) => ({
    token: String(ownValue(value, 'token') ?? ''),
    logprob: Number(ownValue(value, 'logProbability')),
  });
  return chosen.map((entry, index) => {
    const candidates = ownValue(Array.isArray(top) ? top[index] : undefined, 'candidates');
    return { ...read(entry), alternatives: Array.isArray(candidates) ? candidates.map(read) : [] };
  });
}

function toUsage(usage: unknown): ModelUsage {
  const count = (name: string): number => Number(ownValue(usage, name) ?? 0);
  return withoutAbsent({
    inputTokens: count('promptTokenCount'),
    outputTokens: count('candidatesTokenCount') + count('thoughtsTokenCount'),
    cacheReadTokens: count('cachedContentTokenCount') || undefined,
  });
}
