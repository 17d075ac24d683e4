import { Counter, Gauge, type Registry } from 'prom-client';
import type { Log } from '../base/log.ts';
import type { Ports } from '../domain/ports.ts';
import { sweepRetention } from '../domain/retention/sweep-retention.ts';

export interface RetentionOptions {
  readonly ports: Pick<Ports, 'retention' | 'spans' | 'writes'>;
  readonly log: Log;
  readonly registry: Registry;
  /** Interval between checks for due policies. Default: 1 min. */
  readonly intervalMs?: number;
  readonly now?: () => Date;
}

export interface Retention {
  /** Checks now. The timer calls it, and tests do. */
  sweep(): Promise<void>;
  /** Waits for the current sweep. */
  close(): Promise<void>;
}

/** Applies retention policies at their hours, and after a start those that became due while the server was stopped. */
export function openRetention({ ports, log, registry, intervalMs = 60_000, now }: RetentionOptions): Retention {
  const registers = [registry];
  const lastRun = new Gauge({
    name: 'spandrel_retention_sweeper_last_run_seconds',
    help: 'Time of the last check of retention policies, in seconds since the epoch',
    registers,
  });
  const executions = new Counter({
    name: 'spandrel_retention_policy_executions_total',
    help: 'Executions of retention policies, by result',
    labelNames: ['status'],
    registers,
  });
  const sweepOnce = async () => {
    const at = now?.() ?? new Date();
    try {
      const swept = await sweepRetention(ports, at, ({ name }, error) => {
        executions.inc({ status: 'failure' });
        log.warn({ policy: name, err: error }, 'Could not apply a retention policy; the server retries');
      });
      for (const policy of swept) {
        executions.inc({ status: 'success' });
        log.info({ ...policy }, 'Applied a retention policy');
      }
      lastRun.set(at.getTime() / 1_000);
    } catch (error) {
      log.warn({ err: error }, 'Could not read the retention policies; the server retries');
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
