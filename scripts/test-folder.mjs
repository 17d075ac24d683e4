// The folder for the data directories and the Postgres of a run of tests. It is in memory if the machine has enough of it:
// copying a database there takes a third of the processor time, and a full or slow disk delays no test.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'spandrel-tests-';
const IN_MEMORY = '/dev/shm';
/** Space that a run needs at a time, with three test files at a time that each have a few data directories. */
const BYTES_MIN = 3 * 1024 ** 3;
/** Memory that must be free for it, beside what servers and browsers use. */
const AVAILABLE_BYTES_MIN = 8 * 1024 ** 3;

/** @returns {{ dir: string, remove(): void }} */
export function makeTestFolder() {
  const parent = hasMemory() ? IN_MEMORY : tmpdir();
  removeAbandoned(parent);
  const dir = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  // Postgres and some tests run as other users.
  chmodSync(dir, 0o755);
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true, maxRetries: 20 }) };
}

/** Removes the folders of runs that were killed. */
function removeAbandoned(parent) {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : process.pid;
    if (!isRunning(pid)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user.
    return error.code === 'EPERM';
  }
}

function hasMemory() {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    const [, availableKib] = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'));
    return bavail * bsize >= BYTES_MIN && Number(availableKib) * 1024 >= AVAILABLE_BYTES_MIN;
  } catch {
    // Not Linux, or a container without it.
    return false;
  }
}
