import type { Log } from '../base/log.ts';
import { deleteStaleExperiments } from '../domain/experiments/delete-stale-experiments.ts';
import type { Ports } from '../domain/ports.ts';

export interface StaleExperimentsOptions {
  readonly ports: Pick<Ports, 'experiments' | 'projects' | 'writes'>;
  readonly log: Log;
  readonly intervalMs?: number;
}

/** Looks for ephemeral experiments whose time has come, now and every ten minutes. Closing waits for what is under way. */
export function openStaleExperiments({ ports, log, intervalMs = 600_000 }: StaleExperimentsOptions): {
  close(): Promise<void>;
} {
  const sweep = async () => {
    try {
      const count = await deleteStaleExperiments(ports, new Date());
      if (count > 0) log.info({ count }, 'ephemeral experiments were deleted');
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'ephemeral experiments could not be deleted; trying again');
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
