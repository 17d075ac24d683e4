import { type BoundToDatabase, bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { addCachedResponse, evictCachedResponses, findCachedResponse } from './cached-responses.ts';
import {
  addSpending,
  claimOrphans,
  findClaims,
  finishJob,
  renewClaims,
  resumeJob,
  startEvaluating,
  stopJob,
} from './claims.ts';
import { attachEvaluators, createPromptJob } from './create-job.ts';
import { countJobWork } from './job-counts.ts';
import { addJobLogs, findJobErrorIds, findJobLogs, findLastJobErrors } from './job-logs.ts';
import { findJobIdsOfDatasets, findJobs, findJobTasks } from './jobs.ts';

const FUNCTIONS = {
  find: findJobs,
  findOfDatasets: findJobIdsOfDatasets,
  findTasks: findJobTasks,
  create: createPromptJob,
  attachEvaluators,
  claimOrphans,
  renewClaims,
  findClaims,
  finish: finishJob,
  addSpending,
  stop: stopJob,
  resume: resumeJob,
  startEvaluating,
  addLogs: addJobLogs,
  findErrorIds: findJobErrorIds,
  findLastErrors: findLastJobErrors,
  findLogs: findJobLogs,
  count: countJobWork,
  findCachedResponse,
  addCachedResponse,
  evictCachedResponses,
};

/** The repository of the jobs of experiments, each function with its database bound. */
export type ExperimentJobRepository = BoundToDatabase<typeof FUNCTIONS>;
export const experimentJobRepository = (db: Db): ExperimentJobRepository => bindToDatabase(db, FUNCTIONS);
