import type { Dataset, NewDataset } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import { toGlobalId } from '../../model/global-id.ts';
import { DEFAULT_PROJECT_NAME } from '../../model/project.ts';
import type { DatasetChanges } from '../../metadata-store/datasets/datasets.ts';
import { deleteProjectsOfEvaluators } from '../evaluators/delete-evaluators.ts';
import type { Ports } from '../ports.ts';
import { deleteProject } from '../projects/delete-project.ts';
import { readName } from './upload-json.ts';

/** A dataset without versions. @throws {SpandrelError} `DATASET_NAME_TAKEN`, `DATASET_UPLOAD_INVALID` for the name */
export const createEmptyDataset = ({ datasets }: Pick<Ports, 'datasets'>, dataset: NewDataset): Promise<number> =>
  datasets.create({ ...dataset, name: readName(dataset.name, NAME_EMPTY) });

/** @throws {SpandrelError} as `createEmptyDataset`, and `DATASET_NOT_FOUND` */
export async function patchDataset(
  { datasets }: Pick<Ports, 'datasets'>,
  rowId: number,
  changes: DatasetChanges,
): Promise<void> {
  if (changes.name !== undefined) readName(changes.name, NAME_EMPTY);
  if (!(await datasets.update(rowId, changes))) datasetUnknown(rowId);
}

/**
 * Deletes a dataset with its experiments and evaluators, then the projects with the traces of those: a crash in between leaves traces,
 * which can be deleted on their own.
 *
 * @returns The dataset as it was.
 * @throws {SpandrelError} `DATASET_NOT_FOUND`
 */
export async function removeDataset(
  ports: Pick<Ports, 'datasets' | 'experiments' | 'projects' | 'writes'>,
  rowId: number,
): Promise<Dataset> {
  const dataset = await ports.datasets.find({ rowId });
  const projectNames = await ports.experiments.findProjectNames(rowId);
  const deleted = dataset && (await ports.datasets.delete(rowId));
  if (!deleted) return datasetUnknown(rowId);
  await deleteProjectsOfEvaluators(ports, deleted.projectRowIds);
  for (const name of projectNames) {
    if (name === DEFAULT_PROJECT_NAME) continue;
    const project = await ports.projects.find({ name });
    // Somebody may have deleted it before.
    if (project) await deleteProject(ports, { name });
  }
  return dataset;
}

const NAME_EMPTY = 'Dataset name cannot be empty';

export function datasetUnknown(rowId: number): never {
  throw new SpandrelError('DATASET_NOT_FOUND', `Unknown dataset: ${toGlobalId('Dataset', rowId)}`);
}
