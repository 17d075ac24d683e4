import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A memory limit of the kernel for a process and its child processes. */
export interface MemoryCgroup {
  /** Prefix of a command, which then runs within the limit. */
  readonly launcher: readonly string[];
  /** Peak memory in bytes, including the kernel's page cache. */
  peakBytes(): number;
  /** Number of processes that the kernel killed because of the limit. */
  killCount(): number;
  close(): void;
}

const ROOT = '/sys/fs/cgroup';

/** Reason why this user may not limit memory. */
export function openMemoryCgroup(bytes: number): MemoryCgroup | string {
  const isVersion1 = existsSync(join(ROOT, 'memory', 'memory.limit_in_bytes'));
  const dir = join(isVersion1 ? join(ROOT, 'memory') : ROOT, `spandrel-test-${process.pid}-${Date.now()}`);
  const names = isVersion1
    ? { limit: 'memory.limit_in_bytes', peak: 'memory.max_usage_in_bytes', events: 'memory.oom_control' }
    : { limit: 'memory.max', peak: 'memory.peak', events: 'memory.events' };
  try {
    mkdirSync(dir);
    writeFileSync(join(dir, names.limit), String(bytes));
    const swap = join(dir, isVersion1 ? 'memory.memsw.limit_in_bytes' : 'memory.swap.max');
    if (existsSync(swap)) writeFileSync(swap, isVersion1 ? String(bytes) : '0');
  } catch (error) {
    return `this user may not limit memory with cgroups: ${(error as Error).message}`;
  }
  const read = (name: string) => readFileSync(join(dir, name), 'utf8');
  return {
    launcher: ['/bin/sh', '-c', `echo $$ > '${join(dir, 'cgroup.procs')}' && exec "$@"`, 'sh'],
    peakBytes: () => Number(read(names.peak)),
    killCount: () => Number(/^oom_kill (\d+)/m.exec(read(names.events))?.[1] ?? 0),
    close: () => rmdirSync(dir),
  };
}
