import { randomBytes } from 'node:crypto';
import { authorOf } from '../../model/access/caller.ts';
import type { Dataset, DatasetVersion, RowIdOrName } from '../../model/dataset.ts';
import type { Experiment } from '../../model/experiment.ts';
import { RowError } from '../../model/row-error.ts';
import { resolveSplits } from '../datasets/resolve-splits.ts';
import type { Ports } from '../ports.ts';
import { newTraceProjectName } from '../projects/trace-project-name.ts';

export interface ExperimentRequest {
  readonly dataset: Dataset;
  /** Version of the dataset. */
  readonly version: DatasetVersion;
  /** Null or empty for a name derived from the dataset's. */
  readonly name: string | null;
  readonly description: string | null;
  /** Text of a JSON object. */
  readonly metadata: string;
  readonly repetitions: number;
  /** Empty: all examples. */
  readonly splits: readonly RowIdOrName[];
  /** Description of the project that stores the traces of its runs. */
  readonly projectDescription: string;
}

/**
 * Creates an experiment on the examples of the version (that are currently in the splits), and the project of its
 * traces. Later changes of the dataset do not affect it.
 *
 * @throws {SpandrelError} `DATASET_SPLIT_NOT_FOUND`; `DATASET_NOT_FOUND` when the dataset is deleted while this runs
 */
export async function createExperiment(
  ports: Pick<Ports, 'datasets' | 'experiments' | 'caller'>,
  { dataset, version, name, splits, ...rest }: ExperimentRequest,
): Promise<Experiment> {
  const experiment = await ports.experiments.create({
    ...rest,
    userId: authorOf(ports.caller),
    datasetRowId: dataset.rowId,
    datasetVersionRowId: version.rowId,
    name: name || madeName(dataset.name),
    projectName: newTraceProjectName('Experiment'),
    splitRowIds: (await resolveSplits(ports, splits)).map(({ rowId }) => rowId),
  });
  if (experiment) return experiment;
  throw new RowError('DATASET_NOT_FOUND', 'Dataset', [dataset.rowId], (id) => `Dataset with ID ${id} does not exist`);
}

const madeName = (datasetName: string): string =>
  `${Array.from(datasetName).slice(0, 8).join('').replaceAll(' ', '-')}-${randomBytes(4).toString('hex')}`;
