import { ERROR_CODE_HEADER, ERROR_KINDS, type ErrorCode, type ErrorKind, SpandrelError } from '../model/errors.ts';
import { RETRY_AFTER_SECONDS } from '../model/limits/ingest.ts';
import { IDEMPOTENCY_RETRY_AFTER_SECONDS } from '../model/limits/requests.ts';
import { type HttpResponse, textResponse } from './route.ts';

const STATUS_OF_KIND = {
  invalid: 422,
  badRequest: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  tooLarge: 413,
  unsupported: 415,
  tooMany: 429,
  overloaded: 503,
  storageFull: 507,
  timedOut: 504,
  cancelled: 499,
} as const satisfies Record<ErrorKind, number>;

/** Plain-text response with the status and the header of an error code. */
export const errorTextResponse = (
  code: ErrorCode,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => textResponse(STATUS_OF_KIND[ERROR_KINDS[code]], text, { [ERROR_CODE_HEADER]: code, ...headers });

/** Rejection of a request over its limit. Public clients know the text. */
export class TooManyRequests extends SpandrelError {
  readonly waitSeconds: number;
  constructor(waitSeconds: number) {
    super('RATE_LIMIT_EXCEEDED', 'Too Many Requests');
    this.waitSeconds = waitSeconds;
  }
}

/** Response to an expected error: its message as plain text. Undefined for an unexpected error. */
export function errorResponse(error: unknown): HttpResponse | undefined {
  if (!(error instanceof SpandrelError)) return undefined;
  const { code, kind, message } = error;
  if (error instanceof TooManyRequests) {
    return errorTextResponse(code, message, { 'retry-after': String(error.waitSeconds) });
  }
  if (kind === 'overloaded') return errorTextResponse(code, message, { 'retry-after': String(RETRY_AFTER_SECONDS) });
  if (code === 'IDEMPOTENT_REQUEST_RUNNING') {
    return errorTextResponse(code, message, { 'retry-after': String(IDEMPOTENCY_RETRY_AFTER_SECONDS) });
  }
  return errorTextResponse(
    code,
    kind === 'timedOut' ? 'The query took too long; select a shorter time range' : message,
  );
}
