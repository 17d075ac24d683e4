/**
 * Kinds of failed calls. `rateLimited`, `timedOut`, `unreachable` and `unavailable` (5xx) may succeed later; `rejected`
 * (other 4xx), `unreadable` (a response that is no response of the protocol, or too large) and `blocked` (an address that
 * is not allowed) do not. `stopped` was ended by the caller.
 */
export type ModelErrorKind =
  | 'rateLimited'
  | 'timedOut'
  | 'unreachable'
  | 'unavailable'
  | 'rejected'
  | 'unreadable'
  | 'blocked'
  | 'stopped';

/** A call to a model that failed. The message is the vendor's text, without credentials and of bounded length. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly kind: ModelErrorKind;
  /** HTTP status of the vendor. Undefined without a response. */
  readonly status: number | undefined;
  /** Wait that the vendor requests. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: ModelErrorKind,
    message: string,
    { status, retryAfterMs, cause }: { status?: number; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether another attempt may succeed. */
  get isTransient(): boolean {
    return ['rateLimited', 'timedOut', 'unreachable', 'unavailable'].includes(this.kind);
  }
}
