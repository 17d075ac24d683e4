import type { IncomingMessage, ServerResponse } from 'node:http';
import { anthropicMessages } from '../../clients/typescript/evals/src/fake-model/wire/anthropic-messages.ts';
import { googleGenerateContent } from '../../clients/typescript/evals/src/fake-model/wire/google-generate-content.ts';
import { openAiChat } from '../../clients/typescript/evals/src/fake-model/wire/openai-chat.ts';
import { sendError } from './send-fault.ts';

const MODELS = ['test-model', 'other-model'];

/** Answers a request for the list of models, which tests of credentials use. Returns false for other requests. */
export function sendModelList({ method, headers }: IncomingMessage, url: URL, response: ServerResponse): boolean {
  if (method !== 'GET' || !url.pathname.endsWith('/models')) return false;
  const [server, body] = url.pathname.includes('/v1beta/')
    ? ([googleGenerateContent, { models: MODELS.map((name) => ({ name: `models/${name}` })) }] as const)
    : headers['anthropic-version'] === undefined
      ? ([openAiChat, { object: 'list', data: MODELS.map((id) => ({ id, object: 'model', created: 1 })) }] as const)
      : ([anthropicMessages, { data: MODELS.map((id) => ({ id, type: 'model' })), has_more: false }] as const);
  const problem = server.findCredentialProblem(headers, url);
  if (problem !== undefined) sendError(response, server, server.credentialStatus, problem);
  else {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  }
  return true;
}
