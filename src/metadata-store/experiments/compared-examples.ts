import { sql } from 'kysely';
import type { ComparedExperiment } from '../../model/experiment-comparison.ts';
import type { Db } from '../database/database.ts';
import type { IntegerListReader } from '../database/integer-list.ts';

// Tables: experiment_examples.

/** Row ids of the examples of an experiment in ascending order, and the revision of each. */
export type ExampleColumns = Pick<ComparedExperiment, 'exampleRowIds' | 'revisionRowIds'>;

/** Which examples an experiment has. */
export interface Snapshot {
  readonly exampleCount: number;
  /** The version of the dataset of which it has all examples. Null if it has some of them. */
  readonly wholeVersionRowId: number | null;
}

/** Reads the examples of a version once for all experiments that have all of them. */
export function openExampleReads(db: Db, lists: IntegerListReader) {
  const byVersion = new Map<number, Promise<ExampleColumns>>();
  return async (experimentRowId: number, { exampleCount, wholeVersionRowId }: Snapshot): Promise<ExampleColumns> => {
    if (wholeVersionRowId === null) return readExamples(db, experimentRowId, lists);
    const reading = byVersion.get(wholeVersionRowId) ?? readExamples(db, experimentRowId, lists);
    byVersion.set(wholeVersionRowId, reading);
    const examples = await reading;
    // The experiment that was read may have been deleted.
    if (examples.exampleRowIds.length !== exampleCount) return readExamples(db, experimentRowId, lists);
    return examples;
  };
}

async function readExamples(db: Db, rowId: number, lists: IntegerListReader): Promise<ExampleColumns> {
  const { rows } = await sql<{ examples: string | null; revisions: string | null }>`
    select array_agg(dataset_example_id)::text as examples, array_agg(dataset_example_revision_id)::text as revisions
    from (
      select dataset_example_id, dataset_example_revision_id from experiment_examples
      where experiment_id = ${rowId} order by dataset_example_id
    ) examples
  `.execute(db);
  const [row] = rows;
  return { exampleRowIds: lists.read(row?.examples), revisionRowIds: lists.read(row?.revisions) };
}
