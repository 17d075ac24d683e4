import { type Static, Type } from '@sinclair/typebox';
import { ANNOTATION_SOURCES, ANNOTATOR_KINDS, type Annotation } from '../../../model/annotations/annotation.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { ANNOTATION_PAGE_ROW_COUNT_MAX, FILTER_VALUE_COUNT_MAX } from '../../../model/limits/reads.ts';
import { formatUnixNano } from '../../../model/time/datetime.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { toProjectRef } from '../../contract/parse-refs.ts';
import { cursorTo, rowIdOfCursor } from '../cursor.ts';
import { defineRoute, JsonText, type RestRoute } from '../define-route.ts';
import { PROJECT_NOT_FOUND, PROJECT_PARAM } from '../projects/projects.ts';
import { Cursor, DateTime, DateTimeText, JsonObject, Nullable, OneOf, PageOf } from '../schema.ts';
import { capitalized, NOTED_TARGETS, type NotedTarget, type TargetWords } from './annotation-targets.ts';

/** Annotations of a project: listed and deleted. */
export const projectAnnotationRoutes = (): RestRoute[] =>
  NOTED_TARGETS.flatMap((words) => [listRoute(words), deleteRoute(words)]);

const words = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

const pathOf = (target: NotedTarget) => `/v1/projects/:project_identifier/${target}_annotations` as const;

function listRoute(target: TargetWords<NotedTarget>): RestRoute {
  const idsParameter = `${target.idField}s` as const;
  return defineRoute({
    method: 'GET',
    path: pathOf(target.target),
    access: 'viewer',
    operationId: `list${capitalized(target.target)}Annotations`,
    tag: 'annotations',
    summary: `List annotations of ${target.target}s, newest first`,
    description: `Selects by ${target.target}s, by identifiers, or by both. Includes notes.`,
    params: PROJECT_PARAM,
    query: Type.Object({
      ...({ [idsParameter]: words(target.idDescription) } as { [Name in typeof idsParameter]?: TextList }),
      identifier: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description: 'Identifiers.' })),
      include_annotation_names: words('Only these names.'),
      exclude_annotation_names: words('None of these names.'),
      cursor: Cursor,
      limit: Type.Integer({ default: 10, exclusiveMinimum: 0, maximum: ANNOTATION_PAGE_ROW_COUNT_MAX }),
    }),
    success: {
      status: 200,
      description: 'One page of annotations.',
      schema: PageOf(annotationJson(target)),
      example: { data: [exampleOf(target)], next_cursor: null },
    },
    errors: { 404: PROJECT_NOT_FOUND, 422: `At least one of ${idsParameter} or identifier must be supplied` },
    async handle({ domain, params, query, signal }) {
      const targetIds = distinct(query[idsParameter], idsParameter);
      const identifiers = distinct(query.identifier, 'identifiers');
      if (!targetIds && !identifiers) {
        reject(`At least one of ${idsParameter} or identifier must be supplied`);
      }
      const fromRowId = rowIdOfCursor(query.cursor, 'Invalid cursor value');
      const project = await domain.projects.get(toProjectRef(params.project_identifier));
      const { include_annotation_names: names, exclude_annotation_names: exceptNames, limit } = query;
      const page = await domain.annotations.list(
        {
          target: target.target,
          projectId: project.rowId,
          limit,
          ...(targetIds && { targetIds }),
          ...(identifiers && { identifiers }),
          ...(names && { names }),
          ...(exceptNames && { exceptNames }),
          ...(fromRowId !== undefined && { fromRowId }),
        },
        { signal },
      );
      const cursor = JSON.stringify(cursorTo(target.globalIdType, page.nextRowId));
      return new JsonText(`{"data":[${page.items.map(toText(target)).join(',')}],"next_cursor":${cursor}}`);
    },
  });
}

type TextList = ReturnType<typeof words>;

function distinct(values: readonly string[] | undefined, name: string): string[] | undefined {
  if (!values) return undefined;
  const texts = [...new Set(values)];
  if (texts.length <= FILTER_VALUE_COUNT_MAX) return texts;
  return reject(`Too many ${name} supplied: ${texts.length} (max ${FILTER_VALUE_COUNT_MAX})`);
}

function deleteRoute({ target }: TargetWords<NotedTarget>): RestRoute {
  return defineRoute({
    method: 'DELETE',
    path: pathOf(target),
    access: 'member',
    operationId: `delete${capitalized(target)}Annotations`,
    tag: 'annotations',
    summary: `Delete annotations of ${target}s`,
    description:
      'Deletes the annotations for which every given condition holds. With sign-in, only administrators delete those of others.',
    params: PROJECT_PARAM,
    query: Type.Object({
      name: Type.Optional(Type.String({ minLength: 1 })),
      identifier: Type.Optional(Type.String({ minLength: 1 })),
      annotator_kind: Type.Optional(OneOf(ANNOTATOR_KINDS)),
      start_time: Type.Optional(
        DateTime({ description: 'Created at or after this time. Without an offset it is UTC.' }),
      ),
      end_time: Type.Optional(DateTime({ description: 'Created before this time. Without an offset it is UTC.' })),
      delete_all: Type.Boolean({ default: false, description: 'Required unless both times are given.' }),
    }),
    success: { status: 204, description: 'No such annotation exists any more.' },
    errors: { 404: PROJECT_NOT_FOUND, 422: UNBOUNDED },
    async handle({ domain, params, query }) {
      const { name, identifier, annotator_kind: annotatorKind, start_time: start, end_time: end } = query;
      if (!query.delete_all && !(start && end)) reject(UNBOUNDED);
      if (start && end && start.unixNano >= end.unixNano) {
        reject('`start_time` must be strictly earlier than `end_time`.');
      }
      const project = await domain.projects.get(toProjectRef(params.project_identifier));
      await domain.annotations.deleteMatching({
        target,
        projectId: project.rowId,
        ...(name !== undefined && { name }),
        ...(identifier !== undefined && { identifier }),
        ...(annotatorKind && { annotatorKind }),
        ...(start && { createdFromMs: toMsUp(start.unixNano) }),
        ...(end && { createdBeforeMs: toMsUp(end.unixNano) }),
      });
    },
  });
}

const UNBOUNDED =
  'Delete is unbounded. Set delete_all=true to acknowledge, or supply both start_time and end_time to bound the time range.';

/** Rounds up to milliseconds, in which annotations are created. */
const toMsUp = (unixNano: bigint): number => Math.ceil(Number(unixNano / 1_000n) / 1_000);

const reject = (message: string): never => {
  throw new SpandrelError('QUERY_INVALID', message);
};

const AnnotationFields = {
  id: Type.String({ description: 'Global ID.' }),
  created_at: DateTimeText(),
  updated_at: DateTimeText(),
  source: OneOf(ANNOTATION_SOURCES),
  user_id: Nullable(Type.String(), { description: 'Global ID of the author.' }),
  name: Type.String(),
  annotator_kind: OneOf(ANNOTATOR_KINDS),
  result: Type.Object({
    label: Nullable(Type.String()),
    score: Nullable(Type.Number()),
    explanation: Nullable(Type.String()),
  }),
  metadata: JsonObject(),
  identifier: Type.String(),
};

const annotationJson = ({ target, idField, idDescription }: TargetWords) =>
  Type.Object(
    { ...AnnotationFields, [idField]: Type.String({ description: idDescription }) },
    { $id: `${capitalized(target)}Annotation` },
  );

const exampleOf = ({ idField, globalIdType, example }: TargetWords): Static<ReturnType<typeof annotationJson>> => ({
  id: toGlobalId(globalIdType, 9),
  created_at: '2026-01-15T09:31:00.250000+00:00',
  updated_at: '2026-01-15T09:31:00.250000+00:00',
  source: 'API',
  user_id: null,
  name: 'correctness',
  annotator_kind: 'LLM',
  result: { label: 'correct', score: 1, explanation: 'Names the right city.' },
  metadata: {},
  identifier: '',
  [idField]: example,
});

/** JSON text of an annotation. The metadata keeps its notation. */
const toText =
  ({ idField, globalIdType }: TargetWords) =>
  ({ metadata, ...annotation }: Annotation): string => {
    const json = {
      id: toGlobalId(globalIdType, annotation.rowId),
      created_at: formatUnixNano(BigInt(annotation.createdAtMs) * 1_000_000n),
      updated_at: formatUnixNano(BigInt(annotation.updatedAtMs) * 1_000_000n),
      source: annotation.source,
      user_id: annotation.userId === null ? null : toGlobalId('User', annotation.userId),
      name: annotation.name,
      annotator_kind: annotation.annotatorKind,
      result: { label: annotation.label, score: annotation.score, explanation: annotation.explanation },
      identifier: annotation.identifier,
      [idField]: annotation.targetId,
    };
    return `${JSON.stringify(json).slice(0, -1)},"metadata":${metadata}}`;
  };
