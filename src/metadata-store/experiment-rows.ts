import { type BoundToDatabase, bindToDatabase } from './bind-to-database.ts';
import type { Db } from './database.ts';
import {
  listEvaluationNames,
  listIncompleteEvaluations,
  listIncompleteRuns,
  listRunRecords,
  listRuns,
  writeEvaluation,
  writeRun,
} from './experiment-runs.ts';
import {
  createExperiment,
  deleteExperiment,
  findExperiment,
  findProjectNames,
  listExperiments,
  listExperimentTags,
  tagExperiment,
  untagExperiment,
  updateExperiment,
} from './experiments.ts';

const FUNCTIONS = {
  list: listExperiments,
  find: findExperiment,
  create: createExperiment,
  update: updateExperiment,
  delete: deleteExperiment,
  findProjectNames,
  listTags: listExperimentTags,
  tag: tagExperiment,
  untag: untagExperiment,
  listRuns,
  writeRun,
  writeEvaluation,
  listIncompleteRuns,
  listIncompleteEvaluations,
  listRunRecords,
  listEvaluationNames,
};

/** The repository of experiments, each function with its database given. */
export type ExperimentRows = BoundToDatabase<typeof FUNCTIONS>;
export const experimentRows = (db: Db): ExperimentRows => bindToDatabase(db, FUNCTIONS);
