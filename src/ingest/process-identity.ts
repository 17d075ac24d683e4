import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * A text that this process has and no other, before or after it, with the same number; undefined when no process has
 * this number now. On Linux boot and start time in ticks, elsewhere the start time as `ps` tells it.
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  return process.platform === 'linux' ? linuxIdentity(pid) : psIdentity(pid);
}

async function linuxIdentity(pid: number): Promise<string | undefined> {
  try {
    const [stat, bootId] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ]);
    // The name of the command stands in parentheses and may hold any character; fields are counted after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, startTicks] = [fields[0], fields[19]];
    return state === 'Z' || state === 'X' ? undefined : `${bootId.trim()} ${startTicks}`;
  } catch {
    return undefined;
  }
}

async function psIdentity(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], { env: { LC_ALL: 'C' } });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}
