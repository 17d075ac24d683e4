import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expectPresent } from '../../base/expect-present.ts';
import type { Log } from '../../base/log.ts';
import { EMBEDDED_STOP_MS_MAX } from '../../model/limits/metadata-store.ts';
import { clientConfig, type Endpoint } from '../database/pool.ts';
import { codeOf } from '../database/pool-errors.ts';
import type { Cluster } from './embedded-cluster.ts';
import { EMBEDDED_USER, SOCKET_PORT } from './embedded-cluster.ts';
import { stopPostgres } from './embedded-process.ts';
import { isRunning, readPostmaster, removeStaleFiles } from './postmaster-file.ts';

// A server that owns an embedded Postgres holds this advisory lock in it, on a separate connection. The lock ends with
// the server in any case, so a Postgres without it is an orphan. A pid file is no proof, because pids repeat in
// containers.
const OWNER_LOCK = 5_069_373;

/** A Postgres that has been ready for less than this may have an owner that has not connected yet. */
const OWNER_ARRIVES_MS = 2_000;

export interface Ownership {
  close(): Promise<void>;
}

export const embeddedEndpoint = ({ password }: Cluster, socketDirectory: string): Endpoint => ({
  host: socketDirectory,
  port: SOCKET_PORT,
  user: EMBEDDED_USER,
  password,
  database: 'postgres',
  ssl: false,
});

/**
 * Ensures that no Postgres runs on this cluster: removes files of a killed one, stops an orphan, waits for one that is
 * shutting down.
 *
 * @throws {Error} when a live server owns it.
 */
export async function clearTheWay(cluster: Cluster, socketDirectory: string, log: Log): Promise<void> {
  const giveUpAt = Date.now() + EMBEDDED_STOP_MS_MAX;
  let ownerlessCount = 0;
  for (;;) {
    const postmaster = await readPostmaster(cluster);
    if (!postmaster) return;
    const owner = await findOwner(cluster, socketDirectory);
    if (owner === 'server') throw inUse(cluster);
    const isVisible = await isRunning(cluster, postmaster.pid);
    if (owner === 'unreachable' && !isVisible) {
      log.warn({ pid: postmaster.pid }, 'Postgres was not shut down cleanly; it recovers all committed data');
      return removeStaleFiles(cluster, socketDirectory, postmaster);
    }
    if (owner === 'none' && Date.now() - postmaster.startedAt.getTime() > OWNER_ARRIVES_MS) ownerlessCount++;
    if (ownerlessCount >= 3 || Date.now() >= giveUpAt) {
      // Its process is in another container, so it cannot be stopped from here, or it recovers under a live server.
      if (!isVisible || postmaster.status === 'starting') throw inUse(cluster);
      log.warn({ pid: postmaster.pid }, 'Stopping a Postgres whose server was killed');
      await stopPostgres(cluster, postmaster.pid);
    } else {
      await sleep(100);
    }
  }
}

/** `none` when no server holds the lock; `unreachable` when Postgres does not listen, or is starting or stopping. */
async function findOwner(cluster: Cluster, socketDirectory: string): Promise<'server' | 'none' | 'unreachable'> {
  const client = await connect(cluster, socketDirectory);
  if (!client) return 'unreachable';
  try {
    return (await isLocked(client)) ? 'server' : 'none';
  } catch {
    return 'unreachable';
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Locks the cluster for this server, also after a restart of its Postgres.
 *
 * @throws {Error} when another server holds the lock.
 */
export async function takeOwnership(cluster: Cluster, socketDirectory: string, log: Log): Promise<Ownership> {
  const closing = new AbortController();
  let client: Client | undefined;

  async function hold(): Promise<void> {
    client = await connect(cluster, socketDirectory);
    if (!client) throw new Error(`The embedded Postgres in ${cluster.data} rejects connections from this server.`);
    if (!(await takeLock(client))) {
      await client.end();
      throw inUse(cluster);
    }
    client.once('end', () => void holdAgain());
  }

  async function holdAgain(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        return await hold();
      } catch (error) {
        log.debug({ error: String(error) }, 'Could not lock the embedded Postgres again; the server retries');
      }
      await sleep(100, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  await hold();
  return {
    async close() {
      closing.abort();
      await client?.end().catch(() => {});
    },
  };
}

/** Undefined when Postgres does not listen, or is starting or stopping. */
async function connect(cluster: Cluster, socketDirectory: string): Promise<Client | undefined> {
  const client = new Client(clientConfig(embeddedEndpoint(cluster, socketDirectory), { clientName: 'spandrel owner' }));
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    if (/^(28|3D)/.test(codeOf(error) ?? '')) throw error;
    return undefined;
  }
}

async function takeLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [OWNER_LOCK]);
  return expectPresent(rows[0], 'a query without a table returns one row').taken;
}

/** Checks without taking the lock, which a server that connects at that moment would find in use. */
async function isLocked(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `select exists(
       select from pg_locks where locktype = 'advisory' and classid = 0 and objid = $1 and objsubid = 1) as locked`,
    [OWNER_LOCK],
  );
  return expectPresent(rows[0], 'a query without a table returns one row').locked;
}

const inUse = ({ data }: Cluster): Error =>
  new Error(
    `Another server uses the embedded Postgres in ${data}. Stop that server, or give this one another SERVICE_WORKING_DIR.`,
  );
