import { Socket } from 'node:net';
import { Client, type ClientBase, Pool, type PoolConfig, types } from 'pg';
import type { Log } from '../../base/log.ts';
import {
  METADATA_CONNECT_MS_MAX,
  METADATA_CONNECTION_COUNT_MAX,
  METADATA_CONNECTION_SECONDS_MAX,
  METADATA_PROBE_MS_MAX,
  METADATA_SILENCE_MS,
  METADATA_STATEMENT_MS_MAX,
} from '../../model/limits/metadata-store.ts';
import type { TlsAttempt } from './database-tls.ts';

/** Host of a database and the TLS attempt that works there. */
export interface Endpoint {
  /** A name, an address, or the directory of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** A function is called for each new connection. */
  readonly password: string | (() => Promise<string>) | undefined;
  readonly database: string;
  readonly ssl: TlsAttempt;
}

export interface SessionOptions {
  /** Shown in `pg_stat_activity`. */
  readonly clientName: string;
  /** The only schema in which tables are searched. Default: that of the database. */
  readonly schema?: string | undefined;
}

export interface PoolOptions extends SessionOptions {
  readonly connectionCountMax?: number;
  /** Wait for a free or a new connection. */
  readonly connectMsMax?: number;
  /** 0 means no limit. */
  readonly statementMsMax?: number;
  /** Rejects a new connection that must not be used. */
  readonly checkConnection?: (client: ClientBase) => Promise<void>;
  readonly log: Log;
}

/**
 * A pool that replaces broken connections at the next query. It opens no connection before the first query, and closes
 * connections that were idle for half a minute.
 */
export function openPool(endpoint: Endpoint, options: PoolOptions): Pool {
  const { connectionCountMax = METADATA_CONNECTION_COUNT_MAX, statementMsMax = METADATA_STATEMENT_MS_MAX } = options;
  const config = clientConfig(endpoint, options);
  const connectMsMax = options.connectMsMax ?? METADATA_CONNECT_MS_MAX;
  const pool = new Pool({
    ...config,
    max: connectionCountMax,
    connectionTimeoutMillis: connectMsMax,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: METADATA_CONNECTION_SECONDS_MAX,
    // The settings are statements, because connection poolers reject settings among the startup parameters.
    onConnect: async (client) => {
      // The pool limits the time until the connection is open, and not this.
      const timer = setTimeout(() => endConnection(client), connectMsMax);
      try {
        await client.query(sessionSettings(options.schema, statementMsMax));
        await options.checkConnection?.(client);
      } finally {
        clearTimeout(timer);
      }
    },
  });
  // Statements without a limit, such as migrations, belong to no request that would have to be rejected in time.
  if (statementMsMax > 0) endSilentConnections(pool, config, options.log);
  // Without a listener, a connection that breaks while idle would end the process.
  pool.on('error', (error) => options.log.warn({ error: error.message }, 'Lost an idle database connection'));
  return pool;
}

/**
 * Ends lent connections while Postgres does not respond at all, because it is frozen or its host is gone. Their statements then fail,
 * and the pool discards the connections, so that a late response reaches no other statement. A slow statement of a Postgres
 * that responds on another connection may take any time: its own `statement_timeout` ends it.
 */
function endSilentConnections(pool: Pool, config: PoolConfig, log: Log): void {
  const lent = new Map<ClientBase, NodeJS.Timeout>();
  let probing: Promise<boolean> | undefined;

  const watch = (client: ClientBase) => {
    const timer = setTimeout(() => void check(client, timer), METADATA_SILENCE_MS).unref();
    lent.set(client, timer);
  };

  async function check(client: ClientBase, timer: NodeJS.Timeout): Promise<void> {
    probing ??= isResponding(config).finally(() => {
      probing = undefined;
    });
    const isAlive = await probing;
    if (lent.get(client) !== timer) return;
    if (isAlive) return watch(client);
    log.warn(
      { silentMs: METADATA_SILENCE_MS + METADATA_PROBE_MS_MAX },
      'The database does not respond; ending a connection',
    );
    endConnection(client);
  }

  pool.on('acquire', watch);
  pool.on('release', (_error, client) => {
    clearTimeout(lent.get(client));
    lent.delete(client);
  });
}

/** Ends a connection at once. Its running statement fails, later ones are rejected. */
const endConnection = (client: ClientBase): void => void (client as Client).end().catch(() => {});

/** False only when Postgres stays silent. A rejection is a response, and other problems end the connections themselves. */
async function isResponding(config: PoolConfig): Promise<boolean> {
  const probe = new Client({
    ...config,
    connectionTimeoutMillis: METADATA_PROBE_MS_MAX,
    query_timeout: METADATA_PROBE_MS_MAX,
  });
  probe.on('error', () => {});
  try {
    await probe.connect();
    await probe.query('select 1');
    return true;
  } catch (error) {
    return !/timeout/.test((error as Error).message);
  } finally {
    endConnection(probe);
  }
}

/** Options of both `Pool` and `Client`. */
export const clientConfig = (endpoint: Endpoint, { clientName }: SessionOptions): PoolConfig => ({
  ...endpoint,
  application_name: clientName,
  // Otherwise, pg asks for the runtime by an object of fetch, which Node 20 loads for it in a fortieth of the server's start.
  stream: () => new Socket(),
  connectionTimeoutMillis: METADATA_CONNECT_MS_MAX,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  types: TYPES,
});

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function sessionSettings(schema: string | undefined, statementMsMax: number): string {
  const timeout = `set statement_timeout = ${statementMsMax}`;
  return schema === undefined ? timeout : `${timeout}; set search_path = ${quoteIdentifier(schema)}`;
}

const INT8_OID = 20;
const INT8_ARRAY_OID: number = 1016;

/** int8 as a number, also in arrays: row ids and counts stay below 2^53. */
const TYPES: NonNullable<PoolConfig['types']> = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary' && oid === INT8_OID) return toSafeInteger;
    if (format !== 'binary' && oid === INT8_ARRAY_OID) return toSafeIntegers;
    return types.getTypeParser(oid, format as 'text');
  },
};

type Elements = readonly (string | null | Elements)[];

/** The driver reads the array and leaves its elements as texts. */
const toSafeIntegers = (text: string): unknown =>
  toNumbers((types.getTypeParser(INT8_ARRAY_OID) as (text: string) => Elements)(text));

const toNumbers = (elements: Elements): unknown[] =>
  elements.map((one) => (one === null ? null : typeof one === 'string' ? toSafeInteger(one) : toNumbers(one)));

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond 2^53`);
  return value;
}
