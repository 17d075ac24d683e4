import { listProjects } from '../../domain/projects/list-projects.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { PageArguments } from './arguments.ts';
import { type Connection, offsetConnection } from './connections.ts';
import type { GraphqlContext } from './context.ts';
import { type NodeRef, projectRef, type Resolvers, sessionRef, spanRef, traceRef, type NodeType } from './resolvers.ts';

export const queryResolvers: Resolvers = {
  node: (_source: unknown, args: { readonly id: string }) => parseNodeId(args.id),
  projects: listAllProjects,
  projectCount: async (_source, _args, { domain }: GraphqlContext) => (await listProjects(domain, {})).length,
  async projectsLastUpdatedAt(_source, _args, { domain }: GraphqlContext) {
    const [spansAt, projects] = await Promise.all([domain.spans.lastChangedAt(), listProjects(domain, {})]);
    return new Date(projects.reduce((latest, { updatedAt }) => Math.max(latest, updatedAt.getTime()), spansAt ?? 0));
  },
  async getProjectByName(_source, { name }: { readonly name: string }, { domain, loaders }: GraphqlContext) {
    const project = await domain.projects.find({ name });
    if (!project) return null;
    loaders.projects.prime(project.rowId, project);
    return projectRef(project.rowId);
  },
  async getSpanByOtelId(_source, { spanId }: { readonly spanId: string }, { domain, signal }: GraphqlContext) {
    const rowId = await domain.spans.findSpanRowId({ id: spanId }, { readClass: 'interface', signal });
    return rowId === undefined ? null : spanRef(rowId);
  },
  async getTraceByOtelId(_source, { traceId }: { readonly traceId: string }, { domain, signal }: GraphqlContext) {
    const rowId = await domain.spans.findTraceRowId({ id: traceId }, { readClass: 'interface', signal });
    return rowId === undefined ? null : traceRef(rowId);
  },
  async getProjectSessionById(_source, args: { readonly sessionId: string }, context: GraphqlContext) {
    const { domain, loaders, signal } = context;
    const session = await domain.spans.findSession({ id: args.sessionId }, { readClass: 'interface', signal });
    if (!session) return null;
    loaders.sessions.prime(session.rowId, session);
    return sessionRef(session.rowId);
  },
  serverStatus: (_source, _args, { storageLock }: GraphqlContext) => ({
    insufficientStorage: storageLock() !== undefined,
  }),
};

const NODE_TYPES: Readonly<Record<NodeType, (rowId: number) => NodeRef>> = {
  Project: projectRef,
  Trace: traceRef,
  Span: spanRef,
  ProjectSession: sessionRef,
};

/** The node that a global ID names, whether or not there is one. */
export function parseNodeId(globalId: string): NodeRef {
  const match = /^([A-Za-z]\w*):(.+)$/s.exec(Buffer.from(globalId, 'base64').toString());
  const [, type = '', localId = ''] = match ?? [];
  if (!match || localId.includes(':')) return notFound(`Unknown node: ${globalId}`);
  if (!/^\d{1,15}$/.test(localId)) {
    throw new SpandrelError(
      'QUERY_INVALID',
      `Invalid node id: ${globalId}. The id of a ${type} node must be an integer, but got: ${localId}`,
    );
  }
  if (!Object.hasOwn(NODE_TYPES, type)) return notFound(`Unknown node type: ${type}`);
  return NODE_TYPES[type as NodeType](Number(localId));
}

/** Row id of a node of one type. */
export function rowIdOfNode(type: NodeType, globalId: string): number {
  const node = parseNodeId(globalId);
  if (node.type === type) return node.rowId;
  throw new SpandrelError(
    'QUERY_INVALID',
    `The node id must correspond to a node of type ${type}, but instead corresponds to a node of type: ${node.type}`,
  );
}

const notFound = (message: string): never => {
  throw new SpandrelError('NODE_NOT_FOUND', message);
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
  const projects = await listProjects(
    domain,
    { nameContains: args.filter?.value, sort: args.sort ?? undefined },
    { readClass: 'interface', signal },
  );
  const toNode = (project: (typeof projects)[number]) => {
    loaders.projects.prime(project.rowId, project);
    return projectRef(project.rowId);
  };
  return offsetConnection(projects, args, toNode, items);
}
