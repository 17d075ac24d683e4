import type { Log } from '../../base/log.ts';
import {
  IDEMPOTENCY_BYTES_MAX,
  IDEMPOTENCY_KEY_COUNT_MAX,
  IDEMPOTENCY_KEY_COUNT_OF_CALLER_MAX,
  IDEMPOTENCY_MS_MAX,
  IDEMPOTENCY_RENEWAL_MS,
  IDEMPOTENCY_SWEEP_KEY_COUNT,
} from '../../model/limits/requests.ts';
import type { IdempotencyRepository } from '../../metadata-store/idempotency/idempotency-repository.ts';

/** The running requests of this server that have a key. */
export interface RequestClaims {
  /** Marks the request as running from now on. */
  hold(claim: string): void;
  /** The request is no longer running. */
  drop(claim: string): void;
  /** Reports that the end of a request could not be stored. */
  lose(error: unknown): void;
  /** Deletes stored keys that are old or above the limits. */
  sweep(): Promise<void>;
  close(): void;
}

/**
 * Requests are renewed as long as this process runs, so another server can distinguish a slow request from a lost one. New keys
 * are counted, so that their number in the database stays bounded.
 */
export function openRequestClaims(repository: Pick<IdempotencyRepository, 'renew' | 'evict'>, log: Log): RequestClaims {
  const held = new Set<string>();
  let keyCount = 0;
  let timer: NodeJS.Timeout | undefined;
  const renew = () =>
    void repository
      .renew([...held])
      .catch((error: unknown) => log.warn({ err: error }, 'Could not renew running requests'));
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const sweep = () =>
    repository.evict({
      ageMsMax: IDEMPOTENCY_MS_MAX,
      countOfCallerMax: IDEMPOTENCY_KEY_COUNT_OF_CALLER_MAX,
      countMax: IDEMPOTENCY_KEY_COUNT_MAX,
      bytesMax: IDEMPOTENCY_BYTES_MAX,
    });
  return {
    hold(claim) {
      held.add(claim);
      timer ??= setInterval(renew, IDEMPOTENCY_RENEWAL_MS).unref();
      keyCount++;
      if (keyCount % IDEMPOTENCY_SWEEP_KEY_COUNT !== 0) return;
      void sweep().catch((error: unknown) => log.warn({ err: error }, 'Could not delete old idempotency keys'));
    },
    drop(claim) {
      held.delete(claim);
      if (held.size === 0) stop();
    },
    lose: (error) => log.warn({ err: error }, 'Could not store the response to a request with an idempotency key'),
    sweep,
    close: stop,
  };
}
