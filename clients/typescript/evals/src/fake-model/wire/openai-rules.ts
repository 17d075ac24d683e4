import type { IncomingHttpHeaders } from 'node:http';
import { isWrongKey } from './protocol.ts';

/** Azure takes its key as `api-key` too. */
export function findBearerProblem(headers: IncomingHttpHeaders): string | undefined {
  const apiKey = headers['api-key'];
  const key = typeof apiKey === 'string' ? apiKey : headers.authorization?.replace(/^Bearer /, '');
  if (key === undefined || key === '') return "You didn't provide an API key.";
  return isWrongKey(key) ? `Incorrect API key provided: ${key}.` : undefined;
}

const CODES: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  401: ['invalid_request_error', 'invalid_api_key'],
  404: ['invalid_request_error', 'model_not_found'],
  429: ['requests', 'rate_limit_exceeded'],
};

export function openAiError(status: number, message: string) {
  const [type, code] = CODES[status] ?? [status >= 500 ? 'server_error' : 'invalid_request_error', null];
  return { body: { error: { message, type, param: null, code } }, headers: { 'x-request-id': 'req_test' } };
}
