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
import {
  countExamplesOfSplit,
  findSplits,
  findSplitsByRowIds,
  findSplitsOfDatasets,
  findSplitsOfExamples,
  listSplits,
} from './split-queries.ts';
import { createSplit, deleteSplits, setSplitsOfExamples, updateSplit } from './splits.ts';
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

/** The repository of datasets, each function with its database bound. */
export type DatasetRepository = BoundToDatabase<typeof FUNCTIONS>;
export const datasetRepository = (db: Db): DatasetRepository => bindToDatabase(db, FUNCTIONS);
