import type { AnnotationTarget, AnnotatorKind } from '../../../model/annotations/annotation.ts';
import { ANNOTATION_PAGE_ROW_COUNT_MAX } from '../../../model/limits/reads.ts';
import type { PageArguments } from '../arguments.ts';
import { offsetConnection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import type { NodeRef, Resolver, Resolvers } from '../resolvers.ts';
import { toConfigNode } from './annotation-config.ts';

type ProjectRef = NodeRef<'Project'>;

export const annotationsOfProject: Resolvers = {
  spanAnnotationNames: names('span'),
  traceAnnotationsNames: names('trace'),
  sessionAnnotationNames: names('session'),
  spanAnnotationNameCounts: nameCounts('span'),
  traceAnnotationNameCounts: nameCounts('trace'),
  sessionAnnotationNameCounts: nameCounts('session'),
  async documentEvaluationNames({ rowId }: ProjectRef, { spanId }: { readonly spanId?: string | null }, context) {
    if (spanId == null) return names('document', 'LLM')({ type: 'Project', rowId }, {}, context);
    const { domain, signal } = context;
    const query = {
      target: 'document',
      projectId: rowId,
      targetIds: [spanId],
      limit: ANNOTATION_PAGE_ROW_COUNT_MAX,
    } as const;
    const { items } = await domain.spans.findAnnotations(query, { readClass: 'interface', signal });
    const byLlm = items.filter(({ annotatorKind }) => annotatorKind === 'LLM');
    return [...new Set(byLlm.map(({ name }) => name))].sort();
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

function names(target: AnnotationTarget, annotatorKind?: AnnotatorKind): Resolver<ProjectRef> {
  return async ({ rowId }, _args, context) => [...(await counts(target, rowId, context, annotatorKind)).keys()];
}

function nameCounts(target: AnnotationTarget): Resolver<ProjectRef> {
  return async ({ rowId }, _args, context) =>
    Array.from(await counts(target, rowId, context), ([name, count]) => ({ name, count }));
}

const counts = (
  target: AnnotationTarget,
  projectId: number,
  { domain, signal }: GraphqlContext,
  annotatorKind?: AnnotatorKind,
) => domain.spans.countAnnotations({ projectId, target, annotatorKind }, { readClass: 'interface', signal });
