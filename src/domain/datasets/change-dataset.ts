import { authorOf } from '../../model/access/caller.ts';
import type { Dataset, DatasetChanges, NewDataset } from '../../model/dataset.ts';
import { DEFAULT_PROJECT_NAME } from '../../model/projects/project.ts';
import { RowError } from '../../model/row-error.ts';
import { dropJobs } from '../experiments/jobs/toggle-job.ts';
import { type AuditParts, recorded } from '../access/audit.ts';
import { deleteProjectsOfEvaluators } from '../evaluators/delete-evaluators.ts';
import type { Ports } from '../ports.ts';
import { deleteProject } from '../projects/delete-project.ts';
import { readName } from './upload-json.ts';

/**
 * Creates a dataset without versions. A name is stored as given.
 *
 * @throws {SpandrelError} `DATASET_NAME_TAKEN`; `DATASET_UPLOAD_INVALID` for a name that is empty or too long
 */
export async function createDataset(
  { datasets, caller }: Pick<Ports, 'datasets' | 'caller'>,
  dataset: NewDataset,
): Promise<number> {
  return datasets.create({ ...dataset, name: readName(dataset.name, NAME_EMPTY), userId: authorOf(caller) });
}

/** @throws {SpandrelError} like `createDataset`, and `DATASET_NOT_FOUND` */
export async function updateDataset(
  { datasets }: Pick<Ports, 'datasets'>,
  rowId: number,
  changes: DatasetChanges,
): Promise<void> {
  if (changes.name !== undefined) readName(changes.name, NAME_EMPTY);
  if (!(await datasets.update(rowId, changes))) datasetUnknown(rowId);
}

/**
 * Deletes a dataset with its versions, examples, experiments and evaluators.
 *
 * `withProjects` also deletes the projects with the traces of its experiments and evaluators: the GraphQL contract
 * deletes them, and the REST contract keeps them. They are deleted after the dataset, so a crash in between leaves
 * traces, which can be deleted separately.
 *
 * @returns The dataset as it was.
 * @throws {SpandrelError} `DATASET_NOT_FOUND`
 */
export async function deleteDataset(
  ports: Pick<
    Ports,
    'datasets' | 'experiments' | 'experimentJobs' | 'jobRunner' | 'projects' | 'onlineEvaluators' | 'writes'
  > &
    AuditParts,
  rowId: number,
  { withProjects }: { readonly withProjects: boolean },
): Promise<Dataset> {
  const dataset = await ports.datasets.find({ rowId });
  const projectNames = withProjects ? await ports.experiments.findProjectNames(rowId) : [];
  if (dataset === undefined) return datasetUnknown(rowId);
  // Calls in flight would create the deleted projects again.
  await dropJobs(ports, (await ports.experimentJobs.findOfDatasets([rowId])).get(rowId) ?? []);
  const deleted = await recorded(ports, async ({ datasets }) => {
    const result = await datasets.delete(rowId);
    const target = { kind: 'Dataset', id: String(rowId), name: dataset.name };
    return { result, entry: result && { action: 'dataset.delete', outcome: 'DONE', target } };
  });
  if (!deleted) return datasetUnknown(rowId);
  if (!withProjects) return dataset;
  await deleteProjectsOfEvaluators(ports, deleted.projectRowIds);
  for (const name of projectNames) {
    if (name === DEFAULT_PROJECT_NAME) continue;
    const project = await ports.projects.find({ name });
    // Another request may have deleted it.
    if (project) await deleteProject(ports, { rowId: project.rowId });
  }
  return dataset;
}

const NAME_EMPTY = 'Dataset name cannot be empty';

export function datasetUnknown(rowId: number): never {
  throw new RowError('DATASET_NOT_FOUND', 'Dataset', [rowId], (id) => `Unknown dataset: ${id}`);
}
