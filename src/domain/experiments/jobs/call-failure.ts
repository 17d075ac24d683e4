import type { SpandrelError } from '../../../model/errors.ts';
import { ModelError, type ModelErrorKind } from '../../../llm/contract/model-error.ts';
import type { Retry } from './job-work.ts';

/** Types of failed calls in logs. */
const TYPES: Readonly<Record<ModelErrorKind, string>> = {
  rateLimited: 'RateLimitError',
  timedOut: 'TimeoutError',
  unreachable: 'ConnectionError',
  unavailable: 'ServerError',
  rejected: 'RequestError',
  unreadable: 'ResponseError',
  blocked: 'BlockedAddressError',
  stopped: 'StoppedError',
};

export const errorTypeOf = (error: ModelError | SpandrelError): string =>
  error instanceof ModelError ? TYPES[error.kind] : error.code;

/** Null when another attempt would fail too. */
export function retryOf(error: ModelError | SpandrelError): Retry | null {
  if (error instanceof ModelError) return error.isTransient ? toRetry(error.kind, error.retryAfterMs) : null;
  return error.kind === 'overloaded' || error.kind === 'timedOut'
    ? { isRateLimit: false, reason: `transient error: ${error.code}`, afterMs: undefined }
    : null;
}

/** @param kind of a `ModelError`, or `timeout` */
export function toRetry(kind: string, afterMs: number | undefined): Retry {
  if (kind === 'rateLimited') return { isRateLimit: true, reason: 'rate limit', afterMs };
  const isTimeout = kind === 'timeout' || kind === 'timedOut';
  return { isRateLimit: false, reason: isTimeout ? 'timeout' : `transient error: ${typeOf(kind)}`, afterMs };
}

/** Type of a failure that evaluators name by its kind. */
export const typeOf = (kind: string): string => {
  if (kind === 'timeout') return TYPES.timedOut;
  return Object.hasOwn(TYPES, kind) ? TYPES[kind as ModelErrorKind] : kind;
};
