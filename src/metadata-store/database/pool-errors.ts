import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { SpandrelError } from '../../model/errors.ts';
import type { CopyCursor } from './copy-cursor.ts';

/**
 * The pool as Kysely sees it, with expected errors as `SpandrelError`s: `STORE_UNAVAILABLE` when the database is
 * unavailable (the next query may succeed), `QUERY_TIMED_OUT` when a statement took too long.
 */
export function withCallerErrors(pool: Pool): PostgresPool {
  const wrapped = new WeakMap<PoolClient, PostgresPoolClient>();
  return {
    async connect() {
      const client = await pool.connect().catch(rethrow);
      const known = wrapped.get(client);
      if (known) return known;
      const fresh = wrapClient(client);
      wrapped.set(client, fresh);
      return fresh;
    },
    end: () => pool.end(),
  };
}

function wrapClient(client: PoolClient): PostgresPoolClient {
  let isBroken = false;
  // The pool does not listen to a client that it has lent. The query of the client reports the error itself.
  client.on('error', () => {
    isBroken = true;
  });
  const query = (statement: string | CopyCursor<unknown>, parameters: readonly unknown[]) =>
    typeof statement === 'string' ? client.query(statement, [...parameters]).catch(rethrow) : statement.openOn(client);
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(isBroken),
  };
}

function rethrow(error: unknown): never {
  throw toCallerError(error);
}

/** The error for callers. A programming error stays unchanged. */
export function toCallerError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (isUnavailable(error)) {
    // The message names the socket or the host, which only the log may contain.
    const reason =
      codeOf(error) ?? (error.message.startsWith('timeout') ? 'no connection in time' : 'the connection ended');
    return new SpandrelError('STORE_UNAVAILABLE', `The metadata database is not available: ${reason}`, {
      cause: error,
    });
  }
  if (codeOf(error) === '57014') {
    return new SpandrelError('QUERY_TIMED_OUT', 'The metadata database took too long', { cause: error });
  }
  return error;
}

/** Whether the database was unreachable or the connection was lost: it may be starting, stopping, full or down. */
export function isUnavailable(error: Error): boolean {
  return UNAVAILABLE_CODE.test(codeOf(error) ?? '') || UNAVAILABLE_TEXT.test(error.message);
}

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

const UNIQUE_VIOLATION = '23505';

/** Name of the constraint that a statement violated. */
export const constraintOf = (error: unknown): string | undefined =>
  error instanceof Error && 'constraint' in error && typeof error.constraint === 'string'
    ? error.constraint
    : undefined;

/**
 * Whether a value that the caller chose exists already. A duplicate generated row id violates a primary key instead.
 * That is an internal error and must not look like a name in use.
 */
export const isTaken = (error: unknown): boolean =>
  codeOf(error) === UNIQUE_VIOLATION && !constraintOf(error)?.endsWith('_pkey');
export const FOREIGN_KEY_VIOLATION = '23503';
/** From Postgres 18 on the code for `on delete restrict`; before, that was a violation of the foreign key. */
export const RESTRICT_VIOLATION = '23001';

/**
 * Codes of Node: all failures of a connection or host lookup; EAGAIN is a full queue of the Unix socket. Codes of
 * Postgres: class 08 connection, 53 out of resources, 57P0x shut down or starting, 25006 a standby, 58000 and 58030 the
 * system.
 */
const UNAVAILABLE_CODE =
  /^(E(CONN|HOST|NET|PIPE|TIMEDOUT|NOENT|NOTFOUND|AI_|AGAIN|ADDRNOTAVAIL|ACCES|PERM|MFILE|NFILE|NOBUFS|IO)\w*|08\w{3}|53\w{3}|57P0[1-5]|25006|58000|58030)$/;
// pg reports these without a code.
const UNAVAILABLE_TEXT =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;
