import { Type } from '@sinclair/typebox';
import { SECRET_CHANGE_COUNT_MAX } from '../../../model/limits/secrets.ts';
import {
  findSecretHostsProblem,
  findSecretKeyProblem,
  NO_SECRETS,
  VALUE_EMPTY,
} from '../../../model/secrets/secret.ts';
import { defineRoute, type RestRoute } from '../define-route.ts';
import { DataOf, Nullable, Ruled } from '../schema.ts';

const Change = Type.Object({
  key: Ruled(Type.String({ description: 'Such as `OPENAI_API_KEY`.' }), (key) => findSecretKeyProblem(key.trim())),
  value: Nullable(
    Ruled(Type.String(), (value) => (value.trim() === '' ? VALUE_EMPTY : undefined)),
    { description: 'Null deletes the secret.' },
  ),
  hosts: Type.Optional(
    Nullable(
      Ruled(Type.Array(Type.String()), (hosts) => findSecretHostsProblem(hosts)),
      {
        description:
          'Hosts that may receive the value, with `*.` at the start for all subdomains. Absent: a stored secret keeps its hosts. Null: any host.',
      },
    ),
  ),
});

const Changes = Type.Object({
  secrets: Ruled(Type.Array(Change, { maxItems: SECRET_CHANGE_COUNT_MAX }), (changes) =>
    changes.length === 0 ? NO_SECRETS : undefined,
  ),
});

export const secretRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'PUT',
    path: '/v1/secrets',
    access: 'admin',
    blockedWhenStorageFull: true,
    operationId: 'upsertOrDeleteSecrets',
    tag: 'secrets',
    summary: 'Store and delete secrets',
    description:
      'Stores the secrets with a value and deletes those with null, all of them or none. Of several changes of a key the last counts. Values are encrypted and never returned.',
    body: Changes,
    hasSecretBody: true,
    bodyExample: {
      secrets: [
        { key: 'OPENAI_API_KEY', value: 'sk-…', hosts: ['api.openai.com'] },
        { key: 'OLD_API_KEY', value: null },
      ],
    },
    success: {
      status: 200,
      description: 'Keys of the stored and of the deleted secrets, the last change of the request first.',
      schema: DataOf(
        Type.Object({ upserted_keys: Type.Array(Type.String()), deleted_keys: Type.Array(Type.String()) }),
      ),
      example: { data: { upserted_keys: ['OPENAI_API_KEY'], deleted_keys: ['OLD_API_KEY'] } },
    },
    async handle({ body, domain }) {
      const { stored, deletedKeys } = await domain.secrets.upsertOrDelete(body.secrets);
      return { data: { upserted_keys: stored.map(({ key }) => key), deleted_keys: [...deletedKeys] } };
    },
  }),
];
