import { findJobProgress } from './jobs/job-progress.ts';
import { startEvaluations } from './jobs/start-evaluations.ts';
import { streamOverDataset } from './jobs/stream-over-dataset.ts';
import { resumeJob, stopJob } from './jobs/toggle-job.ts';
import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { annotateRun, deleteRunAnnotation, deleteRunPreference, preferRun } from './annotate-run.ts';
import { compareMetrics } from './compare-metrics.ts';
import { exportComparisonCsv } from './comparison/export-comparison.ts';
import { listComparedRows } from './comparison/list-rows.ts';
import { reportComparison } from './comparison/report-comparison.ts';
import { summarizeComparison } from './comparison/summarize-comparison.ts';
import { createExperiment } from './create-experiment.ts';
import { deleteExperiments } from './delete-experiments.ts';
import { exportExperimentCsv, exportExperimentJson } from './export-experiment.ts';
import { getExperiment } from './get-experiment.ts';
import { addNote, deleteNote, editNote } from './note-experiment.ts';
import { findPersonAnnotationsOfRuns } from './person-annotations.ts';
import { tagExperiment, untagExperiment } from './tag-experiment.ts';
import { setEphemeral, updateExperiment } from './update-experiment.ts';
import { writeEvaluation, writeEvaluations, writeRun, writeRuns } from './write-run.ts';

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
  'summarize',
  'groupByMetadata',
  'listMetadataKeys',
  'listErrors',
  'findNotesOfExperiments',
  'findNotes',
  'findTagsOfExperiments',
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
  'findEvaluations',
] as const;

const OPERATIONS = {
  get: getExperiment,
  create: createExperiment,
  update: updateExperiment,
  delete: deleteExperiments,
  setEphemeral,
  tag: tagExperiment,
  untag: untagExperiment,
  addNote,
  editNote,
  deleteNote,
  writeRun,
  writeRuns,
  writeEvaluation,
  writeEvaluations,
  compareMetrics,
  annotateRun,
  deleteRunAnnotation,
  preferRun,
  deleteRunPreference,
  findPersonAnnotationsOfRuns,
  listComparedRows,
  summarizeComparison,
  reportComparison,
  exportComparisonCsv,
  streamOverDataset,
  stopJob,
  resumeJob,
  startEvaluations,
  findJobProgress,
  exportJson: exportExperimentJson,
  exportCsv: exportExperimentCsv,
};

/** Reads of jobs that need no rule. */
const jobQueries = ({ experimentJobs }: Pick<Ports, 'experimentJobs'>) => ({
  findJobs: experimentJobs.find,
  findJobsOfDatasets: experimentJobs.findOfDatasets,
  findJobTasks: experimentJobs.findTasks,
  findJobErrorIds: experimentJobs.findErrorIds,
  findLastJobErrors: experimentJobs.findLastErrors,
  findJobLogs: experimentJobs.findLogs,
});

/** All operations of API layers on experiments, their jobs, tags, runs and evaluations. */
export const createExperimentOperations = (ports: Ports) => ({
  ...pick(ports.experiments, ...QUERIES),
  ...jobQueries(ports),
  ...bindToPorts(ports, OPERATIONS),
});

export type ExperimentOperations = ReturnType<typeof createExperimentOperations>;
