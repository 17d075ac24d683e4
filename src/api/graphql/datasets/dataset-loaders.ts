import { expectPresent } from '../../../base/expect-present.ts';
import type {
  Dataset,
  DatasetLabel,
  DatasetSplit,
  DatasetVersion,
  ExampleRevision,
  ExampleRow,
} from '../../../model/dataset.ts';
import type { Domain } from '../../../domain/domain.ts';
import type { BatchLoader, NewLoader } from '../execution/batch-loader.ts';

/** Keys are row ids of the loader's noun. */
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

/** An example at a version, or its current state. */
export const revisionKey = (exampleRowId: number, versionRowId?: number): string =>
  `${exampleRowId}:${versionRowId ?? ''}`;

/** Contents may be long. */
const REVISION_COUNT_MAX = 200;

export function createDatasetLoaders(newLoader: NewLoader, datasets: Domain['datasets']): DatasetLoaders {
  return {
    datasets: newLoader((rowIds) => datasets.findByRowIds(rowIds)),
    changeTimesOfDatasets: newLoader((rowIds) => datasets.findChangeTimes(rowIds)),
    datasetVersions: newLoader((rowIds) => datasets.findVersionsByRowIds(rowIds)),
    latestVersionsOfDatasets: newLoader((rowIds) => datasets.findLatestVersionIds(rowIds)),
    versionIdsOfDatasets: newLoader((rowIds) => datasets.findVersionIdsOfDatasets(rowIds)),
    examples: newLoader((rowIds) => datasets.findExamplesByRowIds(rowIds)),
    exampleRevisions: newLoader((rowIds) => datasets.findRevisions(rowIds), REVISION_COUNT_MAX),
    revisionsOfExamples: newLoader(async (keys) => {
      const revisions = await datasets.findRevisionsAt(keys.map(parseRevisionKey));
      return new Map(
        revisions.flatMap((revision, index) =>
          revision ? [[expectPresent(keys[index], 'each key has a result'), revision]] : [],
        ),
      );
    }, REVISION_COUNT_MAX),
    datasetSplits: newLoader((rowIds) => datasets.findSplitsByRowIds(rowIds)),
    splitsOfDatasets: newLoader((rowIds) => datasets.findSplitsOfDatasets(rowIds)),
    splitsOfExamples: newLoader((rowIds) => datasets.findSplitsOfExamples(rowIds)),
    datasetLabels: newLoader((rowIds) => datasets.findLabelsByRowIds(rowIds)),
    labelsOfDatasets: newLoader((rowIds) => datasets.findLabelsOfDatasets(rowIds)),
    datasetCountsOfLabels: newLoader((rowIds) => datasets.countDatasetsOfLabels(rowIds)),
    spansInDatasets: newLoader((rowIds) => datasets.findSpansInDatasets(rowIds)),
  };
}

function parseRevisionKey(key: string) {
  const [example = '', version = ''] = key.split(':');
  return { exampleRowId: Number(example), versionRowId: version === '' ? undefined : Number(version) };
}
