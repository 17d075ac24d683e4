import { type Selectable, sql } from 'kysely';
import type { CostRecomputation } from '../../model/models/cost-recomputation.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import type { CostRecomputationTable } from './model-tables.ts';

// Table: cost_recomputations.

export async function createRecomputation(db: Db, projectId: number | null): Promise<CostRecomputation> {
  const row = await db
    .insertInto('cost_recomputations')
    .values({ project_id: projectId, next_span_row_id: 1 })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toRecomputation(row);
}

export async function countOpenRecomputations(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('cost_recomputations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function findRecomputation(db: Db, rowId: number): Promise<CostRecomputation | undefined> {
  const row = await db.selectFrom('cost_recomputations').selectAll().where('id', '=', rowId).executeTakeFirst();
  return row && toRecomputation(row);
}

/** The oldest request that has not ended. */
export async function findOpenRecomputation(db: Db): Promise<CostRecomputation | undefined> {
  const row = await db
    .selectFrom('cost_recomputations')
    .selectAll()
    .where('ended_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row && toRecomputation(row);
}

/** Records that all spans before `nextSpanRowId` are done. The request ends after `lastSpanRowId`. */
export async function advanceRecomputation(
  db: Db,
  rowId: number,
  nextSpanRowId: number,
  lastSpanRowId: number,
): Promise<void> {
  await db
    .updateTable('cost_recomputations')
    .set({
      next_span_row_id: nextSpanRowId,
      last_span_row_id: lastSpanRowId,
      ...(nextSpanRowId > lastSpanRowId && { ended_at: sql<Date>`now()` }),
    })
    .where('id', '=', rowId)
    .execute();
}

const toRecomputation = (row: Selectable<CostRecomputationTable>): CostRecomputation => ({
  rowId: row.id,
  projectId: row.project_id,
  nextSpanRowId: row.next_span_row_id,
  lastSpanRowId: row.last_span_row_id,
  createdAt: row.created_at,
  endedAt: row.ended_at,
});

/** Functions of requests to recompute costs, bound to a database. */
export const recomputationRepository = (db: Db) =>
  bindToDatabase(db, {
    create: createRecomputation,
    find: findRecomputation,
    findOpen: findOpenRecomputation,
    countOpen: countOpenRecomputations,
    advance: advanceRecomputation,
  });
