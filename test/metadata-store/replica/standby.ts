import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { silentLog } from '../../../src/base/log.ts';
import { chooseAccount, runAs } from '../../../src/metadata-store/embedded/embedded-account.ts';
import { findBinaries } from '../../../src/metadata-store/embedded/embedded-binaries.ts';
import {
  EMBEDDED_USER,
  makeHome,
  openCluster,
  SOCKET_PORT,
} from '../../../src/metadata-store/embedded/embedded-cluster.ts';
import { type CleanUp, query, temporaryDirectory, until } from '../fixtures.ts';

/** A Postgres with streaming replication, and a standby that follows it. */
export interface Replication {
  /** URL of an empty database on the primary. */
  readonly primaryUrl: string;
  /** URL of the same database on the standby. */
  readonly standbyUrl: string;
  readonly standby: Standby;
  /** Runs a statement on the primary. */
  onPrimary<Row extends object>(text: string): Promise<Row[]>;
}

export interface Standby {
  /** Runs a statement. */
  query<Row extends object>(text: string): Promise<Row[]>;
  /** Stops and continues the application of the log. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** SIGKILL to all of its processes. */
  kill(): Promise<void>;
  /** Does nothing while it runs. */
  start(): Promise<void>;
  /** SIGSTOP: connections stay open, and nothing answers. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

const DATABASE = 'spandrel';
const SETTINGS = {
  listen_addresses: '',
  port: SOCKET_PORT,
  wal_level: 'replica',
  max_wal_senders: 5,
  wal_keep_size: '256MB',
  max_connections: 60,
  shared_buffers: '32MB',
  fsync: 'off',
  full_page_writes: 'on',
  io_method: 'sync',
  // A standby asks again this soon after its primary was away.
  wal_retrieve_retry_interval: '100ms',
};

/**
 * Makes a standby from the programs of the embedded Postgres, which have no `pg_basebackup`: the files are copied between
 * the functions that start and stop a backup.
 */
export async function openReplication(
  cleanUp: CleanUp,
  settingsOfStandby: Readonly<Record<string, string | number>> = {},
): Promise<Replication> {
  const home = await temporaryDirectory(cleanUp);
  await makeHome(home);
  const account = chooseAccount(undefined);
  const binaries = await findBinaries({ home, account, log: silentLog });
  const { data, password } = await openCluster({ home, account, binaries, log: silentLog });
  const run = (dataDir: string, settings: Readonly<Record<string, string | number>>) =>
    startProcess({ program: join(binaries.directory, 'bin/postgres'), dataDir, settings, as: runAs(account) });
  const urlOf = (socketDirectory: string, database: string) =>
    `postgresql://${EMBEDDED_USER}:${password}@/${database}?host=${socketDirectory}`;

  const primary = await run(data, SETTINGS);
  cleanUp(() => primary.kill());
  await untilAnswers(urlOf(data, 'postgres'));
  await query(urlOf(data, 'postgres'), `set scram_iterations = 1; alter role ${EMBEDDED_USER} password '${password}'`);
  await query(urlOf(data, 'postgres'), `create database ${DATABASE}`);

  const standbyData = join(await temporaryDirectory(cleanUp), 'data');
  await copyBackup(urlOf(data, 'postgres'), data, standbyData);
  if (account) await promisify(execFile)('chown', ['-R', `${account.uid}:${account.gid}`, standbyData]);
  const settings = {
    ...SETTINGS,
    primary_conninfo: `host=${data} port=${SOCKET_PORT} user=${EMBEDDED_USER} password=${password}`,
    ...settingsOfStandby,
  };
  const standbyUrl = urlOf(standbyData, DATABASE);
  let process = await run(standbyData, settings);
  cleanUp(() => process.kill());
  await untilAnswers(standbyUrl);
  return {
    primaryUrl: urlOf(data, DATABASE),
    standbyUrl,
    onPrimary: (text) => query(urlOf(data, DATABASE), text),
    standby: {
      query: (text) => query(standbyUrl, text),
      pause: async () => void (await query(standbyUrl, 'select pg_wal_replay_pause()')),
      resume: async () => void (await query(standbyUrl, 'select pg_wal_replay_resume()')),
      kill: () => process.kill(),
      async start() {
        if (process.isRunning()) return;
        process = await run(standbyData, settings);
        await untilAnswers(standbyUrl);
      },
      freeze: () => process.signal('SIGSTOP'),
      thaw: () => process.signal('SIGCONT'),
    },
  };
}

/** A backup as `pg_basebackup` makes it, without the log, which the standby receives. */
async function copyBackup(url: string, from: string, to: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query("select pg_backup_start('standby', true)");
    // Takes a tenth of the processor time that the `cp` of Node does.
    await promisify(execFile)('cp', ['-a', from, to]);
    for (const name of [...(await readdir(to)), ...(await readdir(join(to, 'pg_wal'))).map((name) => `pg_wal/${name}`)])
      if (/(^|\/)(postmaster\.(pid|opts)|\.s\.PGSQL\..*|[0-9A-F]{24})$/.test(name)) await rm(join(to, name));
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await writeFile(join(to, 'backup_label'), rows[0]!.labelfile);
    await writeFile(join(to, 'standby.signal'), '');
    await mkdir(join(to, 'pg_wal/archive_status'), { recursive: true });
  } finally {
    await client.end();
  }
}

const untilAnswers = (url: string): Promise<void> =>
  until('Postgres takes connections', () =>
    query(url, 'select 1').then(
      () => true,
      () => false,
    ),
  );

interface ProcessOptions {
  readonly program: string;
  readonly dataDir: string;
  readonly settings: Readonly<Record<string, string | number>>;
  readonly as: { readonly uid?: number; readonly gid?: number };
}

async function startProcess({ program, dataDir, settings, as }: ProcessOptions) {
  await rm(join(dataDir, 'postmaster.pid'), { force: true });
  const flags = Object.entries({ unix_socket_directories: dataDir, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  // Processes of Postgres are in the session of their postmaster, and so in its group.
  const child = spawn(program, ['-D', dataDir, ...flags], {
    ...as,
    cwd: '/',
    env: { LC_ALL: 'C', TZ: 'UTC' },
    stdio: 'ignore',
    detached: true,
  });
  const ended = once(child, 'exit');
  const pids = async () => {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(child.pid)]).catch(() => ({
      stdout: '',
    }));
    return [child.pid ?? 0, ...stdout.split('\n').map(Number)].filter((pid) => pid > 1);
  };
  const signal = async (name: NodeJS.Signals) => {
    for (const pid of await pids()) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended.
      }
    }
  };
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    signal,
    isRunning,
    async kill() {
      if (!isRunning()) return;
      await signal('SIGKILL');
      await ended;
    },
  };
}
