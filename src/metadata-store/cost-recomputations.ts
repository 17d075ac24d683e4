import { type Selectable, sql } from 'kysely';
import type { CostRecomputation } from '../model/cost-recomputation.ts';
import type { CostRecomputationTable, Db } from './database.ts';

// Table: cost_recomputations.

export async function createRecomputation(
  db: Db,
  { projectId, lastSpanRowId }: Pick<CostRecomputation, 'projectId' | 'lastSpanRowId'>,
): Promise<CostRecomputation> {
  const row = await db
    .insertInto('cost_recomputations')
    .values({ project_id: projectId, next_span_row_id: 1, last_span_row_id: lastSpanRowId })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toRecomputation(row);
}

export async function findRecomputation(db: Db, rowId: number): Promise<CostRecomputation | undefined> {
  const row = await db.selectFrom('cost_recomputations').selectAll().where('id', '=', rowId).executeTakeFirst();
  return row && toRecomputation(row);
}

/** The oldest one that has not ended. */
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

/** Notes that all spans before this one are done; beyond the last one it ends. */
export async function advanceRecomputation(db: Db, rowId: number, nextSpanRowId: number): Promise<void> {
  await db
    .updateTable('cost_recomputations')
    .set({
      next_span_row_id: nextSpanRowId,
      ended_at: sql<Date | null>`case when ${nextSpanRowId}::bigint > last_span_row_id then now() end`,
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
