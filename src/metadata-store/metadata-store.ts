import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import type { Log } from '../base/log.ts';
import { SpandrelError } from '../model/errors.ts';
import { METADATA_PROBE_MS_MAX } from '../model/limits/metadata-store.ts';
import { DRAIN_MS_MAX } from '../model/limits/requests.ts';
import { type CloudIdentity, openTokenSource } from './database/cloud-identity.ts';
import { type Db, openDb } from './database/database.ts';
import { type DatabaseAddress, parseDatabaseUrl } from './database/database-url.ts';
import { type ChannelListener, listenTo } from './database/listen.ts';
import { type Endpoint, openPool, type PoolOptions } from './database/pool.ts';
import { prepareTables } from './database/prepare-tables.ts';
import { reachDatabase } from './database/reach-database.ts';
import { openEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { openReplica, type Replica, type ReplicaTimes } from './replica/replica.ts';

export interface MetadataStoreOptions {
  /** Directory of the embedded Postgres. The server does not use it when there is a `url`. */
  readonly dataDir: string;
  /** URL of an external Postgres, 15 or later. Absent for the embedded one. */
  readonly url?: string;
  /** Logs in to the external Postgres and its standby with tokens. */
  readonly identity?: CloudIdentity | undefined;
  /** A streaming standby that serves reads. Ignored with a warning for the embedded Postgres. */
  readonly readReplicaUrl?: string;
  /** Schema of the tables, created when it is missing. Default: that of the database, usually `public`. */
  readonly schema?: string;
  readonly log: Log;
  readonly registry: Registry;
  /** Logs every statement, without its values. */
  readonly logSql?: boolean;
  /** When false, the server rejects a database that is not up to date. */
  readonly migrate: boolean;
  /** Other times of the read replica, for tests. */
  readonly replicaTimes?: ReplicaTimes;
  /** Shown to administrators of the database; `spandrel` by default. */
  readonly clientName?: string;
}

/**
 * The metadata database. While the database is unavailable, a query throws `STORE_UNAVAILABLE`; queries work again when
 * it is available.
 */
export interface MetadataStore {
  readonly kind: 'embedded' | 'external';
  readonly db: Db;
  /** Undefined without one in the options. */
  readonly replica: Replica | undefined;
  /** Listens to a channel of the primary until it is closed. Reports when notifications do not arrive. */
  listen(channel: string, listener: ChannelListener): { close(): Promise<void> };
  /** Location of the data, without passwords. */
  describe(): string;
  /** @throws {SpandrelError} `STORE_UNAVAILABLE` */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** @throws {Error} one line that states the problem and a solution. */
export async function openMetadataStore(options: MetadataStoreOptions): Promise<MetadataStore> {
  return options.url === undefined ? openEmbedded(options) : openExternal(options, options.url);
}

async function openEmbedded(options: MetadataStoreOptions): Promise<MetadataStore> {
  if (options.readReplicaUrl !== undefined) {
    options.log.warn({}, 'The read replica is ignored: it needs SERVICE_SQL_DATABASE_URL');
  }
  const postgres = await openEmbeddedPostgres(options);
  const databases = await openDatabases(options, { primary: postgres.endpoint }).catch(async (error) => {
    await postgres.close();
    throw error;
  });
  return {
    kind: 'embedded',
    ...databases,
    describe: () => postgres.describe(),
    async close() {
      await databases.close();
      await postgres.close();
    },
  };
}

async function openExternal(options: MetadataStoreOptions, url: string): Promise<MetadataStore> {
  const { log } = options;
  const session = { log, clientName: nameOf(options) };
  const tokens = options.identity && (await openTokenSource(options.identity));
  const address = parseDatabaseUrl(url, tokens);
  const replicaAddress =
    options.readReplicaUrl === undefined ? undefined : parseDatabaseUrl(options.readReplicaUrl, tokens);
  const primary = await reachDatabase(address, session);
  const databases = await openDatabases(options, { primary, replicaAddress });
  return { kind: 'external', ...databases, describe: () => address.masked };
}

type Databases = Pick<MetadataStore, 'db' | 'replica' | 'listen' | 'ping' | 'close'>;

async function openDatabases(
  options: MetadataStoreOptions,
  { primary, replicaAddress }: { readonly primary: Endpoint; readonly replicaAddress?: DatabaseAddress | undefined },
): Promise<Databases> {
  await prepareTables(primary, { ...options, clientName: nameOf(options) });
  const primaryPool = openPool(primary, poolOptions(options));
  const db = openDb(primaryPool, options);
  const listen: MetadataStore['listen'] = (channel, listener) =>
    listenTo(primary, { clientName: nameOf(options) }, channel, listener);
  const replica =
    replicaAddress &&
    (await openReplica({
      ...options,
      ...poolOptions(options),
      ...options.replicaTimes,
      address: replicaAddress,
      primary: { db, pool: primaryPool },
      listen,
    }));
  measure(() => ({ primary: primaryPool, replica: replica?.pool() }), options.registry);
  return {
    db,
    replica,
    listen,
    ping: () => limitPing(sql`select 1`.execute(db)),
    async close() {
      // The replica reports its end to the other servers over the primary. A pool that ends lets a new query wait in vain.
      const ended = Promise.resolve(replica?.close()).then(() => primaryPool.end());
      // A running statement has the same time limit as any other work.
      await Promise.race([ended, sleep(DRAIN_MS_MAX, undefined, { ref: false })]);
    },
  };
}

async function limitPing(answer: Promise<unknown>): Promise<void> {
  const tooLate = new AbortController();
  const late = sleep(METADATA_PROBE_MS_MAX, undefined, { signal: tooLate.signal, ref: false }).then(() => {
    throw new SpandrelError('STORE_UNAVAILABLE', 'The metadata database is not available: no response in time');
  });
  late.catch(() => {});
  answer.catch(() => {});
  await Promise.race([answer, late]).finally(() => tooLate.abort());
}

const nameOf = ({ clientName = 'spandrel' }: MetadataStoreOptions): string => clientName;

const poolOptions = (options: MetadataStoreOptions): PoolOptions => ({
  clientName: nameOf(options),
  schema: options.schema,
  log: options.log,
});

function measure(pools: () => Readonly<Record<string, Pool | undefined>>, registry: Registry): void {
  new Gauge({
    name: 'spandrel_metadata_connections',
    help: 'Connections to the metadata database, and queries that wait for a connection.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [name, pool] of Object.entries(pools())) {
        if (!pool) continue;
        this.set({ pool: name, state: 'idle' }, pool.idleCount);
        this.set({ pool: name, state: 'busy' }, pool.totalCount - pool.idleCount);
        this.set({ pool: name, state: 'waiting' }, pool.waitingCount);
      }
    },
  });
}
