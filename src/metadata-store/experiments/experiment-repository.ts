import { type BoundToDatabase, bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { deleteStaleExperiment, setEphemeral } from './ephemeral-experiments.ts';
import {
  countExperimentsOfDatasets,
  findBaselines,
  findComparedExamples,
  findExperimentIds,
  findExperimentsByRowIds,
  findProjectsOfExperiments,
  findScoreRanges,
  findSequenceNumbers,
  findSplitsOfExperiments,
} from './experiment-queries.ts';
import {
  evaluationsOfRuns,
  listEvaluationNames,
  listIncompleteEvaluations,
  listIncompleteRuns,
  listRunRecords,
  listRuns,
} from './experiment-runs.ts';
import { summarizeEvaluations, summarizeRuns } from './experiment-summaries.ts';
import {
  createExperiment,
  deleteExperiment,
  findExperiment,
  findExperimentTags,
  findProjectNames,
  listExperiments,
  listExperimentTags,
  tagExperiment,
  untagExperiment,
  updateExperiment,
} from './experiments.ts';
import { findRunIds, findRunsByRowIds, findRunsOfExamples, findTraceIds, measureRuns } from './run-queries.ts';
import { openRunWrites, type RunWrites } from './write-runs.ts';

const FUNCTIONS = {
  list: listExperiments,
  find: findExperiment,
  create: createExperiment,
  update: updateExperiment,
  delete: deleteExperiment,
  setEphemeral,
  deleteStale: deleteStaleExperiment,
  findProjectNames,
  listTags: listExperimentTags,
  findTags: findExperimentTags,
  tag: tagExperiment,
  untag: untagExperiment,
  listRuns,
  listIncompleteRuns,
  listIncompleteEvaluations,
  listRunRecords,
  listEvaluationNames,
  findIds: findExperimentIds,
  findByRowIds: findExperimentsByRowIds,
  countOfDatasets: countExperimentsOfDatasets,
  findSequenceNumbers,
  findBaselines,
  findProjectsOfExperiments,
  findSplitsOfExperiments,
  findComparedExamples,
  findScoreRanges,
  summarizeRuns,
  summarizeEvaluations,
  findRunIds,
  findRunsByRowIds,
  findRunsOfExamples,
  findTraceIds,
  measureRuns,
  evaluationsOfRuns,
};

/** The repository of experiments, each function with its database bound. */
export type ExperimentRepository = BoundToDatabase<typeof FUNCTIONS> & RunWrites;
export const experimentRepository = (db: Db): ExperimentRepository => ({
  ...bindToDatabase(db, FUNCTIONS),
  ...openRunWrites(db),
});
