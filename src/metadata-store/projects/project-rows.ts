import type { Db } from '../database/database.ts';
import { findEvaluatorOfProject } from '../evaluators/dataset-evaluators.ts';
import { createProject, findProject, findProjectsByRowIds, listProjects, updateProject } from './projects.ts';

type Rest<Run> = Run extends (db: Db, ...rest: infer Values) => unknown ? Values : never;

/**
 * The functions of projects that need no transaction, their databases given. Lists come from `readDb`, which may be
 * behind; a project that was made a moment ago must be found.
 */
export const projectRows = ({ db, readDb }: { readonly db: Db; readonly readDb: Db }) => ({
  list: (...query: Rest<typeof listProjects>) => listProjects(readDb, ...query),
  find: (...ref: Rest<typeof findProject>) => findProject(db, ...ref),
  findByRowIds: (...rowIds: Rest<typeof findProjectsByRowIds>) => findProjectsByRowIds(db, ...rowIds),
  create: (...project: Rest<typeof createProject>) => createProject(db, ...project),
  update: (...change: Rest<typeof updateProject>) => updateProject(db, ...change),
  findEvaluator: (...rowId: Rest<typeof findEvaluatorOfProject>) => findEvaluatorOfProject(db, ...rowId),
});
