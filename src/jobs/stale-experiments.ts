import type { Log } from '../base/log.ts';
import type { AuditParts } from '../domain/access/audit.ts';
import { deleteStaleExperiments } from '../domain/experiments/delete-stale-experiments.ts';
import type { Ports } from '../domain/ports.ts';

export interface StaleExperimentsOptions {
  readonly ports: Pick<Ports, 'experiments' | 'projects' | 'onlineEvaluators' | 'writes'> & AuditParts;
  readonly log: Log;
  readonly intervalMs?: number;
}

/** Deletes expired ephemeral experiments, now and every ten minutes. `close` waits for the current deletion. */
export function openStaleExperiments({ ports, log, intervalMs = 600_000 }: StaleExperimentsOptions): {
  close(): Promise<void>;
} {
  const sweep = async () => {
    try {
      const count = await deleteStaleExperiments(ports, new Date());
      if (count > 0) log.info({ count }, 'Deleted expired ephemeral experiments');
    } catch (error) {
      log.warn({ err: error }, 'Could not delete expired ephemeral experiments; the server retries');
    }
  };
  let running = sweep();
  const timer = setInterval(() => {
    running = running.then(sweep);
  }, intervalMs).unref();
  return {
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}
