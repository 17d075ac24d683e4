import type { IncomingHttpHeaders } from 'node:http';
import {
  type AnswerContext,
  argumentsText,
  isWrongKey,
  type ProtocolMatch,
  type ProtocolServer,
  type StreamEvent,
  slices,
  type VendorPrompt,
} from '../../clients/typescript/evals/src/fake-model/wire/protocol.ts';
import type { CompleteAnswer } from '../../clients/typescript/evals/src/fake-model/wire/wire-answer.ts';
import { eventStreamMessage } from './aws-event-stream.ts';

const STOP = { stop: 'end_turn', length: 'max_tokens', toolCalls: 'tool_use', filter: 'content_filtered' } as const;

export const bedrockConverse: ProtocolServer<'bedrock-converse'> = {
  protocol: 'bedrock-converse',
  match,
  findCredentialProblem,
  credentialStatus: 403,
  unknownModelStatus: 400,
  readPrompt,
  streamType: 'application/vnd.amazon.eventstream',
  toBody,
  toEvents,
  toError: (status, message) => ({
    body: { message },
    headers: { 'x-amzn-errortype': ERRORS[status] ?? 'InternalServerException', 'x-amzn-requestid': 'test' },
  }),
  toErrorEvent: (message) =>
    eventStreamMessage(
      {
        ':exception-type': 'throttlingException',
        ':content-type': 'application/json',
        ':message-type': 'exception',
      },
      JSON.stringify({ message }),
    ),
};

const ERRORS: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  403: 'UnrecognizedClientException',
  404: 'ResourceNotFoundException',
  408: 'ModelTimeoutException',
  424: 'ModelErrorException',
  429: 'ThrottlingException',
  503: 'ServiceUnavailableException',
};

function match(path: string): ProtocolMatch | undefined {
  const [, model, method] = path.match(/\/model\/([^/]+)\/(converse|converse-stream)$/) ?? [];
  if (model === undefined) return;
  return { model: decodeURIComponent(model), isStreamed: method === 'converse-stream' };
}

/** Checks that the parts of a signature (SigV4) are there, not the signature. */
function findCredentialProblem(headers: IncomingHttpHeaders): string | undefined {
  const [, credential = '', signed = ''] =
    headers.authorization?.match(/^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=[0-9a-f]{64}$/) ??
    [];
  if (credential === '') return 'Missing Authentication Token';
  if (!/^[^/]+\/\d{8}\/[a-z0-9-]+\/bedrock\/aws4_request$/.test(credential))
    return 'Credential should be scoped to bedrock.';
  if (!/^\d{8}T\d{6}Z$/.test(String(headers['x-amz-date']))) return 'The X-Amz-Date header is missing.';
  const unsigned = ['host', 'x-amz-date'].find((name) => !signed.split(';').includes(name));
  if (unsigned !== undefined) return `The header ${unsigned} must be signed.`;
  return isWrongKey(credential) ? 'The security token included in the request is invalid.' : undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
function readPrompt(body: any, { model = '', isStreamed = false }: ProtocolMatch): VendorPrompt {
  // biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
  const messages: any[] = body.messages ?? [];
  const schema = body.outputConfig?.textFormat?.structure?.jsonSchema?.schema;
  return {
    model,
    isStreamed,
    messages: messages.map(({ role, content }) => ({ role, content: textOf(content) })),
    text: [textOf(body.system), ...messages.map(({ content }) => textOf(content))].join('\n'),
    lastText: textOf(messages.findLast(({ role }) => role === 'user')?.content),
    // biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
    tools: (body.toolConfig?.tools ?? []).map(({ toolSpec }: any) => ({
      name: toolSpec?.name,
      schema: toolSpec?.inputSchema?.json,
    })),
    choice: choiceOf(body.toolConfig?.toolChoice),
    format: typeof schema === 'string' ? JSON.parse(schema) : undefined,
    body,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
const textOf = (content: any): string =>
  // biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
  (content ?? []).map((part: any) => part?.text ?? textOf(part?.toolResult?.content)).join('\n');

// biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
function choiceOf(choice: any): VendorPrompt['choice'] {
  if (choice?.tool !== undefined) return { name: choice.tool.name };
  return choice?.any === undefined ? 'auto' : 'some';
}

const toolUseId = (id: string): string => id.replace('call_', 'tooluse_');

function usageOf({ usage }: CompleteAnswer) {
  return {
    inputTokens: usage.prompt - usage.cacheRead - usage.cacheWrite,
    outputTokens: usage.completion,
    totalTokens: usage.prompt + usage.completion,
    ...(usage.cacheRead === 0 ? {} : { cacheReadInputTokens: usage.cacheRead }),
    ...(usage.cacheWrite === 0 ? {} : { cacheWriteInputTokens: usage.cacheWrite }),
  };
}

function toBody(answer: CompleteAnswer, _context: AnswerContext) {
  const text = answer.chunks.join('');
  const content = [
    ...(answer.reasoning === ''
      ? []
      : [{ reasoningContent: { reasoningText: { text: answer.reasoning, signature: 'c2lnbmF0dXJl' } } }]),
    ...(text === '' ? [] : [{ text }]),
    ...answer.toolCalls.map((call) => ({
      toolUse: { toolUseId: toolUseId(call.id), name: call.name, input: call.arguments },
    })),
  ];
  return {
    metrics: { latencyMs: 1 },
    output: { message: { content, role: 'assistant' } },
    stopReason: STOP[answer.finish],
    usage: usageOf(answer),
  };
}

function* toEvents(answer: CompleteAnswer): Iterable<StreamEvent> {
  yield event('messageStart', { role: 'assistant' });
  let contentBlockIndex = 0;
  const delta = (content: object, isText = false) =>
    event('contentBlockDelta', { contentBlockIndex, delta: content }, isText);
  const stop = () => event('contentBlockStop', { contentBlockIndex: contentBlockIndex++ });
  if (answer.reasoning !== '') {
    for (const text of slices(answer.reasoning)) yield delta({ reasoningContent: { text } });
    yield delta({ reasoningContent: { signature: 'c2lnbmF0dXJl' } });
    yield stop();
  }
  // A text block has no start.
  for (const text of answer.chunks) yield delta({ text }, true);
  if (answer.chunks.length > 0) yield stop();
  for (const call of answer.toolCalls) {
    const start = { toolUse: { toolUseId: toolUseId(call.id), name: call.name } };
    yield event('contentBlockStart', { contentBlockIndex, start });
    for (const input of slices(argumentsText(call.arguments))) yield delta({ toolUse: { input } });
    yield stop();
  }
  yield event('messageStop', { stopReason: STOP[answer.finish] });
  yield event('metadata', { usage: usageOf(answer), metrics: { latencyMs: 1 } });
}

function event(type: string, payload: object, isText = false): StreamEvent {
  const headers = { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' };
  // AWS adds a padding of random length against observers of the network.
  return { bytes: eventStreamMessage(headers, JSON.stringify({ ...payload, p: 'abcdefgh' })), isText };
}
