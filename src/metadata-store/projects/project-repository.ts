import type { Db } from '../database/database.ts';
import { findEvaluatorOfProject } from '../evaluators/dataset-evaluators.ts';
import { createProject, findProject, findProjectsByRowIds, listProjects, updateProject } from './projects.ts';

type Rest<Run> = Run extends (db: Db, ...rest: infer Values) => unknown ? Values : never;

/**
 * Functions of projects that need no transaction, bound to their databases. Lists come from `readDb`, which may lag behind;
 * `find` must return a project that was just created.
 */
export const projectRepository = ({ db, readDb }: { readonly db: Db; readonly readDb: Db }) => ({
  list: (...query: Rest<typeof listProjects>) => listProjects(readDb, ...query),
  find: (...ref: Rest<typeof findProject>) => findProject(db, ...ref),
  findByRowIds: (...rowIds: Rest<typeof findProjectsByRowIds>) => findProjectsByRowIds(db, ...rowIds),
  create: (...project: Rest<typeof createProject>) => createProject(db, ...project),
  update: (...change: Rest<typeof updateProject>) => updateProject(db, ...change),
  findEvaluator: (...rowId: Rest<typeof findEvaluatorOfProject>) => findEvaluatorOfProject(db, ...rowId),
});
