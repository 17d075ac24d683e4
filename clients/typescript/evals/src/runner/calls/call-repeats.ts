import { STATUS_CODES } from 'node:http';
import type { Model } from '../../models/model.ts';
import { codeOf, isTimeout, statusOf } from '../../models/repeat.ts';

/** Calls of a run that fail and are repeated. */
export interface CallRepeat {
  readonly provider: string;
  readonly model: string;
  /** Host of the model; empty for a model in this process. */
  readonly host: string;
  /** Why the newest attempt failed, in a few words. It has no text of a vendor, which may repeat a key. */
  readonly reason: string;
  /** Number of the next attempt, from 2. */
  readonly attempt: number;
  readonly attemptCountMax: number;
  /** Milliseconds until the next attempt; 0 while it is under way. */
  readonly waitMs: number;
  /** Milliseconds since the first failure after which no call has succeeded. */
  readonly failingMs: number;
}

/** A call that failed, until its next attempt ends. */
interface FailedCall {
  readonly model: Model;
  readonly error: unknown;
  readonly attempt: number;
  readonly attemptCountMax: number;
  /** Time of `performance.now()`. */
  readonly dueAt: number;
}

/** Knows the calls that are repeated. It holds one entry for each evaluation under way, whose number the run limits. */
export class CallRepeats {
  readonly #failed = new Set<FailedCall>();
  #failingSince: number | undefined;

  /** Adds a call whose next attempt is due. @returns removes it, when that attempt has ended */
  add(model: Model, error: unknown, attempt: number, attemptCountMax: number, waitMs: number): () => void {
    const now = performance.now();
    const call = { model, error, attempt, attemptCountMax, dueAt: now + waitMs };
    this.#failingSince ??= now;
    this.#failed.add(call);
    return () => this.#failed.delete(call);
  }

  /** A vendor answers again. */
  succeed(): void {
    this.#failingSince = undefined;
  }

  /** The call that is repeated next. Undefined while calls succeed. */
  next(): CallRepeat | undefined {
    if (this.#failingSince === undefined) return undefined;
    const now = performance.now();
    // Those that are due are under way, so they say less about what happens next.
    const order = ({ dueAt }: FailedCall) => (dueAt > now ? dueAt : Number.MAX_SAFE_INTEGER);
    let next: FailedCall | undefined;
    for (const call of this.#failed) if (!next || order(call) < order(next)) next = call;
    if (!next) return undefined;
    const { model, error, attempt, attemptCountMax, dueAt } = next;
    return {
      provider: model.provider,
      model: model.name,
      host: URL.canParse(model.address) ? new URL(model.address).host : '',
      reason: toReason(error),
      attempt,
      attemptCountMax,
      waitMs: Math.max(0, dueAt - now),
      failingMs: now - this.#failingSince,
    };
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection lost'],
  ['EPIPE', 'connection lost'],
  ['UND_ERR_SOCKET', 'connection lost'],
  ['ENOTFOUND', 'unknown host'],
  ['EAI_AGAIN', 'host name lookup failed'],
  ['ENETUNREACH', 'network unreachable'],
  ['EHOSTUNREACH', 'host unreachable'],
]);

function toReason(error: unknown): string {
  const status = statusOf(error);
  // 408 is also the status of our own time limit.
  if (status !== undefined && status !== 408) return `${status} ${STATUS_CODES[status] ?? ''}`.trim();
  if (isTimeout(error)) return 'no response in time';
  const code = codeOf(error);
  return REASONS.get(code ?? '') ?? (code === undefined ? 'connection failed' : `connection failed (${code})`);
}
