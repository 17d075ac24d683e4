import type { Annotation, AnnotationTarget } from '../../../model/annotations/annotation.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { authorRef } from '../access/user.ts';
import type { GraphqlContext } from '../context.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import {
  type AnnotationNodeType,
  id,
  missing,
  type NodeRef,
  type Resolver,
  type Resolvers,
  sessionRef,
  spanRef,
  traceRef,
} from '../resolvers.ts';

/** Types of annotations in the schema, by target. */
export const ANNOTATION_NODE_TYPES = {
  span: 'SpanAnnotation',
  trace: 'TraceAnnotation',
  session: 'ProjectSessionAnnotation',
  document: 'DocumentAnnotation',
} as const satisfies Record<AnnotationTarget, AnnotationNodeType>;

/** A field of a stored annotation. All kinds share their row ids, so the kind is compared too. */
function row(
  compute: (annotation: Annotation, context: GraphqlContext) => unknown,
): Resolver<NodeRef<AnnotationNodeType>> {
  return (node, _args, context) =>
    whenKnown(context.loaders.annotations.load(node.rowId), (annotation) =>
      annotation && ANNOTATION_NODE_TYPES[annotation.target] === node.type
        ? compute(annotation, context)
        : missing(node),
    );
}

const common: Resolvers = {
  id,
  name: row(({ name }) => name),
  annotatorKind: row(({ annotatorKind }) => annotatorKind),
  label: row(({ label }) => label),
  score: row(({ score }) => score),
  explanation: row(({ explanation }) => explanation),
  metadata: row(({ metadata }) => JSON.parse(metadata) as unknown),
  source: row(({ source }) => source),
  identifier: row(({ identifier }) => identifier),
  createdAt: row(({ createdAtMs }) => new Date(createdAtMs)),
  updatedAt: row(({ updatedAtMs }) => new Date(updatedAtMs)),
  user: row(authorRef),
};

export const spanAnnotationResolvers: Resolvers = {
  ...common,
  spanId: row(({ targetRowId }) => toGlobalId('Span', targetRowId)),
  span: row(({ targetRowId }) => spanRef(targetRowId)),
};

export const traceAnnotationResolvers: Resolvers = {
  ...common,
  trace: row(({ targetRowId }) => traceRef(targetRowId)),
};

export const sessionAnnotationResolvers: Resolvers = {
  ...common,
  projectSessionId: row(({ targetRowId }) => toGlobalId('ProjectSession', targetRowId)),
  projectSession: row(({ targetRowId }) => sessionRef(targetRowId)),
};

export const documentAnnotationResolvers: Resolvers = {
  ...common,
  documentPosition: row(({ documentPosition }) => documentPosition),
  span: row(({ targetRowId }) => spanRef(targetRowId)),
};
