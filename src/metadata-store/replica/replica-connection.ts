import { Client, type ClientBase, type Pool, type PoolClient } from 'pg';
import { expectPresent } from '../../base/expect-present.ts';
import type { Log } from '../../base/log.ts';
import { REPLICA_CHECK_MS_MAX, REPLICA_CONNECT_MS_MAX } from '../../model/limits/metadata-store.ts';
import type { DatabaseAddress } from '../database/database-url.ts';
import { clientConfig, openPool, type PoolOptions } from '../database/pool.ts';
import { codeOf } from '../database/pool-errors.ts';
import { reachDatabase } from '../database/reach-database.ts';
import { type LogPosition, parseLogPosition } from './log-position.ts';

/** Connections to a replica: a pool for reads, and one connection for questions about its state. */
export interface ReplicaConnection {
  readonly pool: Pool;
  /**
   * Position up to which the replica has applied the log. Undefined for a server that is no standby.
   *
   * @throws {Error} when it does not answer in time
   */
  readReplayed(): Promise<LogPosition | undefined>;
  /** Ends at once. Running statements fail. */
  abort(): Promise<void>;
}

/** @throws {Error} when no host accepts connections, or it belongs to another Postgres than `primary` */
export async function connectReplica(
  address: DatabaseAddress,
  options: PoolOptions & { readonly primary: Pool },
): Promise<ReplicaConnection> {
  const endpoint = await reachDatabase(address, { ...options, waitMsMax: 0 });
  const probe = new Client(clientConfig(endpoint, { ...options, clientName: `${options.clientName} replica check` }));
  probe.on('error', () => {});
  let server: string | undefined;
  try {
    await probe.connect();
    server = await withinTime(readServer(probe));
    const [ofPrimary, ofReplica] = await withinTime(Promise.all([readSystem(options.primary), readSystem(probe)]));
    if (ofPrimary !== ofReplica) throw new Error('it is not a standby of the primary');
  } catch (error) {
    void probe.end().catch(() => {});
    throw error;
  }
  const pool = openPool(endpoint, {
    ...options,
    // One warning for the replica is enough.
    log: quietLog(options.log),
    connectMsMax: REPLICA_CONNECT_MS_MAX,
    // A name may stand for several servers, of which the position of one says nothing about another.
    checkConnection: async (client) => {
      if ((await readServer(client)) !== server)
        throw new Error('this is another standby than the one that is checked');
    },
  });
  const lent = new Set<PoolClient>();
  pool.on('acquire', (client) => lent.add(client));
  pool.on('release', (_error, client) => lent.delete(client));
  return {
    pool,
    async readReplayed() {
      const { rows } = await withinTime(
        probe.query<{ position: string | null }>(
          'select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as position',
        ),
      );
      const { position } = expectPresent(rows[0], 'a query without a table returns one row');
      return position === null ? undefined : parseLogPosition(position);
    },
    async abort() {
      // A client with a running statement closes its socket; the statement fails, and its caller repeats it elsewhere.
      for (const client of [...lent, probe]) void (client as Client).end().catch(() => {});
      await Promise.race([pool.end(), new Promise((resolve) => setTimeout(resolve, REPLICA_CONNECT_MS_MAX).unref())]);
    },
  };
}

const quietLog = (log: Log): Log => ({
  debug: (fields, message) => log.debug(fields, message),
  info: (fields, message) => log.info(fields, message),
  warn: (fields, message) => log.debug(fields, message),
  error: (fields, message) => log.error(fields, message),
  child: (fields) => quietLog(log.child(fields)),
});

/** Identifies one server until it is restarted. */
async function readServer(client: ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ at: string }>('select pg_postmaster_start_time()::text as at');
  return rows[0]?.at;
}

/** Identifies a Postgres with all its standbys. Undefined where the user may not know it. */
async function readSystem(server: Pick<Pool | Client, 'query'>): Promise<string | undefined> {
  try {
    const { rows } = await server.query<{ id: string }>(
      'select system_identifier::text as id from pg_control_system()',
    );
    return rows[0]?.id;
  } catch (error) {
    if (codeOf(error) === NOT_ALLOWED) return undefined;
    throw error;
  }
}

const NOT_ALLOWED = '42501';

function withinTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${REPLICA_CHECK_MS_MAX} ms`)), REPLICA_CHECK_MS_MAX);
  });
  work.catch(() => {});
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
