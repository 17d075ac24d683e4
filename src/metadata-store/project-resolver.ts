import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Log } from '../base/log.ts';
import { SpandrelError } from '../model/errors.ts';
import { PROJECT_LOCK_MS_MAX, PROJECT_RETRY_MS } from '../model/limits.ts';
import type { Db } from './database.ts';
import { codeOf, constraintOf } from './pool-errors.ts';
import { createProjectWithRowId, resolveProjectIds } from './projects.ts';
import { raiseSequences } from './sequences.ts';

/** Gives the span store the row ids of projects. */
export interface ProjectResolver {
  /** See `resolveProjectIds`. Rejects only when the database takes no new project at all. */
  resolve(names: readonly string[], position: number): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}

/**
 * Resolves names so that one project's trouble holds up no other's spans. A project that cannot be found or made, because
 * somebody holds a lock on its name or its rows are damaged, gets a row id of its own without a row, and its row as soon as
 * the database takes it. After a crash before that, the start makes it (`reconcile.ts`).
 */
export function openProjectResolver({ db, log }: { readonly db: Db; readonly log: Log }): ProjectResolver {
  const withoutRow = new Map<number, string>();
  const closing = new AbortController();
  let making: Promise<void> | undefined;

  /** One transaction, which gives up soon when somebody else holds what it needs. */
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
      // Row ids that are in use: somebody changed the database under a running server.
      if (constraintOf(error)?.endsWith('_pkey')) log.warn({ tables: await raiseSequences(db) }, SEQUENCES_MOVED);
    }
    const ids = new Map<string, number>();
    for (const name of names) ids.set(name, await resolveAlone(name, position));
    return ids;
  }

  async function resolveAlone(name: string, position: number): Promise<number> {
    for (const [rowId, waiting] of withoutRow) if (waiting === name) return rowId;
    try {
      return (await inTime((transaction) => resolveProjectIds(transaction, [name], position))).get(name)!;
    } catch (error) {
      if (error instanceof SpandrelError && error.code === 'STORE_UNAVAILABLE') throw error;
      const rowId = await newRowId(db);
      withoutRow.set(rowId, name);
      log.error(
        { project: name, rowId, error: (error as Error).message, code: codeOf(error) },
        'A project cannot be made; its spans are stored, and it appears as soon as the database takes it',
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
          const names = [wanted, `${wanted} (recovered ${rowId})`];
          const name = await inTime((transaction) => createProjectWithRowId(transaction, rowId, names));
          withoutRow.delete(rowId);
          log.info({ project: name, rowId }, 'A project that could not be made is there now');
        } catch (error) {
          log.debug({ project: wanted, rowId, error: (error as Error).message }, 'A project cannot be made yet');
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

const SEQUENCES_MOVED = 'Row ids would have been given a second time; their sequences were moved on';

async function newRowId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('projects', 'id')) as id`.execute(
    db,
  );
  return rows[0]!.id;
}
