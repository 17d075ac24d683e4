import type { Log } from '../base/log.ts';
import { IDEMPOTENCY_SWEEP_MS } from '../model/limits/requests.ts';
import type { RequestClaims } from '../domain/idempotency/request-claims.ts';

/** Deletes stored keys of requests that are old, also while no new ones arrive. */
export function openIdempotencySweep({
  requestClaims,
  log,
}: {
  readonly requestClaims: RequestClaims;
  readonly log: Log;
}): { close(): void } {
  const run = () =>
    void requestClaims
      .sweep()
      .catch((error: unknown) => log.warn({ err: error }, 'Could not delete old idempotency keys'));
  run();
  const timer = setInterval(run, IDEMPOTENCY_SWEEP_MS).unref();
  return { close: () => clearInterval(timer) };
}
