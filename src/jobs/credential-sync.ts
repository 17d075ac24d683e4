import type { Log } from '../base/log.ts';
import { CREDENTIAL_POLL_MS, CREDENTIAL_SWEEP_MS, CREDENTIAL_SYNC_MS, KEY_USE_MS } from '../model/limits/access.ts';
import type { CredentialRepository } from '../domain/access/credential-repository.ts';
import type { Credentials } from '../domain/access/credentials.ts';

/** Listens to a channel of Postgres, and connects again when the connection is lost. */
export type Listen = (
  channel: string,
  listener: { onNotification(): void; onStateChange(isListening: boolean): void },
) => { close(): Promise<void> };

/** Channel of the triggers of the migration. */
const CHANNEL = 'spandrel_credentials';

/**
 * Keeps the cache of credentials up to date with what other servers change, stores the last uses of keys, and deletes what has
 * expired. A notification wakes it. While none arrive, because the connection is lost or a pooler swallows them, it polls
 * several times a second, so that a revocation holds everywhere within a second.
 */
export function openCredentialSync({
  credentials,
  repository,
  listen,
  isReadOnly,
  log,
}: {
  readonly credentials: Credentials;
  readonly repository: CredentialRepository;
  readonly listen: Listen;
  readonly isReadOnly: boolean;
  readonly log: Log;
}): { close(): Promise<void> } {
  let isListening = false;
  let hasFailed = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isRequested = false;

  const sync = async () => {
    try {
      await credentials.sync();
      if (hasFailed) log.info({}, 'Reads changes of credentials again');
      hasFailed = false;
    } catch (error) {
      if (!hasFailed)
        log.warn({ err: error }, 'Could not read changes of credentials; known credentials stay valid for a while');
      hasFailed = true;
    }
  };
  /** One sync at a time. A request during a sync causes another one. */
  const wake = () => {
    if (isClosed || isRequested) return;
    isRequested = true;
    clearTimeout(timer);
    running = running.then(async () => {
      isRequested = false;
      await sync();
      if (isClosed || isRequested) return;
      timer = setTimeout(wake, isListening ? CREDENTIAL_SYNC_MS : CREDENTIAL_POLL_MS);
      timer.unref();
    });
  };
  const connection = listen(CHANNEL, {
    onNotification: wake,
    onStateChange(state) {
      isListening = state;
      wake();
    },
  });
  const every = (ms: number, message: string, work: () => Promise<void>) =>
    setInterval(() => void work().catch((error) => log.warn({ err: error }, message)), ms).unref();
  const storeUses = async () => {
    const uses = credentials.takeUses();
    if (uses.size > 0 && !isReadOnly) await repository.recordUse(uses);
  };
  const timers = [
    every(KEY_USE_MS, 'Could not store the last uses of keys', storeUses),
    every(CREDENTIAL_SWEEP_MS, 'Could not delete expired credentials', async () => {
      if (!isReadOnly) await repository.sweep(new Date());
    }),
  ];
  wake();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      for (const interval of timers) clearInterval(interval);
      await running;
      await storeUses().catch(() => {});
      await connection.close();
    },
  };
}
