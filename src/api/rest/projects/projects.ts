import { type Static, Type } from '@sinclair/typebox';
import { PAGE_ROW_COUNT_MAX } from '../../../model/limits/reads.ts';
import { type Project, projectNameProblem } from '../../../model/projects/project.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { toProjectRef } from '../../contract/parse-refs.ts';
import { cursorTo, rowIdOfCursor } from '../cursor.ts';
import { defineRoute, type RestRoute } from '../define-route.ts';
import { Cursor, DataOf, Nullable, OpenLimit, PageOf, Ruled } from '../schema.ts';

const ProjectJson = Type.Object(
  { name: Type.String(), description: Nullable(Type.String()), id: Type.String({ description: 'Global ID.' }) },
  { $id: 'Project' },
);

/** Parameter of every route with a project in its path, and the error when the project does not exist. */
export const PROJECT_PARAM = { project_identifier: 'Global ID or exact name of the project.' };
export const PROJECT_NOT_FOUND = 'Project with name <name> not found';

const EXAMPLE = { name: 'my-agent', description: 'Support agent in production', id: 'UHJvamVjdDox' };
const DATA_EXAMPLE = { data: EXAMPLE };
const PAGE_EXAMPLE = { data: [EXAMPLE], next_cursor: null };

export const projectRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/projects',
    access: 'viewer',
    operationId: 'listProjects',
    tag: 'projects',
    summary: 'List projects, newest first',
    query: Type.Object({
      cursor: Cursor,
      limit: OpenLimit,
      include_experiment_projects: Type.Boolean({
        default: false,
        description: 'Also list projects of experiments.',
      }),
      include_dataset_evaluator_projects: Type.Boolean({
        default: false,
        description: 'Also list projects of dataset evaluators.',
      }),
      name_contains: Type.Optional(Type.String({ description: 'Part of the name. Case is ignored.' })),
    }),
    success: { status: 200, description: 'One page of projects.', schema: PageOf(ProjectJson), example: PAGE_EXAMPLE },
    errors: { 422: 'Invalid cursor format: <cursor>' },
    async handle({ domain, query }) {
      const fromRowId = rowIdOfCursor(query.cursor, `Invalid cursor format: ${query.cursor}`);
      const page = await domain.projects.list({
        limit: Math.min(query.limit, PAGE_ROW_COUNT_MAX),
        ...(fromRowId !== undefined && { fromRowId }),
        ...(query.name_contains && { nameContains: query.name_contains }),
        ...(!query.include_experiment_projects && { isOutsideExperiments: true }),
        ...(!query.include_dataset_evaluator_projects && { isOutsideEvaluators: true }),
      });
      return { data: page.items.map(toJson), next_cursor: cursorTo('Project', page.nextRowId) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/projects/:project_identifier',
    access: 'viewer',
    operationId: 'getProject',
    tag: 'projects',
    summary: 'Read a project',
    params: PROJECT_PARAM,
    success: { status: 200, description: 'The project.', schema: DataOf(ProjectJson), example: DATA_EXAMPLE },
    errors: { 404: PROJECT_NOT_FOUND },
    handle: async ({ domain, params }) => ({
      data: toJson(await domain.projects.get(toProjectRef(params.project_identifier))),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/projects',
    access: 'member',
    blockedWhenStorageFull: true,
    idempotency: 'repeatable',
    operationId: 'createProject',
    tag: 'projects',
    summary: 'Create a project',
    description: 'A project is also created by the first span that names it.',
    body: Type.Object({
      name: Ruled(Type.String({ minLength: 1 }), projectNameProblem),
      description: Type.Optional(Nullable(Type.String())),
      is_private: Type.Boolean({
        default: false,
        description: 'Whether only the caller, members and administrators find it. Needs sign-in.',
      }),
    }),
    bodyExample: { name: 'my-agent', description: 'Support agent in production' },
    success: { status: 200, description: 'The new project.', schema: DataOf(ProjectJson), example: DATA_EXAMPLE },
    errors: { 409: 'Project with name <name> already exists' },
    async handle({ domain, body }) {
      const { name, description = null, is_private: isPrivate } = body;
      return { data: toJson(await domain.projects.create({ name, description, isPrivate }, 'asSent')) };
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/v1/projects/:project_identifier',
    access: 'admin',
    blockedWhenStorageFull: true,
    operationId: 'updateProject',
    tag: 'projects',
    summary: 'Change the description of a project',
    description: 'The name of a project never changes.',
    params: PROJECT_PARAM,
    body: Type.Object({
      description: Type.Optional(Nullable(Type.String(), { description: 'Null or absent to keep it.' })),
    }),
    bodyExample: { description: 'Support agent in production' },
    success: { status: 200, description: 'The project.', schema: DataOf(ProjectJson), example: DATA_EXAMPLE },
    errors: { 404: PROJECT_NOT_FOUND },
    async handle({ domain, params, body }) {
      // Null does not change it.
      const description = body.description ?? undefined;
      const ref = toProjectRef(params.project_identifier);
      return { data: toJson(await domain.projects.update(ref, { description }, 'asSent')) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/projects/:project_identifier',
    access: 'admin',
    operationId: 'deleteProject',
    tag: 'projects',
    summary: 'Delete a project with everything in it',
    params: PROJECT_PARAM,
    success: { status: 204, description: 'The project is deleted with its traces, spans and sessions.' },
    errors: {
      403: 'The default project cannot be deleted',
      404: PROJECT_NOT_FOUND,
      409: 'An evaluator of a dataset stores its traces in the project.',
    },
    handle: ({ domain, params }) => domain.projects.delete(toProjectRef(params.project_identifier)),
  }),
];

const toJson = ({ rowId, name, description }: Project): Static<typeof ProjectJson> => ({
  name,
  description,
  id: toGlobalId('Project', rowId),
});
