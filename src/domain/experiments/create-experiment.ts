import { randomBytes } from 'node:crypto';
import type { Dataset, DatasetVersion } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Experiment } from '../../model/experiment.ts';
import { toGlobalId } from '../../model/global-id.ts';
import { resolveSplits } from '../datasets/resolve-splits.ts';
import type { Ports } from '../ports.ts';

export interface ExperimentRequest {
  readonly dataset: Dataset;
  /** Of the dataset. */
  readonly version: DatasetVersion;
  /** Absent: made from the dataset's. */
  readonly name: string | null;
  readonly description: string | null;
  /** A JSON object's text. */
  readonly metadata: string;
  readonly repetitions: number;
  /** Global IDs or names; empty: all examples. */
  readonly splits: readonly string[];
}

/**
 * Makes an experiment on the examples that the version holds (and that are now in the splits), and the project that takes
 * its traces. What happens to the dataset afterwards does not change it.
 *
 * @throws {SpandrelError} `DATASET_SPLIT_NOT_FOUND`; `DATASET_NOT_FOUND` when the dataset goes meanwhile
 */
export async function createExperiment(
  ports: Pick<Ports, 'datasets' | 'experiments'>,
  { dataset, version, name, splits, ...rest }: ExperimentRequest,
): Promise<Experiment> {
  const datasetId = toGlobalId('Dataset', dataset.rowId);
  const versionId = toGlobalId('DatasetVersion', version.rowId);
  const experiment = await ports.experiments.create({
    ...rest,
    datasetRowId: dataset.rowId,
    datasetVersionRowId: version.rowId,
    name: name || madeName(dataset.name),
    projectName: `Experiment-${randomBytes(12).toString('hex')}`,
    projectDescription: `dataset_id: ${datasetId}\ndataset_version_id: ${versionId}`,
    splitRowIds: (await resolveSplits(ports, splits)).map(({ rowId }) => rowId),
  });
  if (experiment) return experiment;
  throw new SpandrelError('DATASET_NOT_FOUND', `Dataset with ID ${datasetId} does not exist`);
}

const madeName = (datasetName: string): string =>
  `${Array.from(datasetName).slice(0, 8).join('').replaceAll(' ', '-')}-${randomBytes(4).toString('hex')}`;
