import type { AnnotationTarget } from '../../model/annotation.ts';
import { ANNOTATION_PAGE_ROW_COUNT_MAX } from '../../model/limits.ts';
import { toConfigNode } from './annotation-config.ts';
import type { PageArguments } from './arguments.ts';
import { whenKnown } from './batch-loader.ts';
import { offsetConnection } from './connections.ts';
import type { GraphqlContext } from './context.ts';
import type { NodeRef, Resolver, Resolvers } from './resolvers.ts';

type ProjectRef = NodeRef<'Project'>;

export const annotationsOfProject: Resolvers = {
  spanAnnotationNames: names('span'),
  traceAnnotationsNames: names('trace'),
  sessionAnnotationNames: names('session'),
  async documentEvaluationNames({ rowId }: ProjectRef, { spanId }: { readonly spanId?: string | null }, context) {
    if (spanId == null) return findNames('document', rowId, context);
    const { domain, signal } = context;
    const query = {
      target: 'document',
      projectId: rowId,
      targetIds: [spanId],
      limit: ANNOTATION_PAGE_ROW_COUNT_MAX,
    } as const;
    const { items } = await domain.spans.findAnnotations(query, { readClass: 'interface', signal });
    return [...new Set(items.map(({ name }) => name))].sort();
  },
  annotationConfigs: (
    { rowId }: ProjectRef,
    args: PageArguments & { readonly names?: readonly string[] | null },
    { loaders, items },
  ) =>
    whenKnown(loaders.configsOfProjects.load(rowId), (configs = []) =>
      offsetConnection(
        configs.filter(({ name }) => args.names?.includes(name) ?? true),
        args,
        toConfigNode,
        items,
      ),
    ),
};

function names(target: AnnotationTarget): Resolver<ProjectRef> {
  return ({ rowId }, _args, context) => findNames(target, rowId, context);
}

const findNames = (target: AnnotationTarget, projectId: number, { domain, signal }: GraphqlContext) =>
  domain.spans.findAnnotationNames({ projectId, target }, { readClass: 'interface', signal });
