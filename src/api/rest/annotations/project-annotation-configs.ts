import { Type } from '@sinclair/typebox';
import { SpandrelError } from '../../../model/errors.ts';
import { FILTER_VALUE_COUNT_MAX } from '../../../model/limits/reads.ts';
import { configRowIdOf } from '../../contract/config-ids.ts';
import { toConfigRef, toProjectRef } from '../../contract/parse-refs.ts';
import { defineRoute, type RestRoute } from '../define-route.ts';
import { PROJECT_NOT_FOUND, PROJECT_PARAM } from '../projects/projects.ts';
import { DataOf } from '../schema.ts';
import { ConfigJson, SHOWN_CONFIG_EXAMPLE, toConfigJson } from './annotation-config-json.ts';
import { CONFIG_PAGE, ConfigPageQuery, toPageJson, toPageQuery } from './annotation-config-page.ts';

const PARAMS = { ...PROJECT_PARAM, config_identifier: 'Global ID or name of the config.' };
const NOT_FOUND = 'Annotation configuration not found';
const SOME_NOT_FOUND = 'One or more annotation configurations were not found';

/** Assignments of annotation configs to projects, which show them. */
export const projectAnnotationConfigRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/projects/:project_identifier/annotation_configs',
    access: 'viewer',
    operationId: 'listProjectAnnotationConfigs',
    tag: 'annotation configs',
    summary: 'List the annotation configs of a project, newest first',
    params: PROJECT_PARAM,
    query: ConfigPageQuery,
    success: CONFIG_PAGE,
    errors: { 400: 'Invalid cursor: <cursor>', 404: PROJECT_NOT_FOUND },
    async handle({ domain, params, query }) {
      const page = toPageQuery(query);
      const project = await domain.projects.get(toProjectRef(params.project_identifier));
      return toPageJson(await domain.annotationConfigs.list({ ...page, projectId: project.rowId }));
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/v1/projects/:project_identifier/annotation_configs/:config_identifier',
    access: 'member',
    blockedWhenStorageFull: true,
    operationId: 'assignAnnotationConfig',
    tag: 'annotation configs',
    summary: 'Assign an annotation config to a project',
    params: PARAMS,
    success: {
      status: 200,
      description: 'The config is assigned to the project, now or before.',
      schema: DataOf(ConfigJson),
      example: { data: SHOWN_CONFIG_EXAMPLE },
    },
    errors: { 404: NOT_FOUND },
    async handle({ domain, params }) {
      const project = await domain.projects.get(toProjectRef(params.project_identifier));
      const config = await domain.annotationConfigs.get(toConfigRef(params.config_identifier));
      await domain.annotationConfigs.assign([{ projectId: project.rowId, configRowId: config.rowId }], 'ignore');
      return { data: toConfigJson(config) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/projects/:project_identifier/annotation_configs/:config_identifier',
    access: 'member',
    operationId: 'unassignAnnotationConfig',
    tag: 'annotation configs',
    summary: 'Remove an annotation config from a project',
    params: PARAMS,
    success: { status: 204, description: 'The config is not assigned to the project.' },
    errors: { 404: NOT_FOUND },
    async handle({ domain, params }) {
      const project = await domain.projects.get(toProjectRef(params.project_identifier));
      const config = await domain.annotationConfigs.get(toConfigRef(params.config_identifier));
      await domain.annotationConfigs.unassign([{ projectId: project.rowId, configRowId: config.rowId }], 'ignore');
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/v1/projects/:project_identifier/annotation_configs',
    access: 'member',
    blockedWhenStorageFull: true,
    operationId: 'setProjectAnnotationConfigs',
    tag: 'annotation configs',
    summary: 'Assign exactly these annotation configs to a project',
    params: PROJECT_PARAM,
    body: Type.Object({ annotation_config_ids: Type.Array(Type.String(), { maxItems: FILTER_VALUE_COUNT_MAX }) }),
    bodyExample: { annotation_config_ids: [SHOWN_CONFIG_EXAMPLE.id] },
    success: { ...CONFIG_PAGE, description: 'All annotation configs of the project, newest first.' },
    errors: { 404: PROJECT_NOT_FOUND, 422: SOME_NOT_FOUND },
    async handle({ domain, params, body }) {
      const rowIds = body.annotation_config_ids.map(
        (id) => configRowIdOf(id) ?? reject(`Invalid annotation configuration ID: ${id}`),
      );
      const project = await domain.projects.get(toProjectRef(params.project_identifier));
      return toPageJson({ items: await domain.annotationConfigs.setOfProject(project.rowId, rowIds) });
    },
  }),
];

const reject = (message: string): never => {
  throw new SpandrelError('QUERY_INVALID', message);
};
