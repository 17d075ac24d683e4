import { type Static, Type } from '@sinclair/typebox';
import { SpandrelError } from '../../../model/errors.ts';
import type { ExperimentTag } from '../../../model/experiment.ts';
import type { Domain } from '../../../domain/domain.ts';
import { type ErrorTexts, withTexts } from '../../contract/error-texts.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { defineRoute, type RestRoute } from '../define-route.ts';
import { rowIdIn } from '../row-id.ts';
import { DataOf, Nullable } from '../schema.ts';
import { EXPERIMENT_PARAM } from './experiments.ts';

const TagJson = Type.Object(
  { id: Type.String({ description: 'Global ID.' }), name: Type.String(), description: Nullable(Type.String()) },
  { $id: 'ExperimentTag' },
);

const IDENTIFIER = '^[a-z0-9]([_a-z0-9-]*[a-z0-9])?$';
const ERRORS = { 404: 'Experiment not found', 422: 'Invalid experiment ID: <id>' };
const PATH = '/v1/experiments/:experiment_id/tags';

export const experimentTagRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'GET',
    path: PATH,
    access: 'viewer',
    operationId: 'listExperimentTags',
    tag: 'experiments',
    summary: 'List the tags of an experiment by name',
    params: EXPERIMENT_PARAM,
    success: { status: 200, description: 'The tags.', schema: DataOf(Type.Array(TagJson)) },
    errors: ERRORS,
    async handle({ domain, params }) {
      const rowId = await findRowId(domain, params.experiment_id);
      return { data: (await domain.experiments.listTags(rowId)).map(toJson) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: PATH,
    access: 'member',
    blockedWhenStorageFull: true,
    idempotency: 'repeatable',
    operationId: 'tagExperiment',
    tag: 'experiments',
    summary: 'Tag an experiment',
    description: 'A tag belongs to one experiment of a dataset. If another experiment has it, it is moved.',
    params: EXPERIMENT_PARAM,
    body: Type.Object({
      name: Type.String({ pattern: IDENTIFIER }),
      description: Type.Optional(Nullable(Type.String())),
    }),
    bodyExample: { name: 'baseline' },
    success: { status: 200, description: 'The tag.', schema: DataOf(TagJson) },
    errors: { ...ERRORS, 422: `${ERRORS[422]}; an ephemeral experiment as baseline` },
    async handle({ domain, params, body: { name, description = null } }) {
      const rowId = experimentRowId(params.experiment_id);
      return { data: toJson(await withTexts(ABSENT, () => domain.experiments.tag(rowId, { name, description }))) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: `${PATH}/:tag_identifier`,
    access: 'member',
    operationId: 'untagExperiment',
    tag: 'experiments',
    summary: 'Remove a tag from an experiment',
    params: { ...EXPERIMENT_PARAM, tag_identifier: 'Name of the tag.' },
    success: { status: 204, description: 'The experiment does not have the tag.' },
    errors: ERRORS,
    async handle({ domain, params }) {
      const name = params.tag_identifier;
      const rowId = await findRowId(domain, params.experiment_id);
      if (!new RegExp(IDENTIFIER).test(name)) {
        throw new SpandrelError('QUERY_INVALID', `Invalid tag identifier: ${name}`);
      }
      await withTexts(ABSENT, () => domain.experiments.untag(rowId, name));
    },
  }),
];

const experimentRowId = (id: string): number => rowIdIn('Experiment', id, `Invalid experiment ID: ${id}`);

const ABSENT: ErrorTexts = { EXPERIMENT_NOT_FOUND: 'Experiment not found' };

async function findRowId({ experiments }: Domain, id: string): Promise<number> {
  const rowId = experimentRowId(id);
  await withTexts(ABSENT, () => experiments.get(rowId));
  return rowId;
}

const toJson = ({ rowId, name, description }: ExperimentTag): Static<typeof TagJson> => ({
  id: toGlobalId('ExperimentTag', rowId),
  name,
  description,
});
