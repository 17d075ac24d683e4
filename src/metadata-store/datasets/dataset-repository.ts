import { type BoundToDatabase, bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { addExamples, deleteExamples, patchExamples } from './change-examples.ts';
import {
  countDatasets,
  createDataset,
  findChangeTimes,
  findDatasetIds,
  findDatasetsByRowIds,
  findLatestChangeTime,
  findLatestVersionIds,
  findVersionIdsOfDatasets,
  findVersionsByRowIds,
} from './dataset-queries.ts';
import {
  deleteDataset,
  findDataset,
  findDatasetVersion,
  listDatasets,
  listDatasetVersions,
  updateDataset,
} from './datasets.ts';
import { countChanges, listChanges } from './diff-versions.ts';
import { findExcerpts } from './example-excerpts.ts';
import { type ExampleIndexReads, openExampleIndex } from './example-index.ts';
import {
  countExamples,
  findExampleByExternalId,
  findExampleIds,
  findExamplesByRowIds,
  findRevisions,
  findRevisionsAt,
  findSpansInDatasets,
} from './example-queries.ts';
import { compareVersions, hasSplits, listExamples, listSplitsOfExamples } from './examples-at-version.ts';
import { countDatasetsOfLabels, findLabelsByRowIds, findLabelsOfDatasets, listLabelsByName } from './label-queries.ts';
import {
  addLabelToDataset,
  createLabel,
  deleteLabels,
  findLabel,
  listLabels,
  listLabelsOfDataset,
  removeLabelFromDataset,
  setLabelsOfDataset,
  updateLabel,
} from './labels.ts';
import { restoreVersion } from './restore-version.ts';
import { saveExamples } from './save-examples.ts';
import {
  countExamplesOfSplit,
  findSplits,
  findSplitsByRowIds,
  findSplitsOfDatasets,
  findSplitsOfExamples,
  listSplits,
} from './split-queries.ts';
import { changeSplitsOfExamples, createSplit, deleteSplits, setSplitsOfExamples, updateSplit } from './splits.ts';
import { uploadExamples } from './upload-examples.ts';

const FUNCTIONS = {
  list: listDatasets,
  find: findDataset,
  update: updateDataset,
  delete: deleteDataset,
  upload: uploadExamples,
  listVersions: listDatasetVersions,
  findVersion: findDatasetVersion,
  compareVersions,
  listExamples,
  listSplitsOfExamples,
  hasSplits,
  findSplits,
  countExamplesOfSplit,
  createSplit,
  updateSplit,
  listLabels,
  findLabel,
  createLabel,
  updateLabel,
  listLabelsOfDataset,
  addLabelToDataset,
  removeLabelFromDataset,
  setLabelsOfDataset,
  findIds: findDatasetIds,
  count: countDatasets,
  findByRowIds: findDatasetsByRowIds,
  findChangeTimes,
  findLatestChangeTime,
  findLatestVersionIds,
  create: createDataset,
  findVersionsByRowIds,
  findVersionIdsOfDatasets,
  findExampleIds,
  countExamples,
  findExamplesByRowIds,
  findExampleByExternalId,
  findRevisions,
  findRevisionsAt,
  findSpansInDatasets,
  addExamples,
  patchExamples,
  deleteExamples,
  saveExamples,
  restoreVersion,
  changeSplitsOfExamples,
  findExcerpts,
  countChanges,
  listChanges,
  listSplits,
  findSplitsByRowIds,
  findSplitsOfDatasets,
  findSplitsOfExamples,
  deleteSplits,
  setSplitsOfExamples,
  listLabelsByName,
  findLabelsByRowIds,
  findLabelsOfDatasets,
  countDatasetsOfLabels,
  deleteLabels,
};

/** Functions that change which examples are in a split. */
const SPLIT_CHANGES = [
  'upload',
  'createSplit',
  'updateSplit',
  'deleteSplits',
  'setSplitsOfExamples',
  'changeSplitsOfExamples',
] as const;

/** The repository of datasets, each function with its database bound. */
export type DatasetRepository = BoundToDatabase<typeof FUNCTIONS> & ExampleIndexReads;

export function datasetRepository(db: Db): DatasetRepository {
  const functions = bindToDatabase(db, FUNCTIONS);
  const index = openExampleIndex(db);
  const dropping = SPLIT_CHANGES.map((name) => {
    const change: (...parameters: never[]) => Promise<unknown> = functions[name];
    return [name, (...parameters: never[]) => change(...parameters).finally(() => index.dropSplitLists())] as const;
  });
  return { ...functions, ...index, ...Object.fromEntries(dropping) };
}
