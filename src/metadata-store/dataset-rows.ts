import { type BoundToDatabase, bindToDatabase } from './bind-to-database.ts';
import type { Db } from './database.ts';
import { compareVersions, hasSplits, listExamples, listSplitsOfExamples } from './dataset-examples.ts';
import {
  addLabelToDataset,
  createLabel,
  deleteLabel,
  findLabel,
  listLabels,
  listLabelsOfDataset,
  removeLabelFromDataset,
  setLabelsOfDataset,
  updateLabel,
} from './dataset-labels.ts';
import { createSplit, deleteSplit, findSplits, updateSplit } from './dataset-splits.ts';
import {
  deleteDataset,
  findDataset,
  findDatasetVersion,
  listDatasets,
  listDatasetVersions,
  updateDataset,
} from './datasets.ts';
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
};

/** The repository of datasets, each function with its database given. */
export type DatasetRows = BoundToDatabase<typeof FUNCTIONS>;
export const datasetRows = (db: Db): DatasetRows => bindToDatabase(db, FUNCTIONS);
