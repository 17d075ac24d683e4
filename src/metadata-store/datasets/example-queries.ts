import { type RawBuilder, sql } from 'kysely';
import { expectPresent } from '../../base/expect-present.ts';
import type { ExampleAtVersion, ExampleRevision, ExampleRow } from '../../model/dataset.ts';
import type { Db } from '../database/database.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import { isInSplits } from './in-splits.ts';

// Tables: dataset_examples, dataset_example_revisions.

export interface ExampleListQuery {
  readonly datasetRowId: number;
  /** A version of that dataset. */
  readonly versionRowId: number;
  /** Only examples that are currently in one of these splits. */
  readonly splitRowIds?: readonly number[] | undefined;
  readonly rowIds?: readonly number[] | undefined;
  /** Part of the text of input, output or metadata. Case is ignored. */
  readonly textContains?: string | undefined;
}

/** Row ids of the examples at a version after the given row id, lowest first. */
export async function findExampleIds(
  db: Db,
  query: ExampleListQuery & { readonly afterRowId: number; readonly limit: number },
): Promise<ExampleAtVersion[]> {
  const { rows } = await sql<ExampleAtVersion>`
    select r.dataset_example_id as "rowId", r.id as "revisionRowId" ${examplesAt(query)}
      and r.dataset_example_id > ${query.afterRowId}
    order by r.dataset_id, r.dataset_example_id limit ${query.limit}
  `.execute(db);
  return rows;
}

export async function countExamples(db: Db, query: ExampleListQuery): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count ${examplesAt(query)}`.execute(db);
  return expectPresent(rows[0], 'an aggregate returns one row').count;
}

export function examplesAt(query: ExampleListQuery): RawBuilder<unknown> {
  const { datasetRowId, versionRowId, splitRowIds, rowIds, textContains } = query;
  const version = sql`from dataset_versions where id = ${versionRowId} and dataset_id = ${datasetRowId}`;
  const isNamed = rowIds ? sql`and r.dataset_example_id = any(${rowIds}::bigint[])` : sql``;
  const text = textContains && toPostgresText(textContains);
  const holdsText = text
    ? sql`and (position(lower(${text}) in lower(r.input::text)) > 0
        or position(lower(${text}) in lower(r.output::text)) > 0
        or position(lower(${text}) in lower(r.metadata::text)) > 0)`
    : sql``;
  return sql`
    from dataset_example_revisions r
    where r.dataset_id = ${datasetRowId}
      and r.dataset_example_id between (select first_example_id ${version}) and (select last_example_id ${version})
      and r.dataset_version_id <= ${versionRowId}
      and (r.until_version_id is null or r.until_version_id > ${versionRowId})
      and r.revision_kind <> 'DELETE' ${isInSplits(splitRowIds)} ${isNamed} ${holdsText}`;
}

/** A row id that no example has is absent. */
export async function findExamplesByRowIds(db: Db, rowIds: readonly number[]): Promise<Map<number, ExampleRow>> {
  const { rows } = await sql<ExampleRow>`${SELECT_EXAMPLE} where id = any(${rowIds}::bigint[])`.execute(db);
  return new Map(rows.map((row) => [row.rowId, row]));
}

export async function findExampleByExternalId(
  db: Db,
  datasetRowId: number,
  externalId: string,
): Promise<ExampleRow | undefined> {
  const { rows } = await sql<ExampleRow>`
    ${SELECT_EXAMPLE} e where dataset_id = ${datasetRowId} and external_id = ${toPostgresText(externalId)} and exists (
      select from dataset_example_revisions r where r.dataset_id = e.dataset_id and r.dataset_example_id = e.id
        and r.until_version_id is null and r.revision_kind <> 'DELETE'
    )
  `.execute(db);
  return rows[0];
}

/** A row id that no revision has is absent. */
export async function findRevisions(db: Db, rowIds: readonly number[]): Promise<Map<number, ExampleRevision>> {
  const { rows } = await sql<ExampleRevision>`
    select ${REVISION_COLUMNS} from dataset_example_revisions r where r.id = any(${rowIds}::bigint[])
  `.execute(db);
  return new Map(rows.map((row) => [row.rowId, row]));
}

/** Content of each example at a version, by default now, in the requested order. Undefined before its creation. */
export async function findRevisionsAt(
  db: Db,
  keys: readonly { readonly exampleRowId: number; readonly versionRowId?: number | undefined }[],
): Promise<(ExampleRevision | undefined)[]> {
  const { rows } = await sql<ExampleRevision & { place: number }>`
    select wanted.place, ${REVISION_COLUMNS}
    from unnest(
      ${keys.map(({ exampleRowId }) => exampleRowId)}::bigint[],
      ${keys.map(({ versionRowId }) => versionRowId ?? null)}::bigint[]
    ) with ordinality as wanted (example_id, version_id, place)
    join dataset_examples e on e.id = wanted.example_id
    left join dataset_versions v on v.id = wanted.version_id and v.dataset_id = e.dataset_id
    join dataset_example_revisions r on r.dataset_id = e.dataset_id and r.dataset_example_id = e.id
    where case when wanted.version_id is null then r.until_version_id is null
      else r.dataset_version_id <= v.id and (r.until_version_id is null or r.until_version_id > v.id) end
  `.execute(db);
  const found = new Map(rows.map(({ place, ...revision }) => [place, revision]));
  return keys.map((_, index) => found.get(index + 1));
}

/** Finds the given spans that an example of a dataset's latest version was created from. */
export async function findSpansInDatasets(db: Db, spanRowIds: readonly number[]): Promise<Map<number, true>> {
  const { rows } = await sql<{ id: number }>`
    select distinct e.span_row_id as id
    from dataset_examples e
    join dataset_example_revisions r on r.dataset_id = e.dataset_id and r.dataset_example_id = e.id
      and r.until_version_id is null and r.revision_kind <> 'DELETE'
    where e.span_row_id = any(${spanRowIds}::bigint[])
  `.execute(db);
  return new Map(rows.map(({ id }) => [id, true]));
}

const SELECT_EXAMPLE = sql`select id as "rowId", dataset_id as "datasetRowId", external_id as "externalId",
  span_row_id as "spanRowId", created_at as "createdAt" from dataset_examples`;
const REVISION_COLUMNS = sql`r.id as "rowId", r.revision_kind as kind, r.created_at as "createdAt",
  r.input::text as input, r.output::text as output, r.metadata::text as metadata`;
