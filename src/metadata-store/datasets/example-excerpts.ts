import { sql } from 'kysely';
import type { ExampleExcerpt } from '../../model/example-rows.ts';
import type { Db } from '../database/database.ts';

// Tables: dataset_examples, dataset_example_revisions.

/**
 * The first characters of the content of examples at a version, in the requested order. An example that the version does
 * not have is absent.
 */
export async function findExcerpts(
  db: Db,
  query: {
    readonly datasetRowId: number;
    readonly versionRowId: number;
    readonly rowIds: readonly number[];
    /** Characters of each field. */
    readonly chars: number;
  },
): Promise<ExampleExcerpt[]> {
  const { datasetRowId, versionRowId, rowIds, chars } = query;
  const { rows } = await sql<ExampleExcerpt>`
    select e.id as "rowId", e.external_id as "externalId", e.span_row_id as "spanRowId", r.id as "revisionRowId",
      r.created_at as "updatedAt", left(r.input::text, ${chars}) as input, left(r.output::text, ${chars}) as output,
      left(r.metadata::text, ${chars}) as metadata
    from unnest(${rowIds}::bigint[]) with ordinality as wanted (id, place)
    join dataset_examples e on e.id = wanted.id and e.dataset_id = ${datasetRowId}
    join dataset_example_revisions r on r.dataset_id = ${datasetRowId} and r.dataset_example_id = wanted.id
      and r.dataset_version_id <= ${versionRowId}
      and (r.until_version_id is null or r.until_version_id > ${versionRowId}) and r.revision_kind <> 'DELETE'
    order by wanted.place
  `.execute(db);
  return rows;
}
