import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expectPresent } from '../../base/expect-present.ts';
import type { Log } from '../../base/log.ts';
import { METADATA_START_MS_MAX } from '../../model/limits/metadata-store.ts';
import { type DatabaseAddress, type DatabaseHost, isSocket } from './database-url.ts';
import { clientConfig, type Endpoint, type SessionOptions } from './pool.ts';
import { codeOf, isUnavailable } from './pool-errors.ts';

/** Postgres 15. */
const LEAST_VERSION_NUMBER = 150_000;

export interface ReachOptions extends SessionOptions {
  readonly log: Log;
  /** Maximum time to wait for an unavailable database. */
  readonly waitMsMax?: number;
}

/**
 * Finds the first host that accepts connections, with or without TLS as the URL allows. Waits for a database that is
 * not running yet, because both may have been started at the same time.
 *
 * @throws {Error} when no host accepts connections, or the database is older than Postgres 15.
 */
export async function reachDatabase(address: DatabaseAddress, options: ReachOptions): Promise<Endpoint> {
  const { log, waitMsMax = METADATA_START_MS_MAX } = options;
  const giveUpAt = Date.now() + waitMsMax;
  for (let attempt = 0; ; attempt++) {
    const result = await tryCandidates(address, options);
    if (!(result instanceof Error)) return result;
    if (!isUnavailable(result) || Date.now() >= giveUpAt) throw cannotUse(address, result);
    if (attempt === 0) log.warn({ url: address.masked, reason: result.message }, 'Waiting for the metadata database');
    await sleep(Math.min(500, Math.max(0, giveUpAt - Date.now())));
  }
}

/** The endpoint, or the most specific error: a response of Postgres is more specific than an unavailable host. */
async function tryCandidates(address: DatabaseAddress, options: ReachOptions): Promise<Endpoint | Error> {
  let worst: Error | undefined;
  for (const endpoint of candidates(address)) {
    const error = await tryEndpoint(endpoint, options);
    if (!error) return endpoint;
    if (!worst || (isUnavailable(worst) && !isUnavailable(error))) worst = error;
  }
  return worst ?? new Error('it names no host');
}

function candidates(address: DatabaseAddress): Endpoint[] {
  const attempts = (host: DatabaseHost) => (isSocket(host) ? [false as const] : address.tlsAttempts);
  const { user, database, tokens } = address;
  return address.hosts.flatMap((host) =>
    // Each attempt gets a copy of the TLS options, because pg modifies them.
    attempts(host).map((tls) => ({
      ...host,
      user,
      password: tokens ? () => tokens({ ...host, user }) : address.password,
      database,
      ssl: tls && { ...tls },
    })),
  );
}

async function tryEndpoint(endpoint: Endpoint, options: ReachOptions): Promise<Error | undefined> {
  const client = new Client(clientConfig(endpoint, options));
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; number: string }>(
      "select current_setting('server_version') as version, current_setting('server_version_num') as number",
    );
    const { version, number } = expectPresent(rows[0], 'a query without a table returns one row');
    if (Number(number) >= LEAST_VERSION_NUMBER) return undefined;
    return new Error(`it is Postgres ${version}, but version 15 or later is required. Upgrade it.`);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    await client.end().catch(() => {});
  }
}

function cannotUse({ masked }: DatabaseAddress, error: Error): Error {
  const reason = error.message || codeOf(error) || 'it does not respond';
  const advice = isUnavailable(error) ? '. Check that it runs and that SERVICE_SQL_DATABASE_URL is correct.' : '';
  return new Error(`Cannot use the metadata database ${masked}: ${reason}${advice}`, { cause: error });
}
