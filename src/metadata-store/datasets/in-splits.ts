import { type RawBuilder, sql } from 'kysely';

// Table: dataset_split_examples.

/**
 * Condition on rows `r` of `dataset_example_revisions`: the example is currently in one of the splits. Nothing for undefined.
 *
 * `offset 0` keeps a search of the index for each example. Before the tables have statistics, right after an upload, the planner
 * would compare each example with each row of the splits.
 */
export const isInSplits = (splitRowIds: readonly number[] | undefined): RawBuilder<unknown> =>
  splitRowIds
    ? sql`and exists (
        select from dataset_split_examples s
        where s.dataset_id = r.dataset_id and s.dataset_example_id = r.dataset_example_id
          and s.dataset_split_id = any(${splitRowIds}::bigint[])
        offset 0
      )`
    : sql``;
