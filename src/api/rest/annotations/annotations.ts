import { type Static, Type } from '@sinclair/typebox';
import { toExactJsonText } from '../../../base/exact-json.ts';
import { expectPresent } from '../../../base/expect-present.ts';
import { ANNOTATOR_KINDS, type NewAnnotation } from '../../../model/annotations/annotation.ts';
import { SpandrelError } from '../../../model/errors.ts';
import type { Domain } from '../../../domain/domain.ts';
import { withTexts } from '../../contract/error-texts.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { defineRoute, type RestRoute } from '../define-route.ts';
import { ExactFloat, JsonObject, Nullable, OneOf } from '../schema.ts';
import {
  capitalized,
  DOCUMENT_TARGET,
  idProperty,
  NOTED_TARGETS,
  type NotedTarget,
  type TargetWords,
} from './annotation-targets.ts';

const AnnotationFields = {
  name: Type.String(),
  annotator_kind: OneOf(ANNOTATOR_KINDS),
  result: Type.Optional(
    Nullable(
      Type.Object({
        label: Type.Optional(Nullable(Type.String())),
        score: Type.Optional(Nullable(ExactFloat())),
        explanation: Type.Optional(Nullable(Type.String())),
      }),
    ),
  ),
  metadata: Type.Optional(Nullable(JsonObject())),
  identifier: Type.String({
    default: '',
    description: 'A target has one annotation of each name and identifier. A later one replaces it.',
  }),
};

const SYNC = Type.Object({
  sync: Type.Boolean({
    default: false,
    description: 'Respond with the IDs when all are stored. When a target is missing, store none and respond 404.',
  }),
});

export const AnnotationIds = Type.Object({ data: Type.Array(Type.Object({ id: Type.String() })) });

export const annotationRoutes = (): RestRoute[] => [
  ...NOTED_TARGETS.map((words) => createRoute(words)),
  defineRoute({
    ...descriptionOf(DOCUMENT_TARGET),
    path: '/v1/document_annotations',
    query: SYNC,
    body: Type.Object({
      data: Type.Array(
        Type.Object({
          ...AnnotationFields,
          span_id: Type.String({ description: DOCUMENT_TARGET.idDescription }),
          document_position: Type.Integer({ description: 'Position of the document in the span, from 0.' }),
        }),
      ),
    }),
    bodyExample: { data: [{ ...EXAMPLE, span_id: DOCUMENT_TARGET.example, document_position: 0 }] },
    success: { ...SUCCESS, example: { data: [{ id: toGlobalId('DocumentAnnotation', 9) }] } },
    errors: { 404: 'Spans with IDs <ids> do not exist.', 422: "Non-empty identifier '<identifier>' is not supported" },
    handle: ({ domain, query, body }) =>
      create(
        domain,
        DOCUMENT_TARGET,
        body.data.map((item) => {
          rejectIdentifier(item.identifier);
          return { ...toNewAnnotation(item, item.span_id, item.document_position), identifier: '' };
        }),
        query.sync,
      ),
  }),
];

const EXAMPLE = {
  name: 'correctness',
  annotator_kind: 'LLM',
  result: { label: 'correct', score: 1, explanation: 'Names the right city.' },
};

const SUCCESS = {
  status: 200,
  description: 'The annotations are durable. With `sync`, the response has their IDs in the order of the request.',
  schema: AnnotationIds,
} as const;

const descriptionOf = ({ target }: TargetWords) =>
  ({
    method: 'POST',
    access: 'member',
    blockedWhenStorageFull: true,
    isBulk: true,
    idempotency: 'repeatable',
    operationId: `annotate${capitalized(target)}s`,
    tag: 'annotations',
    summary: `Annotate ${target}s`,
    description:
      'Without `sync` the server responds as soon as the annotations are durable. An annotation whose target is not stored yet waits for it, up to a day.',
  }) as const;

function createRoute(words: TargetWords<NotedTarget>): RestRoute {
  const { target, idField } = words;
  return defineRoute({
    ...descriptionOf(words),
    path: `/v1/${target}_annotations`,
    query: SYNC,
    body: Type.Object({
      data: Type.Array(
        Type.Object({ ...AnnotationFields, ...idProperty(words, Type.String({ description: words.idDescription })) }),
      ),
    }),
    bodyExample: { data: [{ ...EXAMPLE, [idField]: words.example }] },
    success: { ...SUCCESS, example: { data: [{ id: toGlobalId(words.globalIdType, 9) }] } },
    errors: {
      400: RESERVED[target],
      404: `${capitalized(target)}s with IDs <ids> do not exist.`,
    },
    handle({ domain, query, body }) {
      const annotations = body.data.map((item) =>
        toNewAnnotation(item, expectPresent(item[idField], 'the schema requires the ID'), null),
      );
      return withTexts({ ANNOTATION_NAME_RESERVED: RESERVED[target] }, () =>
        create(domain, words, annotations, query.sync),
      );
    },
  });
}

const RESERVED = {
  span: "The name 'note' is reserved for trace and span notes. Use POST /v1/span_notes instead.",
  trace: "The name 'note' is reserved for trace and span notes. Use POST /v1/trace_notes instead.",
  session: "The name 'note' is reserved for session notes. Use POST /v1/session_notes instead.",
} as const satisfies Record<NotedTarget, string>;

async function create(
  domain: Domain,
  { target, globalIdType }: TargetWords,
  annotations: readonly NewAnnotation[],
  isSync: boolean,
): Promise<Static<typeof AnnotationIds>> {
  const request = { target, annotations, source: 'API' } as const;
  if (!isSync) {
    await domain.annotations.annotateLater(request);
    return { data: [] };
  }
  const rowIds = await domain.annotations.annotateNow(request);
  return { data: rowIds.map((rowId) => ({ id: toGlobalId(globalIdType, rowId) })) };
}

const AnnotationItem = Type.Object(AnnotationFields);

const toNewAnnotation = (
  { name, annotator_kind, result, metadata, identifier }: Static<typeof AnnotationItem>,
  targetId: string,
  documentPosition: number | null,
): NewAnnotation => ({
  targetId,
  documentPosition,
  name,
  identifier,
  annotatorKind: annotator_kind,
  label: result?.label ?? null,
  score: result?.score == null ? null : Number(result.score),
  explanation: result?.explanation ?? null,
  metadata: metadata ? toExactJsonText(metadata) : '{}',
});

function rejectIdentifier(identifier: string): void {
  if (identifier.trim() === '') return;
  throw new SpandrelError('ANNOTATION_INVALID', `Non-empty identifier '${identifier}' is not supported`);
}
