import type { BuiltInDashboard, Dashboard } from '../../../model/dashboards/dashboard.ts';
import { DASHBOARD_VERSION } from '../../../model/dashboards/dashboard.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { BUILT_IN_DASHBOARDS, type DashboardInput } from '../../../domain/domain.ts';
import { rowIdOf, toGlobalId } from '../../contract/global-id.ts';
import { authorRef } from '../access/user.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import type { NodeRef, Resolvers } from '../resolvers.ts';

export const dashboardsOfProject: Resolvers = {
  async dashboards({ rowId }: NodeRef, _args, { domain, items }: GraphqlContext) {
    const dashboards = await domain.dashboards.list(rowId);
    items.take(dashboards.length + BUILT_IN_DASHBOARDS.length);
    return [...BUILT_IN_DASHBOARDS.map(builtInToObject), ...dashboards.map(toObject)];
  },
};

export const dashboardResolvers: Resolvers = {
  user: (dashboard: { readonly userId: number | null }, _args, context: GraphqlContext) =>
    authorRef(dashboard, context),
};

interface CreateInput extends DashboardInput {
  readonly projectId: string;
}

interface PatchInput {
  readonly id: string;
  readonly revision: number;
  readonly name?: string | null;
  readonly description?: string | null;
  readonly version: number;
  readonly panels?: unknown;
}

export const dashboardMutations: Resolvers = {
  async createDashboard(_source, { input }: { readonly input: CreateInput }, { domain }: GraphqlContext) {
    const { projectId, name, description, panels, version } = input;
    const fields = { name, description, panels, version };
    return toObject(await domain.dashboards.create(rowIdOfNode('Project', projectId), fields));
  },
  async patchDashboard(_source, { input }: { readonly input: PatchInput }, { domain }: GraphqlContext) {
    const { id, revision, name, description, panels, version } = input;
    return toObject(
      await domain.dashboards.patch({
        rowId: rowIdOfDashboard(id),
        revision,
        version,
        ...(name == null ? {} : { name }),
        ...(description == null ? {} : { description }),
        ...(panels == null ? {} : { panels }),
      }),
    );
  },
  async deleteDashboard(_source, { id }: { readonly id: string }, { domain }: GraphqlContext) {
    return toObject(await domain.dashboards.delete(rowIdOfDashboard(id)));
  },
};

function rowIdOfDashboard(id: string): number {
  const builtIn = BUILT_IN_DASHBOARDS.find(({ slug }) => slug === id);
  if (builtIn) {
    throw new SpandrelError(
      'DASHBOARD_BUILT_IN',
      `The dashboard "${builtIn.name}" is built in and cannot be changed or deleted; change a copy of it`,
    );
  }
  const rowId = rowIdOf('Dashboard', id);
  if (rowId === undefined) throw new SpandrelError('NODE_ID_INVALID', 'This is not the ID of a dashboard');
  return rowId;
}

const toObject = ({ rowId, ...dashboard }: Dashboard) => ({
  ...dashboard,
  id: toGlobalId('Dashboard', rowId),
  isBuiltIn: false,
  version: DASHBOARD_VERSION,
});

const builtInToObject = ({ slug, ...dashboard }: BuiltInDashboard) => ({
  ...dashboard,
  id: slug,
  isBuiltIn: true,
  version: DASHBOARD_VERSION,
  revision: 0,
  updatedAt: null,
  userId: null,
});
