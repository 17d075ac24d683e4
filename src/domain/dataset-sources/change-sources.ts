import { authorOf } from '../../model/access/caller.ts';
import type { DatasetSource, NewDatasetSource } from '../../model/dataset-source.ts';
import { SpandrelError } from '../../model/errors.ts';
import { DATASET_SOURCE_COUNT_MAX } from '../../model/limits/datasets.ts';
import { SAVED_VIEW_NAME_LENGTH_MAX } from '../../model/limits/reads.ts';
import { RowError } from '../../model/row-error.ts';
import { parseSpanFilter } from '../../filter/spans/parse-span-filter.ts';
import { datasetUnknown } from '../datasets/change-dataset.ts';
import type { Ports } from '../ports.ts';
import { getProject } from '../projects/get-project.ts';
import { findLastSpan } from '../spans/find-last-span.ts';
import { checkSplitNames } from './add-spans.ts';
import { checkSpanMapping } from './map-span.ts';

/** A new source. With `isFromNow`, only spans that arrive later are new matches. */
export interface SourceRequest extends Omit<NewDatasetSource, 'lastSpanRowId'> {
  readonly isFromNow: boolean;
}

/**
 * Saves a filter as a source of a dataset.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`, `DATASET_NOT_FOUND`, `FILTER_INVALID`, `QUERY_INVALID`,
 *   `DATASET_SOURCE_NAME_TAKEN`
 */
export async function createSource(
  ports: Pick<Ports, 'datasetSources' | 'projects' | 'spans' | 'caller'>,
  { isFromNow, ...request }: SourceRequest,
): Promise<DatasetSource> {
  const name = request.name.trim();
  if (name === '') reject('A source needs a name');
  if (name.length > SAVED_VIEW_NAME_LENGTH_MAX) reject(`A name has at most ${SAVED_VIEW_NAME_LENGTH_MAX} characters`);
  parseSpanFilter(request.filter);
  checkSpanMapping(request.mapping);
  const splitNames = checkSplitNames(request.splitNames);
  await getProject(ports, { rowId: request.projectId });
  const others = await ports.datasetSources.list({ datasetRowId: request.datasetRowId });
  if (others.length >= DATASET_SOURCE_COUNT_MAX) reject(`A dataset has at most ${DATASET_SOURCE_COUNT_MAX} sources`);
  const lastSpanRowId = isFromNow ? await findLastSpan(ports, request.projectId) : 0;
  const created = await ports.datasetSources.create({
    ...request,
    name,
    splitNames,
    lastSpanRowId,
    userId: authorOf(ports.caller),
  });
  return created ?? datasetUnknown(request.datasetRowId);
}

/** Deletes a source. Its examples stay. @throws {SpandrelError} `DATASET_SOURCE_NOT_FOUND` */
export async function deleteSource(
  { datasetSources }: Pick<Ports, 'datasetSources'>,
  rowId: number,
): Promise<DatasetSource> {
  return (await datasetSources.delete(rowId)) ?? sourceUnknown(rowId);
}

export function sourceUnknown(rowId: number): never {
  const describe = (id: string) => `DatasetSource with ID ${id} not found`;
  throw new RowError('DATASET_SOURCE_NOT_FOUND', 'DatasetSource', [rowId], describe);
}

const reject = (message: string): never => {
  throw new SpandrelError('QUERY_INVALID', message);
};
