import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { EvaluationError } from '../../errors.ts';

/** The same process may say that it started some seconds earlier or later, because clocks are corrected. */
const START_TOLERANCE_SECONDS = 60;

const startedAt = (): number => Math.round(Date.now() / 1_000 - process.uptime());

/** Keeps a second process from writing the same file. The lock of a process that ended does not count. Returns its release. */
export function lockFile(path: string): () => void {
  const lock = `${path}.lock`;
  for (let attempt = 0; ; attempt++) {
    try {
      const descriptor = openSync(lock, 'wx', 0o600);
      writeSync(descriptor, `${process.pid} ${startedAt()}`);
      closeSync(descriptor);
      return () => rmSync(lock, { force: true });
    } catch (error) {
      const { code } = error as { code?: string };
      if (code !== 'EEXIST') throw new EvaluationError(`Cannot write ${lock}: ${String(error)}.`, { cause: error });
      const [owner = Number.NaN, started] = readOwner(lock).split(' ').map(Number);
      if (isAlive(owner, started) || attempt > 0) {
        throw new EvaluationError(
          `${path} is used by the process ${owner || 'of another run'}; wait for it, use another file, or delete ${lock}.`,
        );
      }
      rmSync(lock, { force: true });
    }
  }
}

function readOwner(lock: string): string {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid: number, started: number | undefined): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  // In a container, the process that was killed had the number of this one.
  if (pid === process.pid && started !== undefined && Math.abs(started - startedAt()) > START_TOLERANCE_SECONDS)
    return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}
