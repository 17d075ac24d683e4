import { authorOf } from '../../model/access/caller.ts';
import type { DatasetVersion, VersionNote } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { ExampleChangeKind, VersionPair } from '../../model/example-rows.ts';
import type { Ports } from '../ports.ts';

/** Number of examples by the kind of their difference between two versions. */
export type VersionDiffCounts = Readonly<Record<ExampleChangeKind | 'unchanged', number>>;

/** @throws {SpandrelError} `DATASET_VERSION_NOT_FOUND` */
export async function getVersion(
  { datasets }: Pick<Ports, 'datasets'>,
  datasetRowId: number,
  versionRowId: number,
): Promise<DatasetVersion> {
  const version = await datasets.findVersion(datasetRowId, versionRowId);
  if (version) return version;
  throw new SpandrelError('DATASET_VERSION_NOT_FOUND', 'The version does not exist in this dataset.');
}

export async function countVersionChanges(
  { datasets }: Pick<Ports, 'datasets'>,
  pair: VersionPair,
): Promise<VersionDiffCounts> {
  const counts = await datasets.countChanges(pair);
  const [added, changed, removed] = (['added', 'changed', 'removed'] as const).map((kind) => counts.get(kind) ?? 0) as [
    number,
    number,
    number,
  ];
  return { added, changed, removed, unchanged: pair.base.exampleCount - changed - removed };
}

/**
 * Creates a version with the examples of an earlier one.
 *
 * @returns The row id of the new version.
 * @throws {SpandrelError} `DATASET_VERSION_NOT_FOUND`; `QUERY_INVALID` if nothing would change
 */
export async function restoreVersion(
  ports: Pick<Ports, 'datasets' | 'caller'>,
  datasetRowId: number,
  versionRowId: number,
  note: VersionNote,
): Promise<number> {
  const version = await getVersion(ports, datasetRowId, versionRowId);
  return ports.datasets.restoreVersion(datasetRowId, version, { ...note, userId: authorOf(ports.caller) });
}
