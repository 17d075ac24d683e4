import { expectPresent } from '../../../base/expect-present.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { configRowIdOf } from '../../contract/config-ids.ts';
import { parseGlobalId } from '../../contract/global-id.ts';
import { toConfigRef } from '../../contract/parse-refs.ts';
import { defineRoute, type RestRoute } from '../define-route.ts';
import { DataOf } from '../schema.ts';
import {
  CONFIG_EXAMPLE,
  ConfigJson,
  NewConfigJson,
  SHOWN_CONFIG_EXAMPLE,
  toConfigJson,
  toNewConfig,
} from './annotation-config-json.ts';
import { CONFIG_PAGE, ConfigPageQuery, toPageJson, toPageQuery } from './annotation-config-page.ts';

const CONFIG_ID = { config_id: 'Global ID of the config.' };
const NOT_FOUND = 'Annotation configuration not found';
const INVALID_ID = 'Invalid annotation configuration ID';
const NAME_TAKEN = 'The name of the annotation configuration is already taken';

const success = (description: string) =>
  ({ status: 200, description, schema: DataOf(ConfigJson), example: { data: SHOWN_CONFIG_EXAMPLE } }) as const;

export const annotationConfigRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/annotation_configs',
    access: 'viewer',
    operationId: 'listAnnotationConfigs',
    tag: 'annotation configs',
    summary: 'List annotation configs, newest first',
    query: ConfigPageQuery,
    success: CONFIG_PAGE,
    errors: { 400: 'Invalid cursor: <cursor>' },
    async handle({ domain, query }) {
      return toPageJson(await domain.annotationConfigs.list(toPageQuery(query)));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/annotation_configs/:config_identifier',
    access: 'viewer',
    operationId: 'getAnnotationConfig',
    tag: 'annotation configs',
    summary: 'Read an annotation config',
    params: { config_identifier: 'Global ID or name of the config.' },
    success: success('The config.'),
    errors: { 404: NOT_FOUND },
    handle: async ({ domain, params }) => ({
      data: toConfigJson(await domain.annotationConfigs.get(toConfigRef(params.config_identifier))),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/annotation_configs',
    access: 'member',
    blockedWhenStorageFull: true,
    idempotency: 'repeatable',
    operationId: 'createAnnotationConfig',
    tag: 'annotation configs',
    summary: 'Create an annotation config',
    description: 'A config defines the values of annotations of its name.',
    body: NewConfigJson,
    bodyExample: CONFIG_EXAMPLE,
    success: success('The new config.'),
    errors: { 400: 'Values must be non-empty', 409: NAME_TAKEN },
    handle: async ({ domain, body }) => ({
      data: toConfigJson(await domain.annotationConfigs.create(toNewConfig(body))),
    }),
  }),
  defineRoute({
    method: 'PUT',
    path: '/v1/annotation_configs/:config_id',
    access: 'member',
    blockedWhenStorageFull: true,
    operationId: 'replaceAnnotationConfig',
    tag: 'annotation configs',
    summary: 'Replace an annotation config',
    description: 'A new type of config also changes the type of its global ID.',
    params: CONFIG_ID,
    body: NewConfigJson,
    bodyExample: CONFIG_EXAMPLE,
    success: success('The replaced config.'),
    errors: { 400: INVALID_ID, 404: NOT_FOUND, 409: NAME_TAKEN },
    async handle({ domain, params, body }) {
      const rowId = rowIdOfConfig(params.config_id);
      return { data: toConfigJson(await domain.annotationConfigs.replace(rowId, toNewConfig(body))) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/annotation_configs/:config_id',
    access: 'member',
    operationId: 'deleteAnnotationConfig',
    tag: 'annotation configs',
    summary: 'Delete an annotation config',
    description: 'Annotations of its name stay.',
    params: CONFIG_ID,
    success: success('The deleted config.'),
    errors: { 400: INVALID_ID, 404: NOT_FOUND, 422: 'Invalid annotation configuration ID format: <id>' },
    async handle({ domain, params }) {
      const rowId = rowIdOfConfig(params.config_id);
      const [deleted] = await domain.annotationConfigs.delete([rowId]);
      return { data: toConfigJson(expectPresent(deleted, 'a deletion returns each config')) };
    },
  }),
];

function rowIdOfConfig(globalId: string): number {
  if (!parseGlobalId(globalId)) {
    throw new SpandrelError('QUERY_INVALID', `Invalid annotation configuration ID format: ${globalId}`);
  }
  const rowId = configRowIdOf(globalId);
  if (rowId !== undefined) return rowId;
  throw new SpandrelError('ANNOTATION_CONFIG_INVALID', INVALID_ID);
}
