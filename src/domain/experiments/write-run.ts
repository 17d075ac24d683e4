import { expectPresent } from '../../base/expect-present.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { NewExperimentEvaluation, NewExperimentRun } from '../../model/experiment.ts';
import { RowError } from '../../model/row-error.ts';
import type { Ports } from '../ports.ts';
import { experimentUnknown } from './get-experiment.ts';

type RunPorts = Pick<Ports, 'experiments'>;

/**
 * Stores a run, replacing a failed run of the same example and repetition.
 *
 * @returns Its row id.
 * @throws {SpandrelError} `EXPERIMENT_NOT_FOUND`; `DATASET_EXAMPLE_NOT_FOUND` for an example that the experiment lacks;
 *   `EXPERIMENT_RUN_COMPLETE` when a run of the same example and repetition has succeeded
 */
export async function writeRun(ports: RunPorts, experimentRowId: number, run: NewExperimentRun): Promise<number> {
  const [outcome] = await writeRuns(ports, experimentRowId, [run]);
  return rowIdOf(outcome);
}

/**
 * Stores runs of one experiment, each like `writeRun`. A run that is rejected does not stop the others. Runs of the same example
 * and repetition are stored in order.
 *
 * @returns The row id of each, or the error that rejected it.
 * @throws {SpandrelError} `EXPERIMENT_NOT_FOUND`; `STORE_UNAVAILABLE`, with an unknown number of stored runs
 */
export async function writeRuns(
  { experiments }: RunPorts,
  experimentRowId: number,
  runs: readonly NewExperimentRun[],
): Promise<(number | SpandrelError)[]> {
  // The repository combines them into few statements.
  const writes = await Promise.allSettled(runs.map((run) => experiments.writeRun(experimentRowId, run)));
  return writes.map((settled, index) => {
    if (settled.status === 'rejected') return rejectionOf(settled.reason);
    const write = settled.value;
    if (write.state !== 'absent') return write.state === 'written' ? write.rowId : runComplete(write.rowId);
    if (write.what === 'experiment') return experimentUnknown(experimentRowId);
    return exampleUnknown(expectPresent(runs[index], 'each run has a write').exampleRowId);
  });
}

const exampleUnknown = (rowId: number) =>
  new RowError(
    'DATASET_EXAMPLE_NOT_FOUND',
    'DatasetExample',
    [rowId],
    (id) => `DatasetExample with ID ${id} does not exist`,
  );

const runComplete = (rowId: number) =>
  new RowError(
    'EXPERIMENT_RUN_COMPLETE',
    'ExperimentRun',
    [rowId],
    (id) => `Experiment run ${id} already exists with a successful result and cannot be updated`,
  );

function rowIdOf(outcome: number | SpandrelError | undefined): number {
  if (outcome instanceof SpandrelError) throw outcome;
  return expectPresent(outcome, 'each write has an outcome');
}

/** An error of the database is one of all items, and an unexpected error is thrown on. */
function rejectionOf(reason: unknown): SpandrelError {
  if (reason instanceof SpandrelError && reason.kind !== 'overloaded') return reason;
  throw reason;
}

/** An evaluation, and the run that it evaluates. */
export interface EvaluationOfRun {
  readonly runRowId: number;
  readonly evaluation: NewExperimentEvaluation;
}

/**
 * Stores an evaluation of a run, replacing one of the same name.
 *
 * @returns Its row id.
 * @throws {SpandrelError} `EXPERIMENT_RUN_NOT_FOUND`
 */
export async function writeEvaluation(
  ports: RunPorts,
  runRowId: number,
  evaluation: NewExperimentEvaluation,
): Promise<number> {
  const [outcome] = await writeEvaluations(ports, [{ runRowId, evaluation }]);
  return rowIdOf(outcome);
}

/**
 * Stores evaluations, each like `writeEvaluation`. One that is rejected does not stop the others. Those of the same run and name
 * are stored in order.
 *
 * @returns The row id of each, or the error that rejected it.
 * @throws {SpandrelError} `STORE_UNAVAILABLE`, with an unknown number of stored evaluations
 */
export async function writeEvaluations(
  { experiments }: RunPorts,
  evaluations: readonly EvaluationOfRun[],
): Promise<(number | SpandrelError)[]> {
  const writes = await Promise.allSettled(
    evaluations.map(({ runRowId, evaluation }) => experiments.writeEvaluation(runRowId, evaluation)),
  );
  return writes.map((settled, index) => {
    if (settled.status === 'rejected') return rejectionOf(settled.reason);
    return settled.value ?? runUnknown(expectPresent(evaluations[index], 'each evaluation has a write').runRowId);
  });
}

const runUnknown = (rowId: number) =>
  new RowError(
    'EXPERIMENT_RUN_NOT_FOUND',
    'ExperimentRun',
    [rowId],
    (id) => `ExperimentRun with ID ${id} does not exist`,
  );
