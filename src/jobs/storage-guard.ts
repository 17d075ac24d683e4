import { Gauge, type Registry } from 'prom-client';
import type { Log } from '../base/log.ts';
import type { StorageWarning } from './storage-warning.ts';

export interface StorageGuardOptions {
  /** Capacity in bytes to which the percentages refer. Undefined: storage is never locked. */
  readonly capacityBytes: number | undefined;
  /** Percentage of the capacity, 0 to 100, above which writes are rejected. Undefined: never. */
  readonly blockingPercent: number | undefined;
  readonly supportEmail: string | undefined;
  /** Mails to administrators. Undefined: none. */
  readonly warning?: StorageWarning | undefined;
  /** Bytes on disk of the span store, the journal and the metadata store. */
  readonly usedBytes: () => Promise<number>;
  readonly log: Log;
  readonly registry: Registry;
  /** Default: 1 min. */
  readonly intervalMs?: number;
}

export interface StorageGuard {
  /** Message of the rejection while storage is above its limit, otherwise undefined. */
  lock(): string | undefined;
  /** Measures now. The timer calls it, and tests do. */
  measure(): Promise<void>;
  close(): void;
}

/** Rejects writes while storage is above its limit, and warns administrators before. */
export async function openStorageGuard(options: StorageGuardOptions): Promise<StorageGuard> {
  const { capacityBytes, blockingPercent, intervalMs = 60_000, log, registry } = options;
  const registers = [registry];
  let measuredAt = Number.NEGATIVE_INFINITY;
  const used = new Gauge({
    name: 'database_disk_usage_bytes',
    help: 'Disk space of all stores in bytes',
    registers,
    // Without a capacity, only readers of metrics need it, and it costs a look at more than a thousand files of Postgres.
    async collect() {
      if (capacityBytes === undefined && performance.now() - measuredAt >= intervalMs) await measureOrWarn();
    },
  });
  const ratio = new Gauge({
    name: 'database_disk_usage_ratio',
    help: 'Disk space of all stores as a percentage of the capacity',
    registers,
  });
  const blocked = new Gauge({
    name: 'database_insertions_blocked',
    help: '1 while writes are rejected, otherwise 0',
    registers,
  });
  const text = `Database operations are disabled due to insufficient storage. Please delete old data or increase storage.${
    options.supportEmail ? ` Need help? Contact us at ${options.supportEmail}` : ''
  }`;
  let isLocked = false;

  const measure = async () => {
    measuredAt = performance.now();
    const bytes = await options.usedBytes();
    used.set(bytes);
    if (capacityBytes === undefined) return;
    ratio.set(bytes / capacityBytes);
    // Not awaited: a mail may take a minute.
    void options.warning?.check((bytes / capacityBytes) * 100);
    const wasLocked = isLocked;
    isLocked = blockingPercent !== undefined && (bytes / capacityBytes) * 100 > blockingPercent;
    blocked.set(isLocked ? 1 : 0);
    if (isLocked !== wasLocked) {
      log.warn(
        { usedBytes: bytes, capacityBytes, blockingPercent },
        isLocked
          ? 'Storage is above its limit: writes are rejected until you delete data or raise the capacity'
          : 'Storage is below its limit again: writes are accepted',
      );
    }
  };
  const measureOrWarn = () =>
    measure().catch((error) => log.warn({ err: error }, 'Could not measure the storage; the server retries'));
  if (capacityBytes === undefined) return { lock: () => undefined, measure, close() {} };
  await measureOrWarn();
  const timer = setInterval(measureOrWarn, intervalMs).unref();
  return { lock: () => (isLocked ? text : undefined), measure, close: () => clearInterval(timer) };
}
