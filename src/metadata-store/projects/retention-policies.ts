import { type Selectable, sql } from 'kysely';
import {
  DEFAULT_RETENTION_CRON,
  DEFAULT_RETENTION_POLICY_ROW_ID,
  type RetentionPolicy,
  type RetentionPolicyChanges,
  type RetentionPolicyFields,
} from '../../model/projects/retention-policy.ts';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { RetentionPolicyTable } from './project-tables.ts';
import { isOutsideEvaluators, isOutsideExperiments } from './projects.ts';

// Tables: project_trace_retention_policies; the policy of a project is a column of projects.

/** Creates the default policy unless it exists. */
export async function ensureDefaultRetentionPolicy(db: Db, maxDays: number): Promise<void> {
  await db
    .insertInto('project_trace_retention_policies')
    .values({
      id: DEFAULT_RETENTION_POLICY_ROW_ID,
      name: 'Default',
      cron_expression: DEFAULT_RETENTION_CRON,
      rule: JSON.stringify({ type: 'max_days', max_days: maxDays }),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** All policies by row id. */
export async function listRetentionPolicies(db: Db): Promise<RetentionPolicy[]> {
  const rows = await db.selectFrom('project_trace_retention_policies').selectAll().orderBy('id').execute();
  return rows.map(toPolicy);
}

export async function findRetentionPolicies(db: Db, rowIds: readonly number[]): Promise<Map<number, RetentionPolicy>> {
  const rows = await db
    .selectFrom('project_trace_retention_policies')
    .selectAll()
    .where('id', '=', sql<number>`any(${rowIds}::bigint[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, toPolicy(row)]));
}

/**
 * Row ids of projects under a policy. The default policy has those without a policy of their own. Hidden projects of
 * experiments and evaluators are left out.
 */
export async function projectsOfRetentionPolicy(db: Db, rowId: number): Promise<number[]> {
  const rows = await selectProjectsUnder(db, rowId).where(isOutsideExperiments).where(isOutsideEvaluators).execute();
  return rows.map(({ id }) => id);
}

const selectProjectsUnder = (db: Db, rowId: number) =>
  db
    .selectFrom('projects')
    .select('id')
    .where('trace_retention_policy_id', 'is not distinct from', toColumn(rowId))
    .orderBy('id');

/** Puts the projects under the new policy. */
export function createRetentionPolicy(
  db: Db,
  { name, cronExpression, rule }: RetentionPolicyFields,
  projectIds: readonly number[],
): Promise<RetentionPolicy> {
  return inTransaction(db, async (transaction) => {
    const row = await transaction
      .insertInto('project_trace_retention_policies')
      .values({ name, cron_expression: cronExpression, rule: JSON.stringify(rule) })
      .returningAll()
      .executeTakeFirstOrThrow();
    await assign(transaction, row.id, projectIds);
    return toPolicy(row);
  });
}

/**
 * Changes the given fields. Removed projects get the default policy. A changed schedule counts from now on.
 * Undefined when there is no such policy.
 */
export function updateRetentionPolicy(
  db: Db,
  rowId: number,
  { name, cronExpression, rule, addedProjectIds = [], removedProjectIds = [] }: RetentionPolicyChanges,
): Promise<RetentionPolicy | undefined> {
  return inTransaction(db, async (transaction) => {
    const row = await transaction
      .updateTable('project_trace_retention_policies')
      .set({
        // A statement must set a column. This changes nothing.
        id: rowId,
        ...(name !== undefined && { name }),
        ...(cronExpression !== undefined && { cron_expression: cronExpression, swept_at: sql`now()` }),
        ...(rule !== undefined && { rule: JSON.stringify(rule) }),
      })
      .where('id', '=', rowId)
      .returningAll()
      .executeTakeFirst();
    if (!row) return undefined;
    await assign(transaction, rowId, addedProjectIds);
    await transaction
      .updateTable('projects')
      .set({ trace_retention_policy_id: null })
      .where('id', '=', sql<number>`any(${removedProjectIds}::bigint[])`)
      .where('trace_retention_policy_id', '=', rowId)
      .execute();
    return toPolicy(row);
  });
}

/** Its projects get the default policy. Undefined when there is none. */
export async function deleteRetentionPolicy(db: Db, rowId: number): Promise<RetentionPolicy | undefined> {
  const row = await db
    .deleteFrom('project_trace_retention_policies')
    .where('id', '=', rowId)
    .returningAll()
    .executeTakeFirst();
  return row && toPolicy(row);
}

/**
 * Runs `sweep` for one policy that is due by `isDue`, and records the time. Only one server does this at a time; others
 * skip the locked policy. When `sweep` fails, or the server ends, the policy is due again.
 *
 * @returns False when the policy does not exist, is not due, or another server applies it.
 */
export function sweepRetentionPolicy(
  db: Db,
  rowId: number,
  now: Date,
  isDue: (policy: RetentionPolicy, sweptAt: Date) => boolean,
  sweep: (policy: RetentionPolicy, projectIds: readonly number[]) => Promise<void>,
): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const row = await transaction
      .selectFrom('project_trace_retention_policies')
      .selectAll()
      .where('id', '=', rowId)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!row || !isDue(toPolicy(row), row.swept_at)) return false;
    const swept = await selectProjectsUnder(transaction, rowId).execute();
    await sweep(
      toPolicy(row),
      swept.map(({ id }) => id),
    );
    await transaction
      .updateTable('project_trace_retention_policies')
      .set({ swept_at: now })
      .where('id', '=', rowId)
      .execute();
    return true;
  });
}

const toColumn = (rowId: number): number | null => (rowId === DEFAULT_RETENTION_POLICY_ROW_ID ? null : rowId);

async function assign(db: Db, rowId: number, projectIds: readonly number[]): Promise<void> {
  await db
    .updateTable('projects')
    .set({ trace_retention_policy_id: toColumn(rowId) })
    .where('id', '=', sql<number>`any(${projectIds}::bigint[])`)
    .execute();
}

const toPolicy = (row: Selectable<RetentionPolicyTable>): RetentionPolicy => ({
  rowId: row.id,
  name: row.name,
  cronExpression: row.cron_expression,
  rule: row.rule,
});

/** Functions of retention policies, bound to a database. */
export const retentionPolicyRepository = (db: Db) =>
  bindToDatabase(db, {
    list: listRetentionPolicies,
    findByRowIds: findRetentionPolicies,
    projectsOf: projectsOfRetentionPolicy,
    create: createRetentionPolicy,
    update: updateRetentionPolicy,
    delete: deleteRetentionPolicy,
    sweep: sweepRetentionPolicy,
  });
