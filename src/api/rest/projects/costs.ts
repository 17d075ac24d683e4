import { type Static, Type } from '@sinclair/typebox';
import { SpandrelError } from '../../../model/errors.ts';
import type { CostRecomputation } from '../../../model/models/cost-recomputation.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { toProjectRef } from '../../contract/parse-refs.ts';
import { defineRoute, type RestRoute } from '../define-route.ts';
import { DataOf, Nullable } from '../schema.ts';
import { PROJECT_NOT_FOUND } from './projects.ts';

const RecomputationJson = Type.Object(
  {
    id: Type.String(),
    project_id: Nullable(Type.String({ description: 'Global ID. Null for all projects.' })),
    progress: Type.Number({ description: '0 to 1.' }),
    created_at: Type.String({ format: 'date-time' }),
    ended_at: Nullable(Type.String({ format: 'date-time' })),
  },
  { $id: 'CostRecomputation' },
);

const EXAMPLE = {
  data: { id: '1', project_id: 'UHJvamVjdDox', progress: 0.25, created_at: '2026-03-02T10:00:00.000Z', ended_at: null },
};

export const costRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'POST',
    path: '/v1/cost_recomputations',
    access: 'admin',
    blockedWhenStorageFull: true,
    operationId: 'recomputeCosts',
    tag: 'costs',
    summary: 'Recompute the costs of stored spans',
    description:
      'Spans are priced when they arrive and keep that cost. This request prices stored spans again by the current model prices, in the background. Spans of models without a price then have no cost.',
    body: Type.Object({
      project_identifier: Type.Optional(
        Nullable(
          Type.String({ description: 'Global ID or exact name of a project. Null or absent for all projects.' }),
        ),
      ),
    }),
    bodyExample: { project_identifier: 'my-agent' },
    success: {
      status: 202,
      description: 'The recomputation has started.',
      schema: DataOf(RecomputationJson),
      example: EXAMPLE,
    },
    errors: { 404: PROJECT_NOT_FOUND, 409: 'There are <n> recomputations that have not ended; wait for them' },
    async handle({ domain, body: { project_identifier: identifier } }) {
      return { data: toJson(await domain.costs.recompute(identifier == null ? undefined : toProjectRef(identifier))) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/cost_recomputations/:recomputation_id',
    access: 'viewer',
    operationId: 'getCostRecomputation',
    tag: 'costs',
    summary: 'Read the progress of a cost recomputation',
    params: { recomputation_id: 'ID from the response to the request that started it.' },
    success: { status: 200, description: 'Its progress.', schema: DataOf(RecomputationJson), example: EXAMPLE },
    errors: { 404: 'Recomputation with id <id> not found' },
    async handle({ domain, params: { recomputation_id: id } }) {
      const rowId = /^\d{1,15}$/.test(id) ? Number(id) : notFound(id);
      return { data: toJson(await domain.costs.getRecomputation(rowId)) };
    },
  }),
];

const notFound = (id: string): never => {
  throw new SpandrelError('RECOMPUTATION_NOT_FOUND', `Recomputation with id ${id} not found`);
};

function toJson(recomputation: CostRecomputation): Static<typeof RecomputationJson> {
  const { rowId, projectId, nextSpanRowId, lastSpanRowId, createdAt, endedAt } = recomputation;
  const done = lastSpanRowId === null ? 0 : Math.min(1, (nextSpanRowId - 1) / Math.max(1, lastSpanRowId));
  return {
    id: String(rowId),
    project_id: projectId === null ? null : toGlobalId('Project', projectId),
    progress: endedAt ? 1 : done,
    created_at: createdAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
  };
}
