import { Socket } from 'node:net';
import { type ClientBase, Pool, type PoolConfig, types } from 'pg';
import type { Log } from '../../base/log.ts';
import {
  METADATA_CONNECT_MS_MAX,
  METADATA_CONNECTION_COUNT_MAX,
  METADATA_CONNECTION_SECONDS_MAX,
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
  const pool = new Pool({
    ...clientConfig(endpoint, options),
    max: connectionCountMax,
    ...(options.connectMsMax !== undefined && { connectionTimeoutMillis: options.connectMsMax }),
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: METADATA_CONNECTION_SECONDS_MAX,
    // The settings are statements, because connection poolers reject settings among the startup parameters.
    onConnect: async (client) => {
      await client.query(sessionSettings(options.schema, statementMsMax));
      await options.checkConnection?.(client);
    },
  });
  // Without a listener, a connection that breaks while idle would end the process.
  pool.on('error', (error) => options.log.warn({ error: error.message }, 'Lost an idle database connection'));
  return pool;
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
