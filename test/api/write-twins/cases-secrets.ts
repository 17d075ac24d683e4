import { type Made, mutation, type NounTwins, type Outcome, over, type World } from './twins.ts';

interface Change {
  readonly key: string;
  readonly value: string | null;
  readonly hosts?: readonly string[] | null;
}

const put = (secrets: readonly Change[]) => ({ method: 'PUT', path: '/v1/secrets', body: { secrets } }) as const;

async function setUp(world: World): Promise<Made> {
  await world.rest(put([{ key: 'STORED', value: 'old', hosts: ['a.example'] }]));
  return {};
}

const row = (key: string, hosts: readonly string[] | null = null) => ({ key, hosts, user_id: null });

const CASES: readonly (Outcome & { readonly title: string; readonly fields: { readonly secrets: Change[] } })[] = [
  {
    title: 'stores new secrets',
    fields: {
      secrets: [
        { key: ' _NEW1 ', value: ' x ' },
        { key: 'b', value: 'y', hosts: ['B.example', '*.c.example'] },
      ],
    },
    stores: { secrets: [row('STORED', ['a.example']), row('_NEW1'), row('b', ['b.example', '*.c.example'])] },
  },
  {
    title: 'replaces a value and keeps its hosts',
    fields: { secrets: [{ key: 'STORED', value: 'new' }] },
    stores: { secrets: [row('STORED', ['a.example'])] },
  },
  {
    title: 'removes hosts that are null',
    fields: { secrets: [{ key: 'STORED', value: 'new', hosts: null }] },
    stores: { secrets: [row('STORED')] },
  },
  {
    title: 'deletes with null and ignores an unknown key',
    fields: {
      secrets: [
        { key: 'STORED', value: null },
        { key: 'UNKNOWN', value: null },
      ],
    },
    stores: { secrets: [] },
  },
  {
    title: 'lets the last change of a key win',
    fields: {
      secrets: [
        { key: 'STORED', value: null },
        { key: 'TWICE', value: 'x' },
        { key: 'STORED', value: 'x' },
        { key: ' TWICE', value: null },
      ],
    },
    stores: { secrets: [row('STORED', ['a.example'])] },
  },
  { title: 'rejects no secrets', fields: { secrets: [] }, code: 'SECRET_INVALID' },
  { title: 'rejects an empty key', fields: { secrets: [{ key: ' ', value: 'x' }] }, code: 'SECRET_INVALID' },
  { title: 'rejects another character', fields: { secrets: [{ key: 'A-B', value: 'x' }] }, code: 'SECRET_INVALID' },
  { title: 'rejects a digit at the start', fields: { secrets: [{ key: '1A', value: 'x' }] }, code: 'SECRET_INVALID' },
  { title: 'rejects a blank value', fields: { secrets: [{ key: 'A', value: ' ' }] }, code: 'SECRET_INVALID' },
  {
    title: 'rejects a value that is too long',
    fields: { secrets: [{ key: 'A', value: 'x'.repeat(64 * 1024 + 1) }] },
    code: 'SECRET_INVALID',
  },
  {
    title: 'rejects a host with a port',
    fields: { secrets: [{ key: 'A', value: 'x', hosts: ['a.example:1'] }] },
    code: 'SECRET_INVALID',
  },
  {
    title: 'stores nothing when one of them is invalid',
    fields: {
      secrets: [
        { key: 'A', value: 'x' },
        { key: 'B', value: '' },
      ],
    },
    code: 'SECRET_INVALID',
    stores: { secrets: [row('STORED', ['a.example'])] },
  },
  {
    title: 'rejects a redacted value of another server',
    fields: { secrets: [{ key: 'A', value: '\uE000REDACTED\uE000\uE000AAAA' }] },
    code: 'QUERY_INVALID',
  },
];

export const SECRETS: NounTwins = {
  twins: [
    {
      operation: 'upsertOrDeleteSecrets',
      mutation: 'upsertOrDeleteSecrets',
      cases: over(
        setUp,
        {
          rest: (_made, { secrets }) => put(secrets),
          graphql: (_made, input) =>
            mutation('upsertOrDeleteSecrets', 'UpsertOrDeleteSecretsMutationInput', 'deletedIds', input),
        },
        CASES,
      ),
    },
  ],
  alone: {},
};
