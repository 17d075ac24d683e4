import { sql } from 'kysely';
import type { ComparedExperiment } from '../../model/experiment-comparison.ts';
import { COMPARED_READ_COUNT, COMPARISON_CACHE_BYTES_MAX } from '../../model/limits/comparisons.ts';
import type { Db } from '../database/database.ts';
import { openExampleReads, type Snapshot } from './compared-examples.ts';
import { openListReader, readComparedExperiment } from './compared-experiments.ts';

// Tables: experiments, experiment_summaries, experiment_run_annotations, dataset_versions.

export interface ComparisonReads {
  /** The numbers of these experiments. A row id that no experiment has is absent. */
  readCompared(experimentRowIds: readonly number[]): Promise<Map<number, ComparedExperiment>>;
}

interface Version extends Snapshot {
  /** Differs after any change of the runs, evaluations and annotations of the experiment. */
  readonly version: string;
}

interface Entry {
  readonly version: string;
  readonly columns: Promise<ComparedExperiment>;
  bytes: number;
}

/**
 * Keeps the columns of experiments that people compare, because every window of rows needs them all. Each read asks the
 * database for the versions of the experiments first, so that a change by another server is seen.
 */
export function openComparisonReads(db: Db): ComparisonReads {
  /** The least recently used experiment is first. */
  const entries = new Map<number, Entry>();
  return {
    async readCompared(experimentRowIds) {
      const versions = await readVersions(db, experimentRowIds);
      const found = new Map<number, ComparedExperiment>();
      const lists = openListReader();
      const readExamples = openExampleReads(db, lists);
      const read = async (rowId: number, snapshot: Snapshot): Promise<ComparedExperiment> =>
        readComparedExperiment(db, rowId, await readExamples(rowId, snapshot), lists);
      const waiting = [...versions];
      const readNext = async (): Promise<void> => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          const [rowId, { version, ...snapshot }] = next;
          found.set(rowId, await find(rowId, version, () => read(rowId, snapshot)));
        }
      };
      await Promise.all(Array.from({ length: COMPARED_READ_COUNT }, readNext));
      return found;
    },
  };

  function find(rowId: number, version: string, read: () => Promise<ComparedExperiment>): Promise<ComparedExperiment> {
    const known = entries.get(rowId);
    entries.delete(rowId);
    if (known?.version === version) {
      entries.set(rowId, known);
      return known.columns;
    }
    const entry: Entry = { version, columns: read(), bytes: 0 };
    entries.set(rowId, entry);
    entry.columns.then(
      (columns) => {
        entry.bytes = bytesOf(columns);
        evict();
      },
      () => {
        if (entries.get(rowId) === entry) entries.delete(rowId);
      },
    );
    return entry.columns;
  }

  function evict(): void {
    let bytes = 0;
    for (const entry of entries.values()) bytes += entry.bytes;
    for (const [rowId, entry] of entries) {
      if (bytes <= COMPARISON_CACHE_BYTES_MAX) return;
      entries.delete(rowId);
      bytes -= entry.bytes;
    }
  }
}

/**
 * Triggers count the changes of runs and evaluations, which are many (docs/decisions/experiment-comparisons.md). Annotations of
 * people are few: a row that is inserted or replaced has a higher transaction id than before, and a deletion changes the count.
 */
async function readVersions(db: Db, rowIds: readonly number[]): Promise<Map<number, Version>> {
  const { rows } = await sql<Version & { readonly id: number }>`
    select x.id, concat_ws(':', s.change_count, (
      select concat(count(*), '-', sum(xmin::text::bigint)) from experiment_run_annotations where experiment_id = x.id
    )) as version, x.example_count as "exampleCount",
      case when x.example_count = v.example_count then v.id end as "wholeVersionRowId"
    from experiments x join experiment_summaries s on s.experiment_id = x.id
    left join dataset_versions v on v.id = x.dataset_version_id
    where x.id = any(${rowIds}::bigint[])
  `.execute(db);
  return new Map(rows.map(({ id, ...version }) => [id, version]));
}

function bytesOf({ exampleRowIds, runs, scores, personScores, disagreements }: ComparedExperiment): number {
  // Two columns of examples; three columns of doubles, one of integers and one of bytes of runs; two columns of their costs, which
  // the domain keeps with them.
  let bytes = 16 * exampleRowIds.length + 45 * runs.count + runs.traceIds.length;
  for (const column of [...scores.values(), ...personScores.values()]) bytes += column.values.byteLength;
  for (const column of disagreements.values()) bytes += column.byteLength;
  return bytes;
}
