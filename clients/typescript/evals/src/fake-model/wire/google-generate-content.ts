import type { IncomingHttpHeaders } from 'node:http';
import {
  type AnswerContext,
  isWrongKey,
  type ProtocolMatch,
  type ProtocolServer,
  roleOf,
  type StreamEvent,
  type VendorPrompt,
} from './protocol.ts';
import type { CompleteAnswer } from './wire-answer.ts';

const FINISH = { stop: 'STOP', length: 'MAX_TOKENS', toolCalls: 'STOP', filter: 'SAFETY' } as const;

export const googleGenerateContent: ProtocolServer<'google-generate-content'> = {
  protocol: 'google-generate-content',
  match,
  findCredentialProblem,
  credentialStatus: 400,
  unknownModelStatus: 404,
  readPrompt,
  streamType: 'text/event-stream',
  toBody: (answer, context) => toChunk(answer, context, partsOf(answer), true),
  toEvents,
  toError: (status, message) => ({ body: { error: { code: status, message, status: STATUS[status] ?? 'INTERNAL' } } }),
  toErrorEvent: (message) =>
    `data: ${JSON.stringify({ error: { code: 503, message, status: 'UNAVAILABLE' } })}\r\n\r\n`,
};

const STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

function match(path: string): ProtocolMatch | undefined {
  const [, model, method] =
    path.match(/\/v1(?:alpha|beta)?\/(?:models|tunedModels)\/([^/:]+):(generateContent|streamGenerateContent)$/) ?? [];
  if (model === undefined) return;
  return { model: decodeURIComponent(model), isStreamed: method === 'streamGenerateContent' };
}

function findCredentialProblem(headers: IncomingHttpHeaders, url: URL): string | undefined {
  const key = headers['x-goog-api-key'] ?? url.searchParams.get('key');
  if (typeof key !== 'string' || key === '') return 'Method does not allow unregistered callers. Please use API Key.';
  return isWrongKey(key) ? 'API key not valid. Please pass a valid API key.' : undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
function readPrompt(body: any, { model = '', isStreamed = false }: ProtocolMatch): VendorPrompt {
  // biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
  const contents: any[] = body.contents ?? [];
  const { mode, allowedFunctionNames } = body.toolConfig?.functionCallingConfig ?? {};
  return {
    model,
    isStreamed,
    messages: [
      ...(body.systemInstruction ? [{ role: 'system' as const, content: textOf(body.systemInstruction) }] : []),
      ...contents.map((content) => ({ role: roleOf(content.role), content: textOf(content) })),
    ],
    text: [textOf(body.systemInstruction), ...contents.map(textOf)].join('\n'),
    lastText: textOf(contents.findLast(({ role }) => role !== 'model')),
    // biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
    tools: (body.tools ?? []).flatMap((tool: any) =>
      // biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
      (tool.functionDeclarations ?? []).map((declaration: any) => ({
        name: declaration.name,
        schema: declaration.parametersJsonSchema ?? declaration.parameters,
      })),
    ),
    choice: choiceOf(mode, allowedFunctionNames),
    format: body.generationConfig?.responseJsonSchema ?? body.generationConfig?.responseSchema,
    body,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
const textOf = (content: any): string =>
  // biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
  (content?.parts ?? []).map((part: any) => part?.text ?? toText(part?.functionResponse?.response)).join('\n');

const toText = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value));

function choiceOf(mode: string | undefined, names: readonly string[] | undefined): VendorPrompt['choice'] {
  if (mode === 'NONE') return 'none';
  if (mode !== 'ANY') return 'auto';
  const [name] = names ?? [];
  return name === undefined ? 'some' : { name };
}

function callParts({ toolCalls, hasGivenIds }: CompleteAnswer) {
  return toolCalls.map((call) => ({
    functionCall: { ...(hasGivenIds ? { id: call.id } : {}), name: call.name, args: call.arguments },
  }));
}

function partsOf(answer: CompleteAnswer) {
  const text = answer.chunks.join('');
  return [
    ...(answer.reasoning === '' ? [] : [{ text: answer.reasoning, thought: true }]),
    ...(text === '' ? [] : [{ text }]),
    ...callParts(answer),
  ];
}

function toLogprobs(logprobs: NonNullable<CompleteAnswer['logprobs']>) {
  const read = ({ token, logprob }: { token: string; logprob: number }) => ({ token, logProbability: logprob });
  return {
    chosenCandidates: logprobs.map(read),
    topCandidates: logprobs.map(({ alternatives }) => ({ candidates: alternatives.map(read) })),
  };
}

function toChunk(
  { finish, usage, logprobs }: CompleteAnswer,
  { prompt, callNumber }: AnswerContext,
  parts: readonly object[],
  isLast: boolean,
) {
  return {
    candidates: [
      {
        content: { parts, role: 'model' },
        ...(isLast ? { finishReason: FINISH[finish] } : {}),
        index: 0,
        ...(isLast && logprobs && { logprobsResult: toLogprobs(logprobs) }),
      },
    ],
    usageMetadata: {
      promptTokenCount: usage.prompt,
      candidatesTokenCount: isLast ? usage.completion : 1,
      totalTokenCount: usage.prompt + (isLast ? usage.completion + usage.reasoning : 1),
      ...(usage.cacheRead === 0 ? {} : { cachedContentTokenCount: usage.cacheRead }),
      ...(usage.reasoning === 0 ? {} : { thoughtsTokenCount: usage.reasoning }),
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: usage.prompt }],
    },
    modelVersion: prompt.model,
    responseId: `response-${callNumber}`,
  };
}

function* toEvents(answer: CompleteAnswer, context: AnswerContext): Iterable<StreamEvent> {
  const event = (parts: readonly object[], { isText = false, isLast = false } = {}): StreamEvent => ({
    bytes: `data: ${JSON.stringify(toChunk(answer, context, parts, isLast))}\r\n\r\n`,
    isText,
  });
  if (answer.reasoning !== '') yield event([{ text: answer.reasoning, thought: true }]);
  for (const text of answer.chunks) yield event([{ text }], { isText: true });
  const calls = callParts(answer);
  if (calls.length > 0) yield event(calls);
  yield event([{ text: '' }], { isLast: true });
}
