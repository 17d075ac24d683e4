import type {
  Dataset,
  DatasetLabel,
  DatasetSplit,
  DatasetVersion,
  ExampleRevision,
  ExampleRow,
} from '../../model/dataset.ts';
import type { Domain } from '../../domain/domain.ts';
import { BatchLoader } from './batch-loader.ts';

/** Keys are row ids, of what the loader is named after. */
export interface DatasetLoaders {
  readonly datasets: BatchLoader<number, Dataset>;
  readonly changeTimesOfDatasets: BatchLoader<number, Date>;
  readonly datasetVersions: BatchLoader<number, DatasetVersion>;
  readonly latestVersionsOfDatasets: BatchLoader<number, number>;
  /** Newest first. */
  readonly versionIdsOfDatasets: BatchLoader<number, number[]>;
  readonly examples: BatchLoader<number, ExampleRow>;
  readonly exampleRevisions: BatchLoader<number, ExampleRevision>;
  /** Keys: `revisionKey`. */
  readonly revisionsOfExamples: BatchLoader<string, ExampleRevision>;
  readonly datasetSplits: BatchLoader<number, DatasetSplit>;
  readonly splitsOfDatasets: BatchLoader<number, DatasetSplit[]>;
  readonly splitsOfExamples: BatchLoader<number, DatasetSplit[]>;
  readonly datasetLabels: BatchLoader<number, DatasetLabel>;
  readonly labelsOfDatasets: BatchLoader<number, DatasetLabel[]>;
  readonly datasetCountsOfLabels: BatchLoader<number, number>;
  readonly spansInDatasets: BatchLoader<number, true>;
}

/** An example at a version, or as it is now. */
export const revisionKey = (exampleRowId: number, versionRowId?: number): string =>
  `${exampleRowId}:${versionRowId ?? ''}`;

/** Contents may be long. */
const REVISION_COUNT_MAX = 200;

export function createDatasetLoaders(datasets: Domain['datasets']): DatasetLoaders {
  return {
    datasets: new BatchLoader((rowIds) => datasets.findByRowIds(rowIds)),
    changeTimesOfDatasets: new BatchLoader((rowIds) => datasets.findChangeTimes(rowIds)),
    datasetVersions: new BatchLoader((rowIds) => datasets.findVersionsByRowIds(rowIds)),
    latestVersionsOfDatasets: new BatchLoader((rowIds) => datasets.findLatestVersionIds(rowIds)),
    versionIdsOfDatasets: new BatchLoader((rowIds) => datasets.findVersionIdsOfDatasets(rowIds)),
    examples: new BatchLoader((rowIds) => datasets.findExamplesByRowIds(rowIds)),
    exampleRevisions: new BatchLoader((rowIds) => datasets.findRevisions(rowIds), REVISION_COUNT_MAX),
    revisionsOfExamples: new BatchLoader(async (keys) => {
      const revisions = await datasets.findRevisionsAt(keys.map(parseRevisionKey));
      return new Map(revisions.flatMap((revision, index) => (revision ? [[keys[index]!, revision]] : [])));
    }, REVISION_COUNT_MAX),
    datasetSplits: new BatchLoader((rowIds) => datasets.findSplitsByRowIds(rowIds)),
    splitsOfDatasets: new BatchLoader((rowIds) => datasets.findSplitsOfDatasets(rowIds)),
    splitsOfExamples: new BatchLoader((rowIds) => datasets.findSplitsOfExamples(rowIds)),
    datasetLabels: new BatchLoader((rowIds) => datasets.findLabelsByRowIds(rowIds)),
    labelsOfDatasets: new BatchLoader((rowIds) => datasets.findLabelsOfDatasets(rowIds)),
    datasetCountsOfLabels: new BatchLoader((rowIds) => datasets.countDatasetsOfLabels(rowIds)),
    spansInDatasets: new BatchLoader((rowIds) => datasets.findSpansInDatasets(rowIds)),
  };
}

function parseRevisionKey(key: string) {
  const [example = '', version = ''] = key.split(':');
  return { exampleRowId: Number(example), versionRowId: version === '' ? undefined : Number(version) };
}
