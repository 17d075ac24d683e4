import { type RawBuilder, sql } from 'kysely';
import { expectPresent } from '../base/expect-present.ts';
import type { ProjectScope } from '../model/projects/project-member.ts';
import type { ResourceMatches } from '../model/resource-matches.ts';
import type { Db } from './database/database.ts';
import { toPostgresText } from './database/postgres-text.ts';

// Tables: projects, datasets, experiments, prompts.

/**
 * Finds resources with a text in their name or description, ignoring case: names first, then by last change. Projects of
 * experiments and of evaluators, ephemeral experiments, and projects outside the scope are left out, as in lists.
 */
export async function searchResources(
  db: Db,
  {
    text,
    limitPerKind,
    projects,
  }: { readonly text: string; readonly limitPerKind: number; readonly projects?: ProjectScope | undefined },
): Promise<ResourceMatches> {
  const part = toPostgresText(text);
  const find = (table: string, isListed: RawBuilder<boolean>) => sql<number[]>`to_json(array(
    select id from ${sql.table(table)} r, lateral (select position(lower(${part}) in lower(name)) > 0 as in_name) n
    where (in_name or position(lower(${part}) in lower(description)) > 0) and ${isListed}
    order by in_name desc, updated_at desc, id desc limit ${limitPerKind}
  ))`;
  const all = sql<boolean>`true`;
  const isShown = projects
    ? 'only' in projects
      ? sql`id = any(${projects.only}::bigint[])`
      : sql`id <> all(${projects.except}::bigint[])`
    : all;
  const { rows } = await sql<ResourceMatches>`select
    ${find(
      'projects',
      sql`not exists (select from experiments x where x.project_name = r.name)
        and not exists (select from dataset_evaluators d where d.project_id = r.id) and ${isShown}`,
    )} as projects,
    ${find('datasets', all)} as datasets,
    ${find('experiments', sql`not is_ephemeral`)} as experiments,
    ${find('prompts', all)} as prompts
  `.execute(db);
  return expectPresent(rows[0], 'a query without a table returns one row');
}
