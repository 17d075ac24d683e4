import { type RawBuilder, sql } from 'kysely';
import type { ChangedExample, ExampleChangeKind, VersionPair } from '../../model/example-rows.ts';
import type { Page } from '../../model/page.ts';
import type { Db } from '../database/database.ts';
import { toPage } from './datasets.ts';

// Tables: dataset_examples, dataset_example_revisions.

/** Number of examples that differ between two versions, by kind. A kind without examples is absent. */
export async function countChanges(db: Db, pair: VersionPair): Promise<Map<ExampleChangeKind, number>> {
  const { rows } = await sql<{ kind: ExampleChangeKind; count: number }>`
    select kind, count(*) as count from ${changesBetween(pair)} changes where kind is not null group by kind
  `.execute(db);
  return new Map(rows.map(({ kind, count }) => [kind, count]));
}

/** Examples that differ between two versions, lowest row id first. */
export async function listChanges(
  db: Db,
  pair: VersionPair,
  query: {
    readonly kinds: readonly ExampleChangeKind[];
    readonly limit: number;
    readonly fromRowId?: number | undefined;
  },
): Promise<Page<ChangedExample>> {
  const { kinds, limit, fromRowId = 0 } = query;
  const { rows } = await sql<ChangedExample>`
    select e.id as "rowId", e.external_id as "externalId", c.kind,
      array_remove(array[
        case when b.input::text is distinct from a.input::text then 'input' end,
        case when b.output::text is distinct from a.output::text then 'output' end,
        case when b.metadata::text is distinct from a.metadata::text then 'metadata' end
      ], null) as fields
    from (
      select * from ${changesBetween(pair, fromRowId)} c
      where kind = any(${kinds}::text[]) order by example_id limit ${limit + 1}
    ) c
    join dataset_examples e on e.id = c.example_id
    left join dataset_example_revisions b on b.id = c.base_revision_id
    left join dataset_example_revisions a on a.id = c.revision_id
    order by e.id
  `.execute(db);
  return toPage(rows, limit);
}

/**
 * Examples with a revision between the versions, which may be in either order: `example_id`, the revisions at both, and
 * the kind of the change. The kind is null for an example that was changed back.
 */
function changesBetween({ base, version }: VersionPair, fromRowId = 0): RawBuilder<unknown> {
  const [low, high] = [Math.min(base.rowId, version.rowId), Math.max(base.rowId, version.rowId)];
  const joined = (name: RawBuilder<unknown>, rowId: number) => sql`
    left join dataset_example_revisions ${name} on ${name}.dataset_id = ${base.datasetRowId}::bigint
      and ${name}.dataset_example_id = t.example_id and ${name}.dataset_version_id <= ${rowId}
      and (${name}.until_version_id is null or ${name}.until_version_id > ${rowId})
      and ${name}.revision_kind <> 'DELETE'`;
  return sql`(
    select t.example_id, b.id as base_revision_id, a.id as revision_id,
      case when b.id is null and a.id is not null then 'added'
        when b.id is not null and a.id is null then 'removed'
        when b.content_hash <> a.content_hash then 'changed' end as kind
    from (
      select distinct dataset_example_id as example_id from dataset_example_revisions
      where dataset_id = ${base.datasetRowId} and dataset_version_id > ${low} and dataset_version_id <= ${high}
        and dataset_example_id >= ${fromRowId}
    ) t ${joined(sql`b`, base.rowId)} ${joined(sql`a`, version.rowId)}
  )`;
}
