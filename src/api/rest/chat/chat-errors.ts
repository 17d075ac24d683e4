import { type ErrorCode, SpandrelError } from '../../../model/errors.ts';
import type { ChatTaskResult } from '../../../domain/domain.ts';
import { errorTextResponse } from '../../../server/error-response.ts';
import type { HttpResponse } from '../../../server/route.ts';

/** Status and body of an error as clients of OpenAI read it. */
interface ErrorResponse {
  readonly status: number;
  readonly body: object;
}

const toError = (status: number, message: string, code: string | null = null): ErrorResponse => ({
  status,
  body: {
    error: { message, type: status < 500 ? 'invalid_request_error' : 'api_error', param: null, code },
  },
});

/** The error of a call: with the vendor's status if it has one, else 502. Undefined for an unexpected one. */
export function errorOf(error: ChatTaskResult['error'] | undefined): ErrorResponse {
  if (!error) return toError(500, 'Internal server error.');
  if (error instanceof SpandrelError) return toError(errorTextResponse(error.code, '').status, error.message);
  const { status = 502, message } = error;
  return toError(status >= 400 && status <= 599 ? status : 502, message);
}

export function failedCall(error: ChatTaskResult['error'] | undefined): HttpResponse {
  if (error instanceof SpandrelError) return rejection(error.code, error.message);
  const { status, body } = errorOf(error);
  const retryAfterMs = error?.retryAfterMs;
  return {
    status,
    headers: {
      'content-type': 'application/json',
      ...(retryAfterMs !== undefined && { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) }),
    },
    body: JSON.stringify(body),
  };
}

/** An error of this server. The header has its code. */
export function rejection(code: ErrorCode, message: string, ownStatus?: number): HttpResponse {
  const { status, headers } = errorTextResponse(code, message);
  const error = toError(ownStatus ?? status, message, code === 'MODEL_NOT_FOUND' ? 'model_not_found' : null);
  return {
    status: error.status,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(error.body),
  };
}
