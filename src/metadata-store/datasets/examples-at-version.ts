import { sql } from 'kysely';
import type { DatasetExample } from '../../model/dataset.ts';
import type { Page } from '../../model/page.ts';
import type { Db } from '../database/database.ts';
import { toPage } from './datasets.ts';
import { isInSplits } from './in-splits.ts';

// Tables: dataset_examples, dataset_example_revisions, dataset_split_examples.

export interface ExampleQuery {
  readonly datasetRowId: number;
  /** A version of that dataset. */
  readonly versionRowId: number;
  /** Only examples that are currently in one of these splits. */
  readonly splitRowIds?: readonly number[] | undefined;
  readonly limit: number;
  /** The first row of the page. */
  readonly fromRowId?: number | undefined;
}

/**
 * Examples at a version, lowest row id first. A page costs the same at any depth and version: the index walks examples
 * in order, and a version stores the range of their row ids, so that examples of other versions are skipped.
 */
export async function listExamples(db: Db, query: ExampleQuery): Promise<Page<DatasetExample>> {
  const { datasetRowId, versionRowId, splitRowIds, limit, fromRowId = 0 } = query;
  const version = sql`from dataset_versions where id = ${versionRowId} and dataset_id = ${datasetRowId}`;
  const { rows } = await sql<ExampleRow>`
    select e.id, e.external_id, e.span_row_id, r.id as revision_id, r.created_at,
      r.input::text as input, r.output::text as output, r.metadata::text as metadata
    from (
      select * from dataset_example_revisions r
      where r.dataset_id = ${datasetRowId}
        and r.dataset_example_id >= greatest(${fromRowId}::bigint, (select first_example_id ${version}))
        and r.dataset_example_id <= (select last_example_id ${version})
        and r.dataset_version_id <= ${versionRowId}
        and (r.until_version_id is null or r.until_version_id > ${versionRowId})
        and r.revision_kind <> 'DELETE' ${isInSplits(splitRowIds)}
      order by r.dataset_id, r.dataset_example_id
      limit ${limit + 1}
    ) r
    join dataset_examples e on e.id = r.dataset_example_id
    order by e.id
  `.execute(db);
  return toPage(rows.map(toExample), limit);
}

/** Names of the splits of these examples, sorted; an example without one is absent. */
export async function listSplitsOfExamples(
  db: Db,
  datasetRowId: number,
  exampleRowIds: readonly number[],
): Promise<Map<number, string[]>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select m.dataset_example_id as id, s.name from dataset_split_examples m
    join dataset_splits s on s.id = m.dataset_split_id
    where m.dataset_id = ${datasetRowId} and m.dataset_example_id = any(${exampleRowIds}::bigint[])
  `.execute(db);
  const names = new Map<number, string[]>();
  for (const { id, name } of rows) names.set(id, [...(names.get(id) ?? []), name]);
  for (const list of names.values()) list.sort();
  return names;
}

/** Whether any example at the version is currently in a split. */
export async function hasSplits(db: Db, datasetRowId: number, versionRowId: number): Promise<boolean> {
  const { rows } = await sql`
    select from dataset_split_examples m
    join dataset_example_revisions r on r.dataset_id = m.dataset_id and r.dataset_example_id = m.dataset_example_id
    where m.dataset_id = ${datasetRowId} and r.dataset_version_id <= ${versionRowId}
      and (r.until_version_id is null or r.until_version_id > ${versionRowId}) and r.revision_kind <> 'DELETE'
    limit 1
  `.execute(db);
  return rows.length > 0;
}

/** An example whose content differs between two versions. The content is null for a version without the example. */
export interface ExampleChange {
  readonly rowId: number;
  readonly externalId: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Differences between two versions of a dataset, lowest row id first. Contents are texts of
 * `{"input":…,"output":…,"metadata":…}`.
 */
export async function compareVersions(
  db: Db,
  query: {
    readonly datasetRowId: number;
    readonly baseRowId: number;
    readonly versionRowId: number;
    readonly limit: number;
    readonly fromRowId?: number | undefined;
  },
): Promise<Page<ExampleChange>> {
  const { datasetRowId, baseRowId, versionRowId, limit, fromRowId = 0 } = query;
  const at = (version: number) => sql`
    select dataset_example_id, content_hash,
      '{"input":' || input::text || ',"output":' || output::text || ',"metadata":' || metadata::text || '}' as content
    from dataset_example_revisions
    where dataset_id = ${datasetRowId} and dataset_example_id >= ${fromRowId} and dataset_version_id <= ${version}
      and (until_version_id is null or until_version_id > ${version}) and revision_kind <> 'DELETE'`;
  const { rows } = await sql<{ id: number; external_id: string | null; before: string | null; after: string | null }>`
    select e.id, e.external_id, b.content as before, a.content as after
    from (${at(baseRowId)}) b
    full join (${at(versionRowId)}) a using (dataset_example_id)
    join dataset_examples e on e.id = dataset_example_id
    where a.content_hash is distinct from b.content_hash
    order by e.id
    limit ${limit + 1}
  `.execute(db);
  return toPage(
    rows.map(({ id, external_id, before, after }) => ({ rowId: id, externalId: external_id, before, after })),
    limit,
  );
}

interface ExampleRow {
  readonly id: number;
  readonly external_id: string | null;
  readonly span_row_id: number | null;
  readonly revision_id: number;
  readonly created_at: Date;
  readonly input: string;
  readonly output: string;
  readonly metadata: string;
}

const toExample = (row: ExampleRow): DatasetExample => ({
  rowId: row.id,
  externalId: row.external_id,
  spanRowId: row.span_row_id,
  revisionRowId: row.revision_id,
  updatedAt: row.created_at,
  input: row.input,
  output: row.output,
  metadata: row.metadata,
});

/** Greatest row id of a span that is the source of an example. 0 when there is none. */
export async function findGreatestSpanRowId(db: Db): Promise<number> {
  const { greatest } = await db
    .selectFrom('dataset_examples')
    .select(({ fn }) => fn.max('span_row_id').as('greatest'))
    .executeTakeFirstOrThrow();
  return greatest ?? 0;
}
