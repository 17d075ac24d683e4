import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { findEvaluatorOfProject } from '../evaluators/dataset-evaluators.ts';
import {
  createProject,
  findProject,
  findProjectIdsOfExperiments,
  findProjectsByRowIds,
  listProjects,
  updateProject,
} from './projects.ts';

/** Functions of projects that need no transaction, bound to a database. */
export const projectRepository = (db: Db) =>
  bindToDatabase(db, {
    list: listProjects,
    find: findProject,
    findByRowIds: findProjectsByRowIds,
    findIdsOfExperiments: findProjectIdsOfExperiments,
    create: createProject,
    update: updateProject,
    findEvaluator: findEvaluatorOfProject,
  });
