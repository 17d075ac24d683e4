import { SpandrelError } from '../http/errors.ts';
import type { NodeModules } from '../node/index.ts';

/** Interval in which a process says that it uses an outbox, and the age of that sign at which it counts as lost. */
const RENEWAL_MS = 5_000;
const STALE_MS = 30_000;

/** Keeps an outbox for this process until it is released. */
export interface OutboxClaim {
  release(): Promise<void>;
}

/**
 * Claims an outbox by a file with the ID of the process beside it, so that two processes do not run one experiment. The
 * claim of a process that has ended does not count.
 *
 * @throws {SpandrelError} `EXPERIMENT_RUNNING` when another process has the outbox
 * @internal
 */
export async function claimOutbox({ fs, process }: NodeModules, outboxPath: string): Promise<OutboxClaim> {
  const path = `${outboxPath}.lock`;
  const { promises } = fs;
  const create = () => promises.writeFile(path, String(process.pid), { flag: 'wx', mode: 0o600 });
  try {
    await create();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const stat = fs.statSync(path, { throwIfNoEntry: false });
    const owner = stat ? Number(await promises.readFile(path, 'utf8').catch(() => '')) : 0;
    if (stat && Date.now() - stat.mtimeMs < STALE_MS && isOther(process, owner)) {
      throw new SpandrelError(
        'EXPERIMENT_RUNNING',
        `Process ${owner} runs this experiment. Wait for it or end it; its claim is ${path}.`,
      );
    }
    await promises.rm(path, { force: true });
    await create();
  }
  const renewal = setInterval(() => {
    const now = new Date();
    promises.utimes(path, now, now).catch(() => undefined);
  }, RENEWAL_MS);
  renewal.unref();
  return {
    async release() {
      clearInterval(renewal);
      await promises.rm(path, { force: true }).catch(() => undefined);
    },
  };
}

/** Whether a process with this ID runs that is not this one. */
function isOther(process: NodeJS.Process, pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    // Signal 0 only asks.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
