import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { SpandrelError } from '../../model/errors.ts';
import { codeOf } from '../database/pool-errors.ts';

export interface Pools {
  /** Undefined while no replica is connected. */
  replica(): PostgresPool | undefined;
  readonly primary: PostgresPool;
  /** Called when the primary takes over a connection or a statement. */
  onFallback(error: unknown): void;
}

/**
 * A pool of the replica for reads. A statement that fails because of the replica is repeated on the primary, and so is
 * one that writes. Inside a transaction a failure is passed on.
 */
export const poolWithFallback = (pools: Pools): PostgresPool => ({
  async connect() {
    const replica = pools.replica();
    if (!replica) return pools.primary.connect();
    try {
      return withFallback(await replica.connect(), pools);
    } catch (error) {
      pools.onFallback(error);
      return pools.primary.connect();
    }
  },
  // Its parts are ended by their owners.
  end: async () => {},
});

function withFallback(client: PostgresPoolClient, { primary, onFallback }: Pools): PostgresPoolClient {
  let fallback: PostgresPoolClient | undefined;
  let isInTransaction = false;
  const run = client.query as unknown as Query;
  const query: Query = async (text, parameters) => {
    if (fallback) return (fallback.query as unknown as Query)(text, parameters);
    try {
      const result = await run(text, parameters);
      if (BEGINS.test(text)) isInTransaction = true;
      if (ENDS.test(text)) isInTransaction = false;
      return result;
    } catch (error) {
      if (isInTransaction || !isOfReplica(error)) throw error;
      onFallback(error);
      fallback = await primary.connect();
      return (fallback.query as unknown as Query)(text, parameters);
    }
  };
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release() {
      client.release();
      fallback?.release();
    },
  };
}

type Query = (text: string, parameters: readonly unknown[]) => Promise<unknown>;

const BEGINS = /^\s*(begin|start transaction)/i;
const ENDS = /^\s*(commit|rollback)(?!\s+to)/i;

/** A standby cancels a statement that reads rows which the log removes. */
const RECOVERY_CONFLICT = '40001';

const isOfReplica = (error: unknown): boolean =>
  (error instanceof SpandrelError && error.code === 'STORE_UNAVAILABLE') || codeOf(error) === RECOVERY_CONFLICT;
