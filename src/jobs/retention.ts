import { Counter, Gauge, type Registry } from 'prom-client';
import type { Log } from '../base/log.ts';
import type { Ports } from '../domain/ports.ts';
import { sweepRetention } from '../domain/retention/sweep-retention.ts';

export interface RetentionOptions {
  readonly ports: Pick<Ports, 'retention' | 'spans' | 'writes'>;
  readonly log: Log;
  readonly registry: Registry;
  /** How often to look whether an hour of a policy has come. Default a minute. */
  readonly intervalMs?: number;
  readonly now?: () => Date;
}

export interface Retention {
  /** Looks now; the clock calls it, and a test. */
  sweep(): Promise<void>;
  /** Ends after what is under way. */
  close(): Promise<void>;
}

/** Applies retention policies when their hours come, and after a start those that came meanwhile. */
export function openRetention({ ports, log, registry, intervalMs = 60_000, now }: RetentionOptions): Retention {
  const registers = [registry];
  const lastRun = new Gauge({
    name: 'spandrel_retention_sweeper_last_run_seconds',
    help: 'When retention policies were looked at last, in seconds since the epoch',
    registers,
  });
  const executions = new Counter({
    name: 'spandrel_retention_policy_executions_total',
    help: 'Retention policies that were applied, or failed to be',
    labelNames: ['status'],
    registers,
  });
  const sweepOnce = async () => {
    const at = now?.() ?? new Date();
    try {
      const swept = await sweepRetention(ports, at, ({ name }, error) => {
        executions.inc({ status: 'failure' });
        log.warn({ policy: name, error: error.message }, 'a retention policy could not be applied; it is tried again');
      });
      for (const policy of swept) {
        executions.inc({ status: 'success' });
        log.info({ ...policy }, 'a retention policy was applied');
      }
      lastRun.set(at.getTime() / 1_000);
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'retention policies could not be read; trying again');
    }
  };
  let running: Promise<void> = Promise.resolve();
  const sweep = () => {
    running = running.then(sweepOnce);
    return running;
  };
  void sweep();
  const timer = setInterval(() => void sweep(), intervalMs).unref();
  return {
    sweep,
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}
