import type { AnnotationConfig, NewAnnotationConfig } from '../../../model/annotation-config.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { configRowIdOf } from '../../../domain/annotation-configs/find-config.ts';
import type { PageArguments } from '../arguments.ts';
import { refuse } from '../arguments.ts';
import { offsetConnection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import { projectRef, QUERY, type Resolvers } from '../resolvers.ts';
import { toConfigNode } from './annotation-config.ts';
import { type ConfigInput, toNewConfig } from './annotation-config-input.ts';

interface LinkInput {
  readonly projectId: string;
  readonly annotationConfigId: string;
}

export const annotationConfigQueries: Resolvers = {
  annotationConfigs: async (_source, args: PageArguments, { domain, items }: GraphqlContext) =>
    offsetConnection(await domain.annotationConfigs.listByName(), args, toConfigNode, items),
};

export const annotationConfigMutations: Resolvers = {
  async createAnnotationConfig(
    _source,
    { input }: { readonly input: { readonly annotationConfig: ConfigInput } },
    context: GraphqlContext,
  ) {
    const config = toNewConfig(input.annotationConfig);
    const made = await withNameIn(config, () => context.domain.annotationConfigs.create(config));
    return configPayload(made, context);
  },
  async updateAnnotationConfig(
    _source,
    { input }: { readonly input: { readonly id: string; readonly annotationConfig: ConfigInput } },
    context: GraphqlContext,
  ) {
    const rowId = rowIdOfConfig(input.id);
    const config = toNewConfig(input.annotationConfig);
    const changed = await withNameIn(config, () => context.domain.annotationConfigs.replace(rowId, config));
    return configPayload(changed ?? notFound('Annotation config not found'), context);
  },
  async deleteAnnotationConfigs(
    _source,
    { input }: { readonly input: { readonly ids: readonly string[] } },
    context: GraphqlContext,
  ) {
    const rowIds = [...new Set(input.ids.map(rowIdOfConfig))];
    const deleted = await context.domain.annotationConfigs.delete(rowIds);
    context.forgetReads();
    const nodes = (deleted ?? notFound('Could not find all of the annotation configs')).map(toConfigNode);
    return { annotationConfigs: nodes, query: QUERY };
  },
  async addAnnotationConfigToProject(_source, { input }: { readonly input: readonly LinkInput[] }, context) {
    const links = toLinks(input);
    const linked = await context.domain.annotationConfigs.link(links, true);
    if (linked === undefined) notFound('Could not find all of the projects and annotation configs');
    if (linked === 'linkedBefore') {
      throw new SpandrelError('ANNOTATION_CONFIG_ASSIGNED', 'The annotation config is already assigned to the project');
    }
    return projectPayload(links, context);
  },
  async removeAnnotationConfigFromProject(_source, { input }: { readonly input: readonly LinkInput[] }, context) {
    const links = toLinks(input);
    const count = await context.domain.annotationConfigs.unlink(links, true);
    if (count === undefined) notFound('Could not find all of the annotation configs in their projects');
    return projectPayload(links, context);
  },
};

function configPayload(config: AnnotationConfig, context: GraphqlContext): object {
  context.forgetReads();
  return { annotationConfig: toConfigNode(config), query: QUERY };
}

function projectPayload([link]: readonly { readonly projectId: number }[], context: GraphqlContext): object {
  context.forgetReads();
  return { project: projectRef(link!.projectId), query: QUERY };
}

function toLinks(input: readonly LinkInput[]) {
  if (input.length === 0) refuse('No annotation configs provided.');
  return input.map(({ projectId, annotationConfigId }) => ({
    projectId: rowIdOfNode('Project', projectId),
    configRowId: rowIdOfConfig(annotationConfigId),
  }));
}

const rowIdOfConfig = (globalId: string): number => configRowIdOf(globalId) ?? refuse('Invalid annotation config ID');

/** The text that clients know here. */
async function withNameIn<Result>({ name }: NewAnnotationConfig, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof SpandrelError) || error.code !== 'ANNOTATION_CONFIG_NAME_TAKEN') throw error;
    throw new SpandrelError(error.code, `Annotation configuration with name '${name}' already exists`);
  }
}

const notFound = (message: string): never => {
  throw new SpandrelError('ANNOTATION_CONFIG_NOT_FOUND', message);
};
