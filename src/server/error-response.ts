import { type ErrorKind, SpandrelError } from '../model/errors.ts';
import { RETRY_AFTER_SECONDS } from '../model/limits.ts';
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

/** The answer to an error that a caller can meet: its message as plain text. Undefined for a mistake of ours. */
export function errorResponse(error: unknown): HttpResponse | undefined {
  if (!(error instanceof SpandrelError)) return undefined;
  const status = STATUS_OF_KIND[error.kind];
  if (error.kind === 'overloaded') {
    return textResponse(status, error.message, { 'retry-after': String(RETRY_AFTER_SECONDS) });
  }
  if (error.kind === 'timedOut') return textResponse(status, 'The query took too long; narrow the time');
  return textResponse(status, error.message);
}
