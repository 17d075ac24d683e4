import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { addExamples, addSpans } from './add-examples.ts';
import { createDataset, deleteDataset, updateDataset } from './change-dataset.ts';
import { deleteExamples, patchExamples } from './change-examples.ts';
import { addLabel, createLabel, deleteLabels, removeLabel, setLabels, updateLabel } from './change-labels.ts';
import {
  changeSplitsOfExamples,
  createSplit,
  deleteSplits,
  setSplitsOfExamples,
  updateSplit,
} from './change-splits.ts';
import { countVersionChanges, getVersion, restoreVersion } from './dataset-versions.ts';
import { listExampleIds, listExampleKeys, readExampleRows } from './examples/example-rows.ts';
import { saveExamples } from './examples/save-examples.ts';
import { exportCsv, exportJsonLines, exportOpenAiEvals, exportOpenAiFineTuning } from './export-examples.ts';
import { getDataset } from './get-dataset.ts';
import { previewParquet } from './preview-parquet.ts';
import { readExamples } from './read-examples.ts';
import { resolveSplits } from './resolve-splits.ts';
import { uploadFile } from './upload-file.ts';
import { uploadJson } from './upload-json.ts';
import { uploadSpans } from './upload-spans.ts';
import { findUpload, startUpload } from './upload-states.ts';
import { uploadTable } from './upload-table.ts';

/** Reads that need no rule. */
const QUERIES = [
  'list',
  'find',
  'findIds',
  'count',
  'findByRowIds',
  'findChangeTimes',
  'findLatestChangeTime',
  'listVersions',
  'findVersion',
  'compareVersions',
  'findLatestVersionIds',
  'findVersionsByRowIds',
  'findVersionIdsOfDatasets',
  'listExamples',
  'findExampleIds',
  'countExamples',
  'findExamplesByRowIds',
  'findExampleByExternalId',
  'findRevisions',
  'findRevisionsAt',
  'findSpansInDatasets',
  'findExampleOffset',
  'listChanges',
  'listSplits',
  'findSplitsByRowIds',
  'findSplitsOfDatasets',
  'findSplitsOfExamples',
  'countExamplesOfSplit',
  'listLabels',
  'listLabelsByName',
  'listLabelsOfDataset',
  'findLabel',
  'findLabelsByRowIds',
  'findLabelsOfDatasets',
  'countDatasetsOfLabels',
] as const;

const OPERATIONS = {
  get: getDataset,
  create: createDataset,
  update: updateDataset,
  delete: deleteDataset,
  uploadJson,
  uploadFile,
  uploadSpans,
  uploadTable,
  startUpload,
  findUpload,
  previewParquet,
  readExamples,
  addExamples,
  addSpans,
  patchExamples,
  deleteExamples,
  saveExamples,
  readExampleRows,
  listExampleIds,
  listExampleKeys,
  getVersion,
  countVersionChanges,
  restoreVersion,
  exportCsv,
  exportJsonLines,
  exportOpenAiFineTuning,
  exportOpenAiEvals,
  resolveSplits,
  createSplit,
  updateSplit,
  deleteSplits,
  setSplitsOfExamples,
  changeSplitsOfExamples,
  createLabel,
  updateLabel,
  deleteLabels,
  addLabel,
  removeLabel,
  setLabels,
};

/** All operations of API layers on datasets, their examples, splits and labels. */
export const createDatasetOperations = (ports: Ports) => ({
  ...pick(ports.datasets, ...QUERIES),
  ...bindToPorts(ports, OPERATIONS),
});

export type DatasetOperations = ReturnType<typeof createDatasetOperations>;
