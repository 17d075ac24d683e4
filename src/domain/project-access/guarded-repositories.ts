import type { DatasetRepository } from '../../metadata-store/datasets/dataset-repository.ts';
import type { AnnotationConfigRepository } from '../annotation-configs/annotation-config-repository.ts';
import type { RecomputationRepository } from '../costs/recomputation-repository.ts';
import type { ProjectRef, ProjectRepository } from '../projects/project-repository.ts';
import type { RetentionPolicyRepository } from '../retention/retention-policy-repository.ts';
import type { SavedViewRepository } from '../views/saved-view-repository.ts';
import { type ProjectAccess, projectNameDenied } from './project-access.ts';
import type { VisibleRows } from './visible-rows.ts';

// Repositories as a caller sees them: rows of hidden projects do not exist.

/** No project has this row id. */
const NO_PROJECT = -1;

const shownIds = (access: ProjectAccess, projectIds: readonly number[]): readonly number[] =>
  access.reachesAll ? projectIds : projectIds.filter((projectId) => access.canRead(projectId));

/** The project, or one that does not exist when it is hidden. */
const shownId = (access: ProjectAccess, projectId: number): number =>
  access.reachesAll || access.canRead(projectId) ? projectId : NO_PROJECT;

/** The same for a write. @throws {SpandrelError} `ACCESS_DENIED` when the caller may only read the project */
function writableId(access: ProjectAccess, projectId: number): number {
  if (access.reachesAll) return projectId;
  if (!access.canRead(projectId)) return NO_PROJECT;
  access.check(projectId, 'EDITOR');
  return projectId;
}

export const guardedProjects = (repository: ProjectRepository, access: ProjectAccess): ProjectRepository => ({
  list: (query) => repository.list(access.reachesAll ? query : { ...query, scope: access.scope }),
  async find(ref: ProjectRef) {
    const project = await repository.find(ref);
    return project && shownId(access, project.rowId) === project.rowId ? project : undefined;
  },
  findByRowIds: (rowIds) => repository.findByRowIds(shownIds(access, rowIds)),
  async create(project) {
    // The name of a private project is taken, which the answer says: names are unique.
    if (access.isLimitedToNames && !access.canSendTo(project.name)) throw projectNameDenied();
    return repository.create(project);
  },
  update: async (rowId, changes) => repository.update(writableId(access, rowId), changes),
  findEvaluator: (rowId) => repository.findEvaluator(shownId(access, rowId)),
});

/** Datasets are in no project. The spans from which their examples come may be. */
export const guardedDatasets = (repository: DatasetRepository, rows: VisibleRows): DatasetRepository => ({
  ...repository,
  findSpansInDatasets: async (spanRowIds) => repository.findSpansInDatasets(await rows.filter('spans', spanRowIds)),
});

export const guardedSavedViews = (repository: SavedViewRepository, access: ProjectAccess): SavedViewRepository => ({
  list: (projectId) => repository.list(shownId(access, projectId)),
  save: async (projectId, view, userId) => repository.save(writableId(access, projectId), view, userId),
  findProjectId: (rowId) => repository.findProjectId(rowId),
  async delete(rowId) {
    if (!access.reachesAll) {
      const projectId = await repository.findProjectId(rowId);
      if (projectId === undefined || writableId(access, projectId) === NO_PROJECT) return undefined;
    }
    return repository.delete(rowId);
  },
});

export const guardedAnnotationConfigs = (
  repository: AnnotationConfigRepository,
  access: ProjectAccess,
): AnnotationConfigRepository => {
  const writable = <Assignment extends { readonly projectId: number }>(assignments: readonly Assignment[]) =>
    assignments.map((one) => ({ ...one, projectId: writableId(access, one.projectId) }));
  return {
    ...repository,
    list: (query) =>
      repository.list(
        query.projectId === undefined ? query : { ...query, projectId: shownId(access, query.projectId) },
      ),
    findOfProjects: (projectIds) => repository.findOfProjects(shownIds(access, projectIds)),
    assign: async (assignments, isStrict) => repository.assign(writable(assignments), isStrict),
    unassign: async (assignments, isStrict) => repository.unassign(writable(assignments), isStrict),
    setOfProject: async (projectId, rowIds) => repository.setOfProject(writableId(access, projectId), rowIds),
  };
};

export const guardedRetention = (
  repository: RetentionPolicyRepository,
  access: ProjectAccess,
): RetentionPolicyRepository => ({
  ...repository,
  projectsOf: async (rowId) => [...shownIds(access, await repository.projectsOf(rowId))],
});

export const guardedRecomputations = (
  repository: RecomputationRepository,
  access: ProjectAccess,
): RecomputationRepository => ({
  create: async (projectId) => repository.create(projectId === null ? null : writableId(access, projectId)),
  async find(rowId) {
    const found = await repository.find(rowId);
    if (found === undefined || found.projectId === null) return found;
    return shownId(access, found.projectId) === found.projectId ? found : undefined;
  },
  countOpen: () => repository.countOpen(),
});
