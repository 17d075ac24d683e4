import { sql } from 'kysely';
import type { ComparedExample, ComparedRun } from '../../model/experiment-comparison.ts';
import {
  COMPARISON_OUTPUT_CHARS_MAX,
  COMPARISON_TEXT_CHARS_MAX,
  METADATA_GROUP_COUNT_MAX,
  METADATA_KEY_COUNT_MAX,
  METADATA_KEY_EXAMPLE_COUNT_MAX,
} from '../../model/limits/comparisons.ts';
import type { RunFilter } from '../../filter/runs/run-filter.ts';
import type { Db } from '../database/database.ts';
import { readIntegerList } from '../database/integer-list.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import { runFilterToSql } from './run-filter-to-sql.ts';

// Tables: experiment_examples, dataset_examples, dataset_example_revisions, dataset_split_examples, experiment_runs.

/** A JSON text of this length has at least as many characters as are shown: an escape has at most 6. */
const JSON_CHARS = 6 * COMPARISON_TEXT_CHARS_MAX + 1;

/** Texts of these examples of an experiment. */
export async function findComparedTexts(
  db: Db,
  experimentRowId: number,
  exampleRowIds: readonly number[],
): Promise<Map<number, ComparedExample>> {
  const { rows } = await sql<ComparedExample>`
    select s.dataset_example_id as "exampleRowId", e.external_id as "externalId",
      left(r.input::text, ${JSON_CHARS}) as input, left(r.output::text, ${JSON_CHARS}) as output
    from experiment_examples s
    join dataset_example_revisions r on r.id = s.dataset_example_revision_id
    left join dataset_examples e on e.id = s.dataset_example_id
    where s.experiment_id = ${experimentRowId} and s.dataset_example_id = any(${exampleRowIds}::bigint[])
  `.execute(db);
  return new Map(rows.map((row) => [row.exampleRowId, row]));
}

/** Runs of these examples in these experiments by experiment, example and repetition. */
export async function findComparedRuns(
  db: Db,
  experimentRowIds: readonly number[],
  exampleRowIds: readonly number[],
): Promise<ComparedRun[]> {
  const { rows } = await sql<ComparedRun>`
    select id as "rowId", experiment_id as "experimentRowId", dataset_example_id as "exampleRowId",
      repetition_number as "repetitionNumber", left(output::text, ${COMPARISON_OUTPUT_CHARS_MAX}) as output,
      left(error, ${COMPARISON_TEXT_CHARS_MAX + 1}) as error, trace_id as "traceId",
      (extract(epoch from end_time - start_time) * 1000)::float8 as "latencyMs"
    from experiment_runs
    where experiment_id = any(${experimentRowIds}::bigint[]) and dataset_example_id = any(${exampleRowIds}::bigint[])
    order by experiment_id, dataset_example_id, repetition_number
  `.execute(db);
  return rows;
}

/** Row ids of the examples that are in one of the splits now, in ascending order. */
export async function findExamplesOfSplits(
  db: Db,
  datasetRowId: number,
  splitRowIds: readonly number[],
): Promise<{ readonly splitRowId: number; readonly name: string; readonly exampleRowIds: Float64Array }[]> {
  const isNamed = splitRowIds.length > 0 ? sql`and m.dataset_split_id = any(${splitRowIds}::bigint[])` : sql``;
  const { rows } = await sql<{ splitRowId: number; name: string; ids: string }>`
    select p.id as "splitRowId", p.name, array_agg(m.dataset_example_id)::text as ids
    from dataset_split_examples m join dataset_splits p on p.id = m.dataset_split_id
    where m.dataset_id = ${datasetRowId} ${isNamed} group by p.id, p.name order by p.name
  `.execute(db);
  return rows.map(({ ids, ...split }) => ({ ...split, exampleRowIds: readIntegerList(ids) }));
}

/** Names of the splits of these examples, by row id of the example. An example without splits is absent. */
export async function findSplitNames(
  db: Db,
  datasetRowId: number,
  exampleRowIds: readonly number[],
): Promise<Map<number, string[]>> {
  const { rows } = await sql<{ id: number; names: string[] }>`
    select m.dataset_example_id as id, array_agg(p.name order by p.name) as names
    from dataset_split_examples m join dataset_splits p on p.id = m.dataset_split_id
    where m.dataset_id = ${datasetRowId} and m.dataset_example_id = any(${exampleRowIds}::bigint[])
    group by m.dataset_example_id
  `.execute(db);
  return new Map(rows.map(({ id, names }) => [id, names]));
}

/** Row ids of the examples of the first experiment whose texts or runs contain a text, and that match a filter. */
export async function searchComparedExamples(
  db: Db,
  experimentRowIds: readonly number[],
  { text, filter }: { readonly text?: string | undefined; readonly filter?: RunFilter | undefined },
): Promise<Float64Array> {
  const wanted = text && toPostgresText(text);
  const holds = (json: string) => sql`position(lower(${wanted}) in lower(${sql.raw(json)})) > 0`;
  const holdsText = wanted
    ? sql`and (${holds('r.input::text')} or ${holds('r.output::text')} or exists (
        select from experiment_runs n where n.experiment_id = any(${experimentRowIds}::bigint[])
          and n.dataset_example_id = s.dataset_example_id and (${holds('n.output::text')} or ${holds('n.error')})
      ))`
    : sql``;
  const matches = filter ? sql`and ${runFilterToSql(filter, experimentRowIds)}` : sql``;
  const { rows } = await sql<{ ids: string | null }>`
    select array_agg(s.dataset_example_id)::text as ids
    from experiment_examples s join dataset_example_revisions r on r.id = s.dataset_example_revision_id
    where s.experiment_id = ${experimentRowIds[0]} ${holdsText} ${matches}
  `.execute(db);
  return readIntegerList(rows[0]?.ids);
}

/** Keys of metadata of the first examples of an experiment whose values are texts, numbers or booleans. */
export async function findMetadataKeys(db: Db, experimentRowId: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from (
      select r.metadata from (
        -- Postgres takes the conditions on metadata for rare ones, and would test all examples before it takes the first ones.
        select dataset_example_revision_id from experiment_examples where experiment_id = ${experimentRowId}
        order by dataset_example_id limit ${METADATA_KEY_EXAMPLE_COUNT_MAX}
      ) s
      join dataset_example_revisions r on r.id = s.dataset_example_revision_id
      where json_typeof(r.metadata) = 'object' and position('\\u' in r.metadata::text) = 0
    ) examples cross join json_each(examples.metadata) as pair
    where json_typeof(pair.value) in ('string', 'number', 'boolean')
    group by key order by key limit ${METADATA_KEY_COUNT_MAX}
  `.execute(db);
  return rows.map(({ key }) => key);
}

/** Examples of an experiment by the value of a key of their metadata, the most frequent value first. */
export async function findMetadataGroups(
  db: Db,
  experimentRowId: number,
  key: string,
): Promise<{ readonly name: string; readonly exampleRowIds: Float64Array }[]> {
  const { rows } = await sql<{ name: string; ids: string }>`
    select left(name, 200) as name, array_agg(id)::text as ids from (
      select s.dataset_example_id as id, r.metadata ->> ${toPostgresText(key)} as name from experiment_examples s
      join dataset_example_revisions r on r.id = s.dataset_example_revision_id
      where s.experiment_id = ${experimentRowId} and json_typeof(r.metadata) = 'object'
        and position('\\u' in r.metadata::text) = 0
        and json_typeof(r.metadata -> ${toPostgresText(key)}) in ('string', 'number', 'boolean')
    ) examples
    group by 1 order by count(*) desc, 1 limit ${METADATA_GROUP_COUNT_MAX + 1}
  `.execute(db);
  return rows.map(({ name, ids }) => ({ name, exampleRowIds: readIntegerList(ids) }));
}
