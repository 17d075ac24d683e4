import { type RawBuilder, sql } from 'kysely';
import { SpandrelError } from '../../model/errors.ts';
import type { EvaluatorKind } from '../../model/evaluators/evaluator.ts';
import type {
  NewOnlineEvaluator,
  OnlineEvaluator,
  OnlineEvaluatorChanges,
} from '../../model/evaluators/online-evaluator.ts';
import { authorColumn } from '../access/author.ts';
import type { Db } from '../database/database.ts';
import { isTaken } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import { readMapping, writeMapping } from '../evaluators/dataset-evaluators.ts';
import { createProject } from '../projects/projects.ts';

// Table: online_evaluators.

const select = async (db: Db, rest: RawBuilder<unknown>): Promise<OnlineEvaluator[]> => {
  const { rows } = await sql<OnlineEvaluatorRow>`
    select o.*, o.input_mapping::text as input_mapping, e.kind
    from online_evaluators o join evaluators e on e.id = o.evaluator_id ${rest}`.execute(db);
  return rows.map(toOnlineEvaluator);
};

/** Lists the evaluators of a project by name. */
export const listOnlineEvaluators = (db: Db, projectId: number): Promise<OnlineEvaluator[]> =>
  select(db, sql`where o.project_id = ${projectId} order by o.name, o.id`);

/** Lists all evaluators of all projects that are enabled, or that have a backfill to do. */
export const listActiveOnlineEvaluators = (db: Db): Promise<OnlineEvaluator[]> =>
  select(
    db,
    sql`where o.is_enabled or exists (
      select from online_backfills b where b.online_evaluator_id = o.id and b.state = 'RUNNING'
    ) order by o.id`,
  );

/** Lists the uses of an evaluator in projects. */
export const listUsesOfEvaluator = (db: Db, evaluatorRowId: number): Promise<OnlineEvaluator[]> =>
  select(db, sql`where o.evaluator_id = ${evaluatorRowId} order by o.project_id, o.name`);

export const findOnlineEvaluator = async (db: Db, rowId: number): Promise<OnlineEvaluator | undefined> =>
  (await select(db, sql`where o.id = ${rowId}`))[0];

/**
 * Creates an evaluator with the project of its traces, which is as private as the annotated one. Undefined when the project or
 * the evaluator does not exist.
 *
 * @throws {SpandrelError} `ONLINE_EVALUATOR_NAME_TAKEN`
 */
export function createOnlineEvaluator(db: Db, created: NewOnlineEvaluator): Promise<OnlineEvaluator | undefined> {
  return db.transaction().execute(async (tx) => {
    const { rows: projects } = await sql<{ name: string; isPrivate: boolean }>`
      select name, is_private as "isPrivate" from projects where id = ${created.projectId} for key share`.execute(tx);
    const [project] = projects;
    const { rows: evaluators } = await sql`
      select from evaluators where id = ${created.evaluatorRowId} for key share`.execute(tx);
    if (!project || evaluators.length === 0) return undefined;
    const traces = await createProject(tx, {
      name: created.traceProjectName,
      description: `Traces of the evaluator ${created.name} of the project ${project.name}`,
      isPrivate: project.isPrivate,
    });
    const { rows } = await asNameError(
      created.name,
      sql<{ id: number }>`
        insert into online_evaluators (project_id, evaluator_id, name, description, target, filter, input_mapping,
          sampling_rate, quiet_ms, daily_call_count_max, daily_cost_max, is_enabled, trace_project_id, last_span_row_id, user_id)
        values (${created.projectId}, ${created.evaluatorRowId}, ${toPostgresText(created.name)},
          ${created.description && toPostgresText(created.description)}, ${created.target},
          ${toPostgresText(created.filter)}, ${writeMapping(created.inputMapping)}::json, ${created.samplingRate},
          ${created.quietMs}, ${created.dailyCallCountMax}, ${created.dailyCostMax}, ${created.isEnabled},
          ${traces.rowId}, ${created.lastSpanRowId}, ${authorColumn(created.userId)})
        returning id`.execute(tx),
    );
    return rows[0] && findOnlineEvaluator(tx, rows[0].id);
  });
}

/**
 * Changes the given fields. `isRevised` increases the revision. Undefined when there is none.
 *
 * @throws {SpandrelError} `ONLINE_EVALUATOR_NAME_TAKEN`
 */
export async function updateOnlineEvaluator(
  db: Db,
  rowId: number,
  changes: OnlineEvaluatorChanges & { readonly lastSpanRowId?: number | undefined },
  { isRevised }: { readonly isRevised: boolean },
): Promise<OnlineEvaluator | undefined> {
  const { name, description, filter, inputMapping } = changes;
  const columns = {
    ...(name !== undefined && { name: toPostgresText(name) }),
    ...(description !== undefined && { description: description && toPostgresText(description) }),
    ...(filter !== undefined && { filter: toPostgresText(filter) }),
    ...(inputMapping !== undefined && { input_mapping: writeMapping(inputMapping) }),
    ...(changes.samplingRate !== undefined && { sampling_rate: changes.samplingRate }),
    ...(changes.quietMs !== undefined && { quiet_ms: changes.quietMs }),
    ...(changes.dailyCallCountMax !== undefined && { daily_call_count_max: changes.dailyCallCountMax }),
    ...(changes.dailyCostMax !== undefined && { daily_cost_max: changes.dailyCostMax }),
    ...(changes.isEnabled !== undefined && { is_enabled: changes.isEnabled }),
    ...(changes.lastSpanRowId !== undefined && { last_span_row_id: changes.lastSpanRowId }),
    ...(isRevised && { revision: sql<number>`revision + 1` }),
    updated_at: sql<Date>`now()`,
  };
  const updated = db.updateTable('online_evaluators').set(columns).where('id', '=', rowId).returning('id');
  const row = await asNameError(name ?? '', updated.executeTakeFirst());
  return row && findOnlineEvaluator(db, row.id);
}

/** Returns the deleted evaluator, whose traces the caller deletes. Undefined when there is none. */
export async function deleteOnlineEvaluator(db: Db, rowId: number): Promise<OnlineEvaluator | undefined> {
  const found = await findOnlineEvaluator(db, rowId);
  if (found) await db.deleteFrom('online_evaluators').where('id', '=', rowId).execute();
  return found;
}

async function asNameError<Result>(name: string, write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    if (!isTaken(error)) throw error;
    const message = `The project already has an online evaluator named '${name}'`;
    throw new SpandrelError('ONLINE_EVALUATOR_NAME_TAKEN', message, { cause: error });
  }
}

interface OnlineEvaluatorRow {
  readonly id: number;
  readonly project_id: number;
  readonly evaluator_id: number;
  readonly kind: EvaluatorKind;
  readonly name: string;
  readonly description: string | null;
  readonly target: OnlineEvaluator['target'];
  readonly filter: string;
  readonly input_mapping: string;
  readonly sampling_rate: number;
  readonly quiet_ms: number;
  readonly daily_call_count_max: number | null;
  readonly daily_cost_max: number | null;
  readonly is_enabled: boolean;
  readonly revision: number;
  readonly trace_project_id: number;
  readonly last_span_row_id: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly user_id: number | null;
}

const toOnlineEvaluator = (row: OnlineEvaluatorRow): OnlineEvaluator => ({
  rowId: row.id,
  projectId: row.project_id,
  evaluator: { rowId: row.evaluator_id, kind: row.kind },
  name: row.name,
  description: row.description,
  target: row.target,
  filter: row.filter,
  inputMapping: readMapping(row.input_mapping),
  samplingRate: row.sampling_rate,
  quietMs: row.quiet_ms,
  dailyCallCountMax: row.daily_call_count_max,
  dailyCostMax: row.daily_cost_max,
  isEnabled: row.is_enabled,
  revision: row.revision,
  traceProjectId: row.trace_project_id,
  lastSpanRowId: row.last_span_row_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  userId: row.user_id,
});
