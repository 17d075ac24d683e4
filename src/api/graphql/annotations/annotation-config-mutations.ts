import { expectPresent } from '../../../base/expect-present.ts';
import { NOTE_NAME } from '../../../model/annotations/annotation.ts';
import type { AnnotationConfig, NewAnnotationConfig } from '../../../model/annotations/annotation-config.ts';
import { configRowIdOf } from '../../contract/config-ids.ts';
import { withTexts } from '../../contract/error-texts.ts';
import type { PageArguments } from '../arguments.ts';
import { reject } from '../arguments.ts';
import { offsetConnection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import { projectRef, QUERY, type Resolvers } from '../resolvers.ts';
import { toConfigNode } from './annotation-config.ts';
import { type ConfigInput, toNewConfig } from './annotation-config-input.ts';

interface AssignmentInput {
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
    const created = await withNameIn(config, () => context.domain.annotationConfigs.create(config));
    return configPayload(created, context);
  },
  async updateAnnotationConfig(
    _source,
    { input }: { readonly input: { readonly id: string; readonly annotationConfig: ConfigInput } },
    context: GraphqlContext,
  ) {
    const rowId = rowIdOfConfig(input.id);
    const config = toNewConfig(input.annotationConfig);
    const changed = await withTexts({ [NOT_FOUND]: 'Annotation config not found' }, () =>
      withNameIn(config, () => context.domain.annotationConfigs.replace(rowId, config)),
    );
    return configPayload(changed, context);
  },
  async deleteAnnotationConfigs(
    _source,
    { input }: { readonly input: { readonly ids: readonly string[] } },
    context: GraphqlContext,
  ) {
    const rowIds = input.ids.map(rowIdOfConfig);
    const deleted = await withTexts({ [NOT_FOUND]: 'Could not find all of the annotation configs' }, () =>
      context.domain.annotationConfigs.delete(rowIds),
    );
    context.invalidateReads();
    return { annotationConfigs: deleted.map(toConfigNode), query: QUERY };
  },
  async addAnnotationConfigToProject(_source, { input }: { readonly input: readonly AssignmentInput[] }, context) {
    const assignments = toAssignments(input);
    await withTexts({ [NOT_FOUND]: 'Could not find all of the projects and annotation configs' }, () =>
      context.domain.annotationConfigs.assign(assignments, 'reject'),
    );
    return projectPayload(assignments, context);
  },
  async removeAnnotationConfigFromProject(_source, { input }: { readonly input: readonly AssignmentInput[] }, context) {
    const assignments = toAssignments(input);
    await withTexts({ [NOT_FOUND]: 'Could not find all of the annotation configs in their projects' }, () =>
      context.domain.annotationConfigs.unassign(assignments, 'reject'),
    );
    return projectPayload(assignments, context);
  },
};

function configPayload(config: AnnotationConfig, context: GraphqlContext): object {
  context.invalidateReads();
  return { annotationConfig: toConfigNode(config), query: QUERY };
}

function projectPayload([assignment]: readonly { readonly projectId: number }[], context: GraphqlContext): object {
  context.invalidateReads();
  return {
    project: projectRef(expectPresent(assignment, 'a mutation assigns at least one config').projectId),
    query: QUERY,
  };
}

function toAssignments(input: readonly AssignmentInput[]) {
  if (input.length === 0) reject('No annotation configs provided.');
  return input.map(({ projectId, annotationConfigId }) => ({
    projectId: rowIdOfNode('Project', projectId),
    configRowId: rowIdOfConfig(annotationConfigId),
  }));
}

const rowIdOfConfig = (globalId: string): number => configRowIdOf(globalId) ?? reject('Invalid annotation config ID');

/** The GraphQL contract has its own text for a name that is in use. The reserved name has the common text. */
const withNameIn = <Result>({ name }: NewAnnotationConfig, write: () => Promise<Result>): Promise<Result> =>
  name === NOTE_NAME
    ? write()
    : withTexts({ ANNOTATION_CONFIG_NAME_TAKEN: `Annotation configuration with name '${name}' already exists` }, write);

const NOT_FOUND = 'ANNOTATION_CONFIG_NOT_FOUND';
