import { sql } from 'kysely';
import type { ComparedExperiment } from '../../model/experiment-comparison.ts';
import { COMPARED_READ_COUNT, COMPARISON_CACHE_BYTES_MAX } from '../../model/limits/comparisons.ts';
import type { Db } from '../database/database.ts';
import type { IntegerListReader } from '../database/integer-list.ts';
import { openListReader, readComparedExperiment } from './compared-experiments.ts';

// Tables: experiments, experiment_summaries, experiment_run_annotations.

export interface ComparisonReads {
  /** The numbers of these experiments. A row id that no experiment has is absent. */
  readCompared(experimentRowIds: readonly number[]): Promise<Map<number, ComparedExperiment>>;
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
      const waiting = [...versions];
      const readNext = async (): Promise<void> => {
        for (let next = waiting.shift(); next; next = waiting.shift()) found.set(next[0], await find(...next, lists));
      };
      await Promise.all(Array.from({ length: COMPARED_READ_COUNT }, readNext));
      return found;
    },
  };

  function find(rowId: number, version: string, lists: IntegerListReader): Promise<ComparedExperiment> {
    const known = entries.get(rowId);
    entries.delete(rowId);
    if (known?.version === version) {
      entries.set(rowId, known);
      return known.columns;
    }
    const entry: Entry = { version, columns: readComparedExperiment(db, rowId, lists), bytes: 0 };
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
 * A text per experiment that differs after any change of its runs, evaluations and annotations. Triggers count the changes of
 * runs and evaluations, which are many (docs/decisions/0210). Annotations of people are few: a row that is inserted or replaced
 * has a higher transaction id than before, and a deletion changes the count.
 */
async function readVersions(db: Db, rowIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; version: string }>`
    select x.id, concat_ws(':', s.change_count, (
      select concat(count(*), '-', sum(xmin::text::bigint)) from experiment_run_annotations where experiment_id = x.id
    )) as version
    from experiments x join experiment_summaries s on s.experiment_id = x.id
    where x.id = any(${rowIds}::bigint[])
  `.execute(db);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

function bytesOf({ exampleRowIds, runs, scores, personScores, disagreements }: ComparedExperiment): number {
  // Two columns of examples; three columns of doubles, one of integers and one of bytes of runs; two columns of their costs, which
  // the domain keeps with them.
  let bytes = 16 * exampleRowIds.length + 45 * runs.count + runs.traceIds.length;
  for (const column of [...scores.values(), ...personScores.values()]) bytes += column.values.byteLength;
  for (const column of disagreements.values()) bytes += column.byteLength;
  return bytes;
}
