import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../base/log.ts';
import { DATASET_WORKER_COUNT } from '../../model/limits/datasets.ts';
import { EMBEDDED_CONNECTION_COUNT_MAX, EMBEDDED_STOP_MS_MAX } from '../../model/limits/metadata-store.ts';
import { runAs } from './embedded-account.ts';
import type { Binaries } from './embedded-binaries.ts';
import { type Cluster, SOCKET_PORT } from './embedded-cluster.ts';
import { clusterName, isRunning, readPostmaster } from './postmaster-file.ts';

/** A process of Postgres that accepts or accepted connections. */
export interface PostgresProcess {
  readonly pid: number;
  /** Description of how it ended. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export interface StartPostgres {
  readonly cluster: Cluster;
  readonly binaries: Binaries;
  readonly socketDirectory: string;
  readonly log: Log;
  /** Settings that replace the usual ones by name. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

/**
 * Starts Postgres and waits until it accepts connections. After a crash this includes its recovery.
 *
 * @throws {Error} with the messages of Postgres when it ends instead.
 */
export async function startPostgres({
  cluster,
  binaries,
  socketDirectory,
  log,
  settings = {},
}: StartPostgres): Promise<PostgresProcess> {
  const { data, dataForPostgres, account } = cluster;
  const socketForPostgres = socketDirectory === data ? dataForPostgres : socketDirectory;
  const child = spawn(
    join(binaries.directory, 'bin', 'postgres'),
    ['-D', dataForPostgres, ...toArguments({ ...usualSettings(cluster, socketForPostgres), ...settings })],
    {
      ...runAs(account),
      cwd: data,
      env: { LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'ignore', 'pipe'],
      // A separate process group: Ctrl-C in a terminal is meant for the server, which still needs its database to
      // close.
      detached: true,
    },
  );
  const said = relayLog(child, log);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal ? `ended by ${signal}` : `ended with code ${code}`));
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`Could not start the embedded Postgres: ${await ended}`);
  const watchdog = startWatchdog(cluster, pid);
  void ended.then(() => watchdog.kill('SIGKILL'));
  await waitUntilReady(cluster, { pid, ended, said, log });
  return { pid, ended, stop: () => stopPostgres(cluster, pid) };
}

/** Fast shutdown, then an immediate one, which leaves a recovery to the next start and loses nothing. */
export async function stopPostgres(cluster: Cluster, pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw error;
    }
    const giveUpAt = Date.now() + EMBEDDED_STOP_MS_MAX;
    while (Date.now() < giveUpAt) {
      if (!(await isRunning(cluster, pid))) return;
      await sleep(10);
    }
  }
  throw new Error(`Postgres (process ${pid}) on ${cluster.data} does not stop. Stop it, and start the server again.`);
}

/** Small: the metadata is some megabytes, and an idle server should cost little memory. */
function usualSettings(cluster: Cluster, socketDirectory: string) {
  return {
    cluster_name: clusterName(cluster),
    listen_addresses: '',
    port: SOCKET_PORT,
    unix_socket_directories: socketDirectory,
    unix_socket_permissions: '0700',
    max_connections: EMBEDDED_CONNECTION_COUNT_MAX,
    shared_buffers: '32MB',
    huge_pages: 'off',
    max_wal_size: '256MB',
    min_wal_size: '32MB',
    // Not `minimal`, which does not log a table and its sequences in the transaction that creates them. It logs such a
    // sequence only 32 values later or at the next checkpoint, so after a crash the sequence restarts from the
    // beginning.
    wal_level: 'replica',
    // The cluster has no replicas, and its queries are too small for compilation, and, with a few exceptions, which ask for them,
    // for parallel workers.
    max_wal_senders: 0,
    max_worker_processes: DATASET_WORKER_COUNT,
    max_parallel_workers_per_gather: 0,
    max_logical_replication_workers: 0,
    autovacuum_worker_slots: 1,
    autovacuum_max_workers: 1,
    io_method: 'sync',
    jit: 'off',
    // Pages are in memory or on an SSD. With the default, which is for disks, Postgres collects and sorts rows that an index
    // has in order.
    random_page_cost: 1.1,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Failed statements are reported by their callers.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: '%e ',
  };
}

const toArguments = (settings: Readonly<Record<string, string | number>>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/**
 * A process that outlives the server by a moment: the server's end of its pipe closes in any case, even after `kill
 * -9`, and the process then shuts Postgres down.
 */
function startWatchdog({ account }: Cluster, pid: number): ChildProcess {
  const script = `trap '' HUP INT TERM; read -r line; kill -INT ${pid}`;
  const watchdog = spawn('/bin/sh', ['-c', script], {
    ...runAs(account),
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Without a shell there is no watchdog; the next start then stops the orphan.
  watchdog.on('error', () => {});
  watchdog.stdin?.on('error', () => {});
  return watchdog;
}

async function waitUntilReady(
  cluster: Cluster,
  { pid, ended, said, log }: { pid: number; ended: Promise<string>; said: () => string; log: Log },
): Promise<void> {
  let how: string | undefined;
  void ended.then((text) => {
    how = text;
  });
  const slow = setInterval(() => log.info({ said: said() }, 'Postgres is still starting'), 5_000);
  try {
    for (;;) {
      const postmaster = await readPostmaster(cluster);
      if (postmaster?.pid === pid && postmaster.status === 'ready') return;
      if (how !== undefined) throw new Error(`The embedded Postgres ${how}: ${said() || 'it printed no message'}`);
      await sleep(10);
    }
  } finally {
    clearInterval(slow);
  }
}

/** Forwards the log of Postgres to the server's log. Returns a function for its last lines. */
function relayLog(child: ChildProcess, log: Log): () => string {
  const last: string[] = [];
  const stderr = child.stderr;
  if (stderr === null) return () => '';
  createInterface({ input: stderr }).on('line', (line) => {
    const [, state = '', severity, text = line] = /^(\w{5}) (\w+): +(.*)$/.exec(line) ?? [];
    last.push(text);
    if (last.length > 5) last.shift();
    // Class 57: it is starting or stopping, which is known.
    if ((severity === 'FATAL' || severity === 'PANIC') && !state.startsWith('57'))
      log.warn({ text }, 'Postgres reported a problem');
    else log.debug({ text }, 'Message from Postgres');
  });
  return () => last.join(' | ');
}
