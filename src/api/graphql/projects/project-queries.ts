import type { PageArguments } from '../arguments.ts';
import { type Connection, offsetConnection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { type NodeRef, projectRef, type Resolvers } from '../resolvers.ts';

export const projectQueries: Resolvers = {
  projects: listAllProjects,
  projectCount: async (_source, _args, { domain }: GraphqlContext) => (await domain.projects.listAll({})).length,
  async projectsLastUpdatedAt(_source, _args, { domain }: GraphqlContext) {
    const [spansAt, projects] = await Promise.all([domain.spans.lastChangedAt(), domain.projects.listAll({})]);
    return new Date(projects.reduce((latest, { updatedAt }) => Math.max(latest, updatedAt.getTime()), spansAt ?? 0));
  },
  async getProjectByName(_source, { name }: { readonly name: string }, { domain, loaders }: GraphqlContext) {
    const project = await domain.projects.find({ name });
    if (!project) return null;
    loaders.projects.prime(project.rowId, project);
    return projectRef(project.rowId);
  },
};

interface ProjectsArguments extends PageArguments {
  readonly sort?: { readonly col: 'name' | 'endTime'; readonly dir: 'asc' | 'desc' } | null;
  readonly filter?: { readonly value: string } | null;
}

async function listAllProjects(
  _source: unknown,
  args: ProjectsArguments,
  { domain, loaders, items, signal }: GraphqlContext,
): Promise<Connection<NodeRef>> {
  const projects = await domain.projects.listAll(
    { nameContains: args.filter?.value, sort: args.sort ?? undefined },
    { readClass: 'interface', signal },
  );
  const toNode = (project: (typeof projects)[number]) => {
    loaders.projects.prime(project.rowId, project);
    return projectRef(project.rowId);
  };
  return offsetConnection(projects, args, toNode, items);
}
