import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { addExamples, addSpans } from './add-examples.ts';
import { createDataset, deleteDataset, updateDataset } from './change-dataset.ts';
import { deleteExamples, patchExamples } from './change-examples.ts';
import { addLabel, createLabel, deleteLabels, removeLabel, setLabels, updateLabel } from './change-labels.ts';
import { createSplit, deleteSplits, setSplitsOfExamples, updateSplit } from './change-splits.ts';
import { exportCsv, exportJsonLines, exportOpenAiEvals, exportOpenAiFineTuning } from './export-examples.ts';
import { getDataset } from './get-dataset.ts';
import { readExamples } from './read-examples.ts';
import { resolveSplits } from './resolve-splits.ts';
import { uploadFile } from './upload-file.ts';
import { uploadJson } from './upload-json.ts';
import { uploadSpans } from './upload-spans.ts';

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
  readExamples,
  addExamples,
  addSpans,
  patchExamples,
  deleteExamples,
  exportCsv,
  exportJsonLines,
  exportOpenAiFineTuning,
  exportOpenAiEvals,
  resolveSplits,
  createSplit,
  updateSplit,
  deleteSplits,
  setSplitsOfExamples,
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
