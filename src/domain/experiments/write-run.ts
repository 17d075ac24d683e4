import type { NewExperimentEvaluation, NewExperimentRun } from '../../model/experiment.ts';
import { RowError } from '../../model/row-error.ts';
import type { Ports } from '../ports.ts';
import { experimentUnknown } from './get-experiment.ts';

/**
 * Stores a run, replacing a failed run of the same example and repetition.
 *
 * @returns Its row id.
 * @throws {SpandrelError} `EXPERIMENT_NOT_FOUND`; `DATASET_EXAMPLE_NOT_FOUND` for an example that the experiment lacks;
 *   `EXPERIMENT_RUN_COMPLETE` when a run of the same example and repetition has succeeded
 */
export async function writeRun(
  { experiments }: Pick<Ports, 'experiments'>,
  experimentRowId: number,
  run: NewExperimentRun,
): Promise<number> {
  const write = await experiments.writeRun(experimentRowId, run);
  if (write.state === 'absent') {
    if (write.what === 'experiment') return experimentUnknown(experimentRowId);
    throw new RowError(
      'DATASET_EXAMPLE_NOT_FOUND',
      'DatasetExample',
      [run.exampleRowId],
      (id) => `DatasetExample with ID ${id} does not exist`,
    );
  }
  if (write.state === 'written') return write.rowId;
  throw new RowError(
    'EXPERIMENT_RUN_COMPLETE',
    'ExperimentRun',
    [write.rowId],
    (id) => `Experiment run ${id} already exists with a successful result and cannot be updated`,
  );
}

/**
 * Stores an evaluation of a run, replacing one of the same name.
 *
 * @returns Its row id.
 * @throws {SpandrelError} `EXPERIMENT_RUN_NOT_FOUND`
 */
export async function writeEvaluation(
  { experiments }: Pick<Ports, 'experiments'>,
  runRowId: number,
  evaluation: NewExperimentEvaluation,
): Promise<number> {
  const rowId = await experiments.writeEvaluation(runRowId, evaluation);
  if (rowId !== undefined) return rowId;
  throw new RowError(
    'EXPERIMENT_RUN_NOT_FOUND',
    'ExperimentRun',
    [runRowId],
    (id) => `ExperimentRun with ID ${id} does not exist`,
  );
}
