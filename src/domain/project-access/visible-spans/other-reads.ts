import { inBothScopes } from '../../../model/projects/project-member.ts';
import type { ModelCostQuery } from '../../../span-store/contract/costs.ts';
import type { SpanStoreReader } from '../../../span-store/contract/span-store.ts';
import type { StoreChange } from '../../../span-store/contract/store-changes.ts';
import type { ProjectAccess } from '../project-access.ts';
import { findVisibleTargets } from '../visible-targets.ts';
import { type Guard, NO_PROJECT, type READS_OF_PROJECT, type READS_OF_ROWS } from './guarded-reads.ts';
import type { ID_READS } from './id-reads.ts';

const ROWS_OF_TARGET = { span: 'spans', document: 'spans', trace: 'traces', session: 'sessions' } as const;

export type OtherRead = Exclude<
  keyof SpanStoreReader,
  keyof typeof READS_OF_PROJECT | keyof typeof READS_OF_ROWS | keyof typeof ID_READS
>;

/** Reads that are guarded one by one. */
export function otherReads({ reader, access, rows }: Guard): Pick<SpanStoreReader, OtherRead> {
  const inScope = (query: ModelCostQuery): ModelCostQuery => {
    const { scope } = access;
    return scope === undefined ? query : { ...query, projects: scope };
  };
  return {
    async listSpansOfTrace(query, options) {
      return (await rows.has('traces', query.traceRowId, options)) ? reader.listSpansOfTrace(query, options) : [];
    },
    async findAnnotationsOfTargets({ target, rowIds }, options) {
      const shown = await rows.filter(ROWS_OF_TARGET[target], rowIds, options);
      return reader.findAnnotationsOfTargets({ target, rowIds: shown }, options);
    },
    async findWrittenAnnotations(query, options) {
      const found = await reader.findWrittenAnnotations(query, options);
      const written = found.filter((rowId) => rowId !== undefined);
      const visible = new Set(await rows.filter('annotations', written, options));
      return found.map((rowId) => (rowId !== undefined && visible.has(rowId) ? rowId : undefined));
    },
    async findTargets({ target, refs }, options) {
      if (access.reachesAll) return reader.findTargets({ target, refs }, options);
      const { visible } = await findVisibleTargets(reader, access, rows, { target, refs }, options);
      return new Map(Array.from(visible, ([key, { stored }]) => [key, stored]));
    },
    async findCosts({ of, rowIds }, options) {
      return reader.findCosts({ of, rowIds: await rows.filter(of, rowIds, options) }, options);
    },
    async findCostsOfTypes({ of, rowIds }, options) {
      return reader.findCostsOfTypes({ of, rowIds: await rows.filter(of, rowIds, options) }, options);
    },
    listTraceCosts: async ({ projectIds }, options) =>
      reader.listTraceCosts(
        { projectIds: access.reachesAll ? projectIds : projectIds.filter((projectId) => access.canRead(projectId)) },
        options,
      ),
    sumUpModels: async (query, options) => reader.sumUpModels(inScope(ofVisibleProject(query, access)), options),
    findCostsOfTypesOfModels: async (query, options) =>
      reader.findCostsOfTypesOfModels(inScope(ofVisibleProject(query, access)), options),
    async sumUpSpansByValue(query, options) {
      const { scope } = access;
      const { projectId } = query;
      const isShown = projectId === undefined || access.canRead(projectId);
      const ofShown = isShown ? query : { ...query, projectId: NO_PROJECT };
      const projects = scope && (query.projects ? inBothScopes(scope, query.projects) : scope);
      return reader.sumUpSpansByValue(projects === undefined ? ofShown : { ...ofShown, projects }, options);
    },
    async countSpansByDay(firstDay, options) {
      const counts = await reader.countSpansByDay(firstDay, options);
      return access.reachesAll ? counts : counts.filter(({ projectId }) => access.canRead(projectId));
    },
    async findProjectsOfRows({ of, rowIds }, options) {
      return reader.findProjectsOfRows({ of, rowIds: await rows.filter(of, rowIds, options) }, options);
    },
    openParquet: (chunks, options) => reader.openParquet(chunks, options),
    openTable: (chunks, options, gap) => reader.openTable(chunks, options, gap),
    onChange: (listener) => reader.onChange((change) => listenVisibly(access, change, listener)),
    async lastChangedAt(project) {
      if (access.reachesAll) return reader.lastChangedAt(project);
      if (project === undefined) return reader.lastChangedAt(access.scope);
      const isShown = typeof project !== 'number' || access.canRead(project);
      return reader.lastChangedAt(isShown ? project : NO_PROJECT);
    },
  };
}

const ofVisibleProject = (query: ModelCostQuery, access: ProjectAccess): ModelCostQuery =>
  query.projectId === undefined || access.canRead(query.projectId) ? query : { ...query, projectId: NO_PROJECT };

/** A commit of hidden projects alone is not reported. Of a commit of both kinds, the rows are not, as they are of both. */
function listenVisibly(
  access: ProjectAccess,
  change: StoreChange | undefined,
  listener: (change: StoreChange | undefined) => void,
): void {
  const all = change?.projectIds ?? [];
  const projectIds = access.reachesAll ? all : all.filter((projectId) => access.canRead(projectId));
  if (projectIds.length === all.length) listener(change);
  else if (projectIds.length > 0) listener({ projectIds });
}

export const OTHER_READS = {
  listSpansOfTrace: true,
  findAnnotationsOfTargets: true,
  findWrittenAnnotations: true,
  findTargets: true,
  findCosts: true,
  findCostsOfTypes: true,
  listTraceCosts: true,
  sumUpModels: true,
  findCostsOfTypesOfModels: true,
  sumUpSpansByValue: true,
  countSpansByDay: true,
  findProjectsOfRows: true,
  openParquet: true,
  openTable: true,
  onChange: true,
  lastChangedAt: true,
} as const satisfies Record<OtherRead, true>;
