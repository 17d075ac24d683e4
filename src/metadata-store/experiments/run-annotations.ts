import { type RawBuilder, sql } from 'kysely';
import { expectPresent } from '../../base/expect-present.ts';
import type { Authored } from '../../model/access/author.ts';
import type { PersonAnnotation, PreferenceCounts, RunPreference } from '../../model/experiment-comparison.ts';
import { authorColumn } from '../access/author.ts';
import type { Db } from '../database/database.ts';
import { toPostgresText } from '../database/postgres-text.ts';

// Tables: experiment_run_annotations, experiment_run_preferences.

/** Stores an annotation, replacing one of the same run, name and author. False when there is no such run. */
export async function setRunAnnotation(
  db: Db,
  { runRowId, name, label, score, explanation, userId }: Omit<PersonAnnotation, 'isAnonymous' | 'authorName'>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into experiment_run_annotations
      (experiment_id, experiment_run_id, name, label, score, explanation, user_id, is_anonymous)
    select experiment_id, id, ${toPostgresText(name)}, ${textOrNull(label)}, ${score}::float8,
      ${textOrNull(explanation)}, ${authorColumn(userId)}, ${userId === null}
    from experiment_runs where id = ${runRowId}
    on conflict ${sameAuthor(sql`experiment_run_id, name`, userId)} do update set
      label = excluded.label, score = excluded.score, explanation = excluded.explanation, updated_at = now()
  `.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Idempotent: the author may have no such annotation. */
export async function deleteRunAnnotation(
  db: Db,
  { runRowId, name, userId }: Authored & { readonly runRowId: number; readonly name: string },
): Promise<void> {
  await sql`
    delete from experiment_run_annotations
    where experiment_run_id = ${runRowId} and name = ${toPostgresText(name)}
      and ${userId === null ? sql`is_anonymous` : sql`user_id = ${userId}`}
  `.execute(db);
}

/** Stores a preference, replacing one of the same runs and author. The runs exist and are of one example. */
export async function setRunPreference(
  db: Db,
  preference: Omit<RunPreference, 'isAnonymous' | 'authorName'> & {
    readonly experimentRowIds: readonly [number, number];
  },
): Promise<void> {
  const { exampleRowId, experimentRowIds, runRowIds, preferredRunRowId, explanation, userId } = preference;
  await sql`
    insert into experiment_run_preferences (
      dataset_example_id, first_experiment_id, second_experiment_id, first_run_id, second_run_id, preferred_run_id,
      explanation, user_id, is_anonymous
    ) values (
      ${exampleRowId}, ${experimentRowIds[0]}, ${experimentRowIds[1]}, ${runRowIds[0]}, ${runRowIds[1]},
      ${preferredRunRowId}, ${textOrNull(explanation)}, ${authorColumn(userId)}, ${userId === null}
    )
    on conflict ${sameAuthor(sql`first_run_id, second_run_id`, userId)} do update set
      preferred_run_id = excluded.preferred_run_id, explanation = excluded.explanation, updated_at = now()
  `.execute(db);
}

/** Idempotent: the author may have no preference between these runs, whose lower row id is first. */
export async function deleteRunPreference(
  db: Db,
  { runRowIds, userId }: Authored & { readonly runRowIds: readonly [number, number] },
): Promise<void> {
  await sql`
    delete from experiment_run_preferences
    where first_run_id = ${runRowIds[0]} and second_run_id = ${runRowIds[1]}
      and ${userId === null ? sql`is_anonymous` : sql`user_id = ${userId}`}
  `.execute(db);
}

/** The unique index of rows with an author, or of those without sign-in. */
const sameAuthor = (columns: RawBuilder<unknown>, userId: number | null): RawBuilder<unknown> =>
  userId === null ? sql`(${columns}) where is_anonymous` : sql`(${columns}, user_id) where user_id is not null`;

const textOrNull = (text: string | null): string | null => (text === null ? null : toPostgresText(text));

/** Annotations of people on these runs, in the order in which they arrived. */
export async function findPersonAnnotations(db: Db, runRowIds: readonly number[]): Promise<PersonAnnotation[]> {
  const { rows } = await sql<PersonAnnotation>`
    select a.experiment_run_id as "runRowId", a.name, a.label, a.score, a.explanation, a.user_id as "userId",
      a.is_anonymous as "isAnonymous", u.username as "authorName"
    from experiment_run_annotations a left join users u on u.id = a.user_id
    where a.experiment_run_id = any(${runRowIds}::bigint[]) order by a.id
  `.execute(db);
  return rows;
}

/** Preferences between runs of these experiments on these examples, in the order in which they arrived. */
export async function findRunPreferences(
  db: Db,
  experimentRowIds: readonly number[],
  exampleRowIds: readonly number[],
): Promise<RunPreference[]> {
  const { rows } = await sql<Omit<RunPreference, 'runRowIds'> & { first: number; second: number }>`
    select p.dataset_example_id as "exampleRowId", p.first_run_id as first, p.second_run_id as second,
      p.preferred_run_id as "preferredRunRowId", p.explanation, p.user_id as "userId",
      p.is_anonymous as "isAnonymous", u.username as "authorName"
    from experiment_run_preferences p left join users u on u.id = p.user_id
    where p.first_experiment_id = any(${experimentRowIds}::bigint[])
      and p.second_experiment_id = any(${experimentRowIds}::bigint[])
      and p.dataset_example_id = any(${exampleRowIds}::bigint[])
    order by p.id
  `.execute(db);
  return rows.map(({ first, second, ...preference }) => ({ ...preference, runRowIds: [first, second] as const }));
}

/** Counts the preferences between each pair of these experiments, in their order. Pairs without any are absent. */
export async function countRunPreferences(db: Db, experimentRowIds: readonly number[]): Promise<PreferenceCounts[]> {
  const { rows } = await sql<{ first: number; second: number; wins: number; losses: number; ties: number }>`
    with preferences as (
      select array_position(${experimentRowIds}::bigint[], first_experiment_id) as first,
        array_position(${experimentRowIds}::bigint[], second_experiment_id) as second,
        case preferred_run_id when first_run_id then 1 when second_run_id then -1 else 0 end as outcome
      from experiment_run_preferences
      where first_experiment_id = any(${experimentRowIds}::bigint[])
        and second_experiment_id = any(${experimentRowIds}::bigint[])
    )
    select least(first, second) as first, greatest(first, second) as second,
      count(*) filter (where outcome * sign(second - first) > 0) as wins,
      count(*) filter (where outcome * sign(second - first) < 0) as losses, count(*) filter (where outcome = 0) as ties
    from preferences group by 1, 2 order by 1, 2
  `.execute(db);
  // Positions in SQL start at 1.
  const at = (position: number) =>
    expectPresent(experimentRowIds[position - 1], 'the statement returns positions of the list');
  return rows.map(({ first, second, ...counts }) => ({
    ...counts,
    experimentRowIds: [at(first), at(second)] as const,
  }));
}
