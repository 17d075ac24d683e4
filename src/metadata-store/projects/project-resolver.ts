import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expectPresent } from '../../base/expect-present.ts';
import type { Log } from '../../base/log.ts';
import { SpandrelError } from '../../model/errors.ts';
import { PROJECT_LOCK_MS_MAX, PROJECT_RETRY_MS } from '../../model/limits/metadata-store.ts';
import type { Db } from '../database/database.ts';
import { codeOf, constraintOf } from '../database/pool-errors.ts';
import { raiseSequences } from '../database/sequences.ts';
import { createProjectWithRowId, resolveProjectIds } from './projects.ts';

/** Provides the row ids of projects to the span store. */
export interface ProjectResolver {
  /** See `resolveProjectIds`. Rejects only when the database takes no new project at all. */
  resolve(names: readonly string[], position: number): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}

/**
 * Resolves names so that a problem with one project does not block the spans of the others. If a project can be neither
 * found nor created, because another transaction locks its name or its rows are damaged, it gets a row id without a
 * row. Its row is created as soon as the database accepts it, or after a crash at the next start (`reconcile.ts`).
 */
export function openProjectResolver({
  db,
  isSignInOn,
  log,
}: {
  readonly db: Db;
  readonly isSignInOn: boolean;
  readonly log: Log;
}): ProjectResolver {
  const withoutRow = new Map<number, string>();
  const closing = new AbortController();
  let making: Promise<void> | undefined;

  /** Runs one transaction with a short lock timeout. */
  const inTime = <Result>(work: (transaction: Db) => Promise<Result>): Promise<Result> =>
    db.transaction().execute(async (transaction) => {
      await sql`set local lock_timeout = ${sql.lit(PROJECT_LOCK_MS_MAX)}`.execute(transaction);
      return work(transaction);
    });

  async function resolve(names: readonly string[], position: number): Promise<ReadonlyMap<string, number>> {
    try {
      return await inTime((transaction) => resolveProjectIds(transaction, names, position));
    } catch (error) {
      if (error instanceof SpandrelError && error.code === 'STORE_UNAVAILABLE') throw error;
      // The row ids are in use, because the database was changed while the server runs.
      if (constraintOf(error)?.endsWith('_pkey')) log.warn({ tables: await raiseSequences(db) }, SEQUENCES_MOVED);
    }
    const ids = new Map<string, number>();
    for (const name of names) ids.set(name, await resolveAlone(name, position));
    return ids;
  }

  async function resolveAlone(name: string, position: number): Promise<number> {
    for (const [rowId, waiting] of withoutRow) if (waiting === name) return rowId;
    try {
      const rowIds = await inTime((transaction) => resolveProjectIds(transaction, [name], position));
      return expectPresent(rowIds.get(name), 'each name gets a row ID');
    } catch (error) {
      if (error instanceof SpandrelError && error.code === 'STORE_UNAVAILABLE') throw error;
      const rowId = await newRowId(db);
      withoutRow.set(rowId, name);
      log.error(
        { project: name, rowId, error: (error as Error).message, code: codeOf(error) },
        'Could not create a project. Its spans are stored; the project appears when the database accepts it',
      );
      making ??= makeRows();
      return rowId;
    }
  }

  async function makeRows(): Promise<void> {
    while (withoutRow.size > 0 && !closing.signal.aborted) {
      await sleep(PROJECT_RETRY_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {});
      if (closing.signal.aborted) return;
      for (const [rowId, wanted] of withoutRow) {
        try {
          const name = await inTime(
            async (transaction) =>
              (await createProjectWithRowId(transaction, rowId, { names: [wanted], isPrivate: false })) ??
              // The spans were meant for the project of that name, which may be private.
              createProjectWithRowId(transaction, rowId, {
                names: [`${wanted} (recovered ${rowId})`],
                isPrivate: isSignInOn,
              }),
          );
          withoutRow.delete(rowId);
          log.info({ project: name, rowId }, 'Created a project that could not be created before');
        } catch (error) {
          log.debug(
            { project: wanted, rowId, error: (error as Error).message },
            'Could not create a project yet; the server retries',
          );
        }
      }
    }
    making = undefined;
  }

  return {
    resolve,
    async close() {
      closing.abort();
      await making;
    },
  };
}

const SEQUENCES_MOVED = 'Sequences were behind their tables and have been advanced, so no row id is allocated twice';

async function newRowId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('projects', 'id')) as id`.execute(
    db,
  );
  return expectPresent(rows[0], 'a query without a table returns one row').id;
}
