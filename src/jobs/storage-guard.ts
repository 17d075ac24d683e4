import { Gauge, type Registry } from 'prom-client';
import type { Log } from '../base/log.ts';

export interface StorageGuardOptions {
  /** Capacity that percentages refer to, in bytes; without it nothing is ever locked. */
  readonly capacityBytes: number | undefined;
  /** Above this share of the capacity, 0 to 100, writes are refused; undefined: never. */
  readonly blockingPercent: number | undefined;
  readonly supportEmail: string | undefined;
  /** Bytes that the span store, the journal and the metadata take. */
  readonly usedBytes: () => Promise<number>;
  readonly log: Log;
  readonly registry: Registry;
  /** Default a minute. */
  readonly intervalMs?: number;
}

export interface StorageGuard {
  /** The text of the refusal while storage is above its limit. */
  lock(): string | undefined;
  /** Measures now; the clock calls it, and a test. */
  measure(): Promise<void>;
  close(): void;
}

/** Closes the door to writes while storage is nearly full, and opens it when there is room again. */
export async function openStorageGuard(options: StorageGuardOptions): Promise<StorageGuard> {
  const { capacityBytes, blockingPercent, log, registry } = options;
  const registers = [registry];
  const used = new Gauge({ name: 'database_disk_usage_bytes', help: 'Bytes that all stores take on disk', registers });
  const ratio = new Gauge({
    name: 'database_disk_usage_ratio',
    help: 'The same as a share of the capacity',
    registers,
  });
  const blocked = new Gauge({ name: 'database_insertions_blocked', help: '1 while writes are refused', registers });
  const text = `Database operations are disabled due to insufficient storage. Please delete old data or increase storage.${
    options.supportEmail ? ` Need help? Contact us at ${options.supportEmail}` : ''
  }`;
  let isLocked = false;

  const measure = async () => {
    const bytes = await options.usedBytes();
    used.set(bytes);
    if (capacityBytes === undefined) return;
    ratio.set(bytes / capacityBytes);
    const wasLocked = isLocked;
    isLocked = blockingPercent !== undefined && (bytes / capacityBytes) * 100 > blockingPercent;
    blocked.set(isLocked ? 1 : 0);
    if (isLocked !== wasLocked) {
      log.warn(
        { usedBytes: bytes, capacityBytes, blockingPercent },
        isLocked
          ? 'storage is above its limit: writes are refused until data is deleted or the capacity is raised'
          : 'storage is below its limit again: writes are accepted',
      );
    }
  };
  const measureOrSay = () =>
    measure().catch((error) => log.warn({ error: String(error) }, 'could not measure the storage; trying again'));
  await measureOrSay();
  const timer = setInterval(measureOrSay, options.intervalMs ?? 60_000).unref();
  return { lock: () => (isLocked ? text : undefined), measure, close: () => clearInterval(timer) };
}
