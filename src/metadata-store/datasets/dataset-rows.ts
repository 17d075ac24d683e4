import { type BoundToDatabase, bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { addExamples, deleteExamples, patchExamples } from './change-examples.ts';
import { compareVersions, hasSplits, listExamples, listSplitsOfExamples } from './dataset-examples.ts';
import {
  addLabelToDataset,
  createLabel,
  createLabelOf,
  deleteLabel,
  deleteLabels,
  findLabel,
  listLabels,
  listLabelsOfDataset,
  removeLabelFromDataset,
  setLabelsOfDataset,
  updateLabel,
} from './dataset-labels.ts';
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
} from './dataset-lists.ts';
import { createSplit, deleteSplit, findSplits, updateSplit } from './dataset-splits.ts';
import {
  deleteDataset,
  findDataset,
  findDatasetVersion,
  listDatasets,
  listDatasetVersions,
  updateDataset,
} from './datasets.ts';
import { createSplitOver, deleteSplits, patchSplit, setSplitsOfExamples } from './edit-splits.ts';
import {
  countExamples,
  findExampleByExternalId,
  findExampleIds,
  findExamplesByRowIds,
  findRevisions,
  findRevisionsAt,
  findSpansInDatasets,
} from './example-lists.ts';
import { countDatasetsOfLabels, findLabelsByRowIds, findLabelsOfDatasets, listLabelsByName } from './label-lists.ts';
import { findSplitsByRowIds, findSplitsOfDatasets, findSplitsOfExamples, listSplits } from './split-lists.ts';
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
  createSplit,
  updateSplit,
  deleteSplit,
  listLabels,
  findLabel,
  createLabel,
  updateLabel,
  deleteLabel,
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
  listSplits,
  findSplitsByRowIds,
  findSplitsOfDatasets,
  findSplitsOfExamples,
  createSplitOver,
  patchSplit,
  deleteSplits,
  setSplitsOfExamples,
  listLabelsByName,
  findLabelsByRowIds,
  findLabelsOfDatasets,
  countDatasetsOfLabels,
  createLabelOf,
  deleteLabels,
};

/** The repository of datasets, each function with its database given. */
export type DatasetRows = BoundToDatabase<typeof FUNCTIONS>;
export const datasetRows = (db: Db): DatasetRows => bindToDatabase(db, FUNCTIONS);
