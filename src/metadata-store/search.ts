import { type RawBuilder, sql } from 'kysely';
import { expectPresent } from '../base/expect-present.ts';
import type { ProjectScope } from '../model/projects/project-member.ts';
import type { ResourceMatches } from '../model/resource-matches.ts';
import type { Db } from './database/database.ts';
import { toPostgresText } from './database/postgres-text.ts';

// Tables: projects, datasets, experiments, prompts, and the labels of datasets and prompts.

/**
 * Finds resources with a text in their name or description, ignoring case: names first, then by last change. Projects of
 * experiments and of evaluators, ephemeral experiments, and projects outside the scope are left out, as in lists.
 */
export async function searchResources(
  db: Db,
  {
    text,
    limitPerKind,
    withLabels = false,
    projects,
  }: {
    readonly text: string;
    readonly limitPerKind: number;
    readonly withLabels?: boolean | undefined;
    readonly projects?: ProjectScope | undefined;
  },
): Promise<ResourceMatches> {
  const part = toPostgresText(text);
  const find = (table: string, isListed: RawBuilder<unknown>, hasLabel = sql<boolean>`false`) => sql<
    number[]
  >`to_json(array(
    select id from ${sql.table(table)} r, lateral (select position(lower(${part}) in lower(name)) > 0 as in_name) n
    where (in_name or position(lower(${part}) in lower(description)) > 0 or ${hasLabel}) and ${isListed}
    order by in_name desc, updated_at desc, id desc limit ${limitPerKind}
  ))`;
  const all = sql<boolean>`true`;
  const byLabel = (links: string, labels: string, owner: string, label: string) =>
    withLabels
      ? sql<boolean>`exists (
          select from ${sql.table(links)} k join ${sql.table(labels)} l on l.id = k.${sql.ref(label)}
          where k.${sql.ref(owner)} = r.id and position(lower(${part}) in lower(l.name)) > 0
        )`
      : sql<boolean>`false`;
  const isShown = projects
    ? 'only' in projects
      ? sql`id = any(${projects.only}::bigint[])`
      : sql`id <> all(${projects.except}::bigint[])`
    : all;
  const { rows } = await sql<ResourceMatches>`select
    ${find(
      'projects',
      sql`not exists (select from experiments x where x.project_name = r.name)
        and not exists (select from dataset_evaluators d where d.project_id = r.id)
        and not exists (select from online_evaluators o where o.trace_project_id = r.id) and ${isShown}`,
    )} as projects,
    ${find('datasets', all, byLabel('datasets_dataset_labels', 'dataset_labels', 'dataset_id', 'dataset_label_id'))} as datasets,
    ${find('experiments', sql`not is_ephemeral`)} as experiments,
    ${find('prompts', all, byLabel('prompts_prompt_labels', 'prompt_labels', 'prompt_id', 'prompt_label_id'))} as prompts
  `.execute(db);
  return expectPresent(rows[0], 'a query without a table returns one row');
}
