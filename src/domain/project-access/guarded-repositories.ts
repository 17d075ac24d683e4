import type { Calibration } from '../../model/evaluators/calibration.ts';
import type { CalibrationRepository } from '../../metadata-store/calibrations/calibration-repository.ts';
import type { DatasetSourceRepository } from '../../metadata-store/dataset-sources/dataset-sources.ts';
import type { DatasetRepository } from '../../metadata-store/datasets/dataset-repository.ts';
import type { OnlineEvaluatorRepository } from '../../metadata-store/online-evaluators/online-evaluator-repository.ts';
import type { AnnotationConfigRepository } from '../annotation-configs/annotation-config-repository.ts';
import type { RecomputationRepository } from '../costs/recomputation-repository.ts';
import type { DashboardRepository } from '../dashboards/dashboard-repository.ts';
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
  // Row ids tell nothing, and those of hidden projects are only left out of results.
  findIdsOfExperiments: () => repository.findIdsOfExperiments(),
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

/** Mappings and sources of a hidden project do not exist. A reader of a project may use its sources. */
/** Its targets and backfills are read and changed by row id of an evaluator that was found before. */
export const guardedOnlineEvaluators = (
  repository: OnlineEvaluatorRepository,
  access: ProjectAccess,
): OnlineEvaluatorRepository => {
  const isShown = ({ projectId }: { readonly projectId: number }) => shownId(access, projectId) === projectId;
  const find: OnlineEvaluatorRepository['find'] = async (rowId) => {
    const found = await repository.find(rowId);
    return found && isShown(found) ? found : undefined;
  };
  const findWritable: OnlineEvaluatorRepository['find'] = async (rowId) => {
    const found = await find(rowId);
    return found && writableId(access, found.projectId) !== NO_PROJECT ? found : undefined;
  };
  return {
    ...repository,
    list: (projectId) => repository.list(shownId(access, projectId)),
    listUses: async (evaluatorRowId) => (await repository.listUses(evaluatorRowId)).filter(isShown),
    find,
    create: async (created) => repository.create({ ...created, projectId: writableId(access, created.projectId) }),
    update: async (rowId, ...changes) =>
      (await findWritable(rowId)) ? repository.update(rowId, ...changes) : undefined,
    delete: async (rowId) => ((await findWritable(rowId)) ? repository.delete(rowId) : undefined),
    createBackfill: async (created) =>
      (await findWritable(created.onlineEvaluatorRowId)) ? repository.createBackfill(created) : undefined,
    stopBackfill: async (rowId) => ((await findWritable(rowId)) ? repository.stopBackfill(rowId) : undefined),
    requeue: async (rowId, states) => ((await findWritable(rowId)) ? repository.requeue(rowId, states) : 0),
  };
};
export const guardedDatasetSources = (
  repository: DatasetSourceRepository,
  access: ProjectAccess,
): DatasetSourceRepository => {
  const find: DatasetSourceRepository['find'] = async (rowId) => {
    const source = await repository.find(rowId);
    return source && shownId(access, source.projectId) === source.projectId ? source : undefined;
  };
  return {
    ...repository,
    findMapping: (projectId) => repository.findMapping(shownId(access, projectId)),
    saveMapping: async (projectId, mapping, userId) =>
      repository.saveMapping(writableId(access, projectId), mapping, userId),
    async list(of) {
      const sources = await repository.list(of);
      return sources.filter(({ projectId }) => shownId(access, projectId) === projectId);
    },
    find,
    create: async (source) => repository.create({ ...source, projectId: writableId(access, source.projectId) }),
    async delete(rowId) {
      const source = await find(rowId);
      if (source === undefined) return undefined;
      writableId(access, source.projectId);
      return repository.delete(rowId);
    },
    use: async (use) => ((await find(use.sourceRowId)) ? repository.use(use) : undefined),
  };
};

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

export const guardedDashboards = (repository: DashboardRepository, access: ProjectAccess): DashboardRepository => {
  const find = async (rowId: number) => {
    const found = await repository.find(rowId);
    return found && shownId(access, found.projectId) === found.projectId ? found : undefined;
  };
  const isWritable = async (rowId: number) => {
    if (access.reachesAll) return true;
    const found = await repository.find(rowId);
    return found !== undefined && writableId(access, found.projectId) !== NO_PROJECT;
  };
  return {
    list: (projectId) => repository.list(shownId(access, projectId)),
    find,
    create: async (projectId, fields, userId) => repository.create(writableId(access, projectId), fields, userId),
    replace: async (ref, fields, userId) =>
      (await isWritable(ref.rowId)) ? repository.replace(ref, fields, userId) : undefined,
    delete: async (rowId) => ((await isWritable(rowId)) ? repository.delete(rowId) : undefined),
  };
};

/** Calibrations on the targets of a hidden project do not exist. A reader of the project may run and delete them. */
export const guardedCalibrations = (
  repository: CalibrationRepository,
  access: ProjectAccess,
): CalibrationRepository => {
  const isShown = ({ source }: Calibration) =>
    source.type !== 'project' || shownId(access, source.projectRowId) === source.projectRowId;
  return {
    ...repository,
    findByRowIds: async (rowIds) =>
      new Map([...(await repository.findByRowIds(rowIds))].filter(([, found]) => isShown(found))),
    list: async (datasetEvaluatorRowId) => (await repository.list(datasetEvaluatorRowId)).filter(isShown),
  };
};

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
