import type { Log } from '../base/log.ts';
import { AUDIT_SWEEP_MS } from '../model/limits/access.ts';
import type { Audit } from '../domain/access/audit.ts';

/** Deletes entries of the audit log that are older than the settings keep. */
export function openAuditRetention({
  audit,
  retentionDays,
  log,
}: {
  readonly audit: Pick<Audit, 'deleteBefore'>;
  /** 0 keeps entries forever. */
  readonly retentionDays: number;
  readonly log: Log;
}): { close(): void } {
  if (retentionDays === 0) return { close() {} };
  const sweep = async () => {
    const count = await audit.deleteBefore(new Date(Date.now() - retentionDays * 86_400_000));
    if (count > 0) log.info({ entryCount: count, retentionDays }, 'Deleted old entries of the audit log');
  };
  const run = () =>
    void sweep().catch((error) => log.warn({ err: error }, 'Could not delete old entries of the audit log'));
  run();
  const timer = setInterval(run, AUDIT_SWEEP_MS).unref();
  return { close: () => clearInterval(timer) };
}
