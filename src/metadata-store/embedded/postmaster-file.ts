import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Cluster, SOCKET_FILE } from './embedded-cluster.ts';

/** Content of `postmaster.pid` of a running Postgres, whose lines are described in its `pidfile.h`. */
export interface Postmaster {
  readonly pid: number;
  readonly startedAt: Date;
  readonly status: 'starting' | 'stopping' | 'ready' | 'unknown';
}

/** Undefined when the file does not exist. It may be outdated or incomplete; then the status is unknown. */
export async function readPostmaster(cluster: Pick<Cluster, 'data'>): Promise<Postmaster | undefined> {
  const text = await readFile(join(cluster.data, 'postmaster.pid'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const [pid, , startedAt, , , , , status] = text.split('\n').map((line) => line.trim());
  return {
    pid: Number(pid),
    startedAt: new Date(Number(startedAt) * 1_000),
    status: /^(starting|stopping|ready)$/.test(status ?? '') ? (status as Postmaster['status']) : 'unknown',
  };
}

/**
 * The name of a cluster in the command line of its Postgres, which distinguishes it from another process with the same
 * pid, as happens in containers.
 */
export const clusterName = ({ data }: Pick<Cluster, 'data'>): string =>
  `spandrel-${createHash('sha256').update(data).digest('hex').slice(0, 12)}`;

/** Whether that process is alive and the Postgres of this cluster. */
export async function isRunning(cluster: Pick<Cluster, 'data'>, pid: number): Promise<boolean> {
  if (!Number.isSafeInteger(pid) || pid <= 1) return false;
  return (await commandLine(pid)).includes(clusterName(cluster));
}

async function commandLine(pid: number): Promise<string> {
  try {
    if (process.platform === 'linux') return await readFile(`/proc/${pid}/cmdline`, 'utf8');
    return (await promisify(execFile)('/bin/ps', ['-o', 'command=', '-p', String(pid)])).stdout;
  } catch {
    return '';
  }
}

/**
 * Removes files of a killed Postgres whose pid belongs to another process now, because they would prevent the next
 * start. Postgres itself handles files with a dead pid, and it also checks for surviving child processes.
 */
export async function removeStaleFiles(cluster: Cluster, socketDirectory: string, { pid }: Postmaster): Promise<void> {
  if (!isAlive(pid)) return;
  await rm(join(cluster.data, 'postmaster.pid'), { force: true });
  for (const name of [SOCKET_FILE, `${SOCKET_FILE}.lock`]) await rm(join(socketDirectory, name), { force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
