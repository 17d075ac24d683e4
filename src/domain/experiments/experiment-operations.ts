import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { compareMetrics } from './compare-metrics.ts';
import { createExperiment } from './create-experiment.ts';
import { deleteExperiments } from './delete-experiments.ts';
import { exportExperimentCsv, exportExperimentJson } from './export-experiment.ts';
import { getExperiment } from './get-experiment.ts';
import { tagExperiment, untagExperiment } from './tag-experiment.ts';
import { setEphemeral, updateExperiment } from './update-experiment.ts';
import { writeEvaluation, writeRun } from './write-run.ts';

/** Reads that need no rule. */
const QUERIES = [
  'list',
  'find',
  'findIds',
  'findByRowIds',
  'countOfDatasets',
  'findSequenceNumbers',
  'findBaselines',
  'findProjectsOfExperiments',
  'findSplitsOfExperiments',
  'findComparedExamples',
  'findScoreRanges',
  'summarizeRuns',
  'summarizeEvaluations',
  'listTags',
  'findTags',
  'listRuns',
  'listIncompleteRuns',
  'listIncompleteEvaluations',
  'findRunIds',
  'findRunsByRowIds',
  'findRunsOfExamples',
  'findTraceIds',
  'evaluationsOfRuns',
] as const;

const OPERATIONS = {
  get: getExperiment,
  create: createExperiment,
  update: updateExperiment,
  delete: deleteExperiments,
  setEphemeral,
  tag: tagExperiment,
  untag: untagExperiment,
  writeRun,
  writeEvaluation,
  compareMetrics,
  exportJson: exportExperimentJson,
  exportCsv: exportExperimentCsv,
};

/** All operations of API layers on experiments, their tags, runs and evaluations. */
export const createExperimentOperations = (ports: Ports) => ({
  ...pick(ports.experiments, ...QUERIES),
  ...bindToPorts(ports, OPERATIONS),
});

export type ExperimentOperations = ReturnType<typeof createExperimentOperations>;
