import { bodyOf, type SpandrelClient } from '../client.ts';
import type { Dataset } from '../generated/api.ts';
import { ArgumentError } from '../http/errors.ts';

/** A dataset by ID or name, at a version (default: the latest one), and only examples of these splits. */
export type DatasetSelector = ({ readonly datasetId: string } | { readonly datasetName: string }) & {
  readonly versionId?: string;
  readonly splits?: readonly string[];
};

/** The row of a dataset. @throws {ArgumentError} when no dataset has the name */
export async function findDataset(
  client: SpandrelClient,
  dataset: DatasetSelector,
  signal?: AbortSignal,
): Promise<Dataset> {
  if ('datasetId' in dataset) {
    const params = { path: { id: requireIdentifier(dataset.datasetId, 'datasetId') } };
    return (await bodyOf(client.GET('/v1/datasets/{id}', { params, signal }))).data;
  }
  const name = requireIdentifier(dataset.datasetName, 'datasetName');
  const params = { query: { name, limit: 2 } };
  const { data } = await bodyOf(client.GET('/v1/datasets', { params, signal }));
  const [found] = data;
  if (!found) throw new ArgumentError(`No dataset is named "${name}". listDatasets() lists the names.`);
  return found;
}

export function requireIdentifier(value: string | undefined, what: string): string {
  if (typeof value === 'string' && value.trim()) return value;
  throw new ArgumentError(`${what} is missing.`);
}
