import type { ErrorCode } from '../../../src/model/errors.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import type { WriteTwin } from './twins.ts';

/** A write that needs sign-in. The caller is an administrator. Both calls meet the same rows. */
export interface AccessTwin extends Pick<WriteTwin, 'operation' | 'mutation'> {
  readonly cases: readonly AccessCase[];
}

export interface AccessCase {
  readonly title: string;
  readonly rest: (ids: AccessIds) => readonly [method: string, path: string, body?: object];
  /** Query with the variable `$input`. */
  readonly input: (ids: AccessIds) => object;
  /** The code with which both APIs reject the call. Absent when both accept it. */
  readonly code?: ErrorCode;
  readonly differs?: { readonly why: string; readonly rest?: ErrorCode; readonly graphql?: ErrorCode };
}

/** Global IDs of a user, a key of the caller and a system key, which exist before each call. */
export interface AccessIds {
  readonly user: string;
  readonly userKey: string;
  readonly systemKey: string;
}

const UNKNOWN_ROW_ID = 999_999;

const newUser = (fields: { readonly username: string; readonly password?: string }) => {
  const user = { email: `${fields.username.trim()}@example.com`, role: 'MEMBER', password: 'word-1', ...fields };
  return {
    rest: () => ['POST', '/v1/users', { user: { ...user, auth_method: 'LOCAL' }, send_welcome_email: false }] as const,
    input: () => user,
  };
};

const newKey = (kind: 'user' | 'system', fields: Record<string, unknown>) => {
  const { expiresAt, ...others } = fields;
  const data = { ...others, ...(expiresAt !== undefined && { expires_at: expiresAt }) };
  return { rest: () => ['POST', `/v1/${kind}/api_keys`, { data }] as const, input: () => fields };
};

const createKey = (kind: 'user' | 'system'): readonly AccessCase[] => [
  {
    title: 'creates a key that can do everything',
    ...newKey(kind, { name: ' exporter ', description: 'of the shop' }),
  },
  {
    title: 'creates a key of some projects that only sends, until its end',
    ...newKey(kind, { name: 'k', scope: 'SEND', projects: ['a', 'b'], expiresAt: '2100-01-01T00:00:00Z' }),
  },
  {
    title: 'creates a key that has ended over GraphQL alone',
    ...newKey(kind, { name: 'k', expiresAt: '2020-01-01T00:00:00Z' }),
    differs: { why: 'The REST contract demands a time in the future.', rest: 'REQUEST_INVALID' },
  },
  { title: 'rejects a blank name', ...newKey(kind, { name: ' ' }), code: 'API_KEY_INVALID' },
  { title: 'rejects no projects', ...newKey(kind, { name: 'k', projects: [] }), code: 'API_KEY_INVALID' },
];

const deleteKey = (kind: 'user' | 'system'): readonly AccessCase[] => {
  const type = kind === 'user' ? 'UserApiKey' : 'SystemApiKey';
  const of = (idOf: (ids: AccessIds) => string) => ({
    rest: (ids: AccessIds) => ['DELETE', `/v1/${kind}/api_keys/${idOf(ids)}`] as const,
    input: (ids: AccessIds) => ({ id: idOf(ids) }),
  });
  return [
    { title: 'deletes a key', ...of(({ userKey, systemKey }) => (kind === 'user' ? userKey : systemKey)) },
    { title: 'rejects an unknown key', ...of(() => toGlobalId(type, UNKNOWN_ROW_ID)), code: 'API_KEY_NOT_FOUND' },
    {
      title: 'rejects the ID of something else',
      ...of(({ user }) => user),
      differs: { why: 'The REST contract has its own text.', rest: 'QUERY_INVALID', graphql: 'NODE_ID_INVALID' },
    },
  ];
};

const deleted = (idOf: (ids: AccessIds) => string) => ({
  rest: (ids: AccessIds) => ['DELETE', `/v1/users/${idOf(ids)}`] as const,
  input: (ids: AccessIds) => ({ userIds: [idOf(ids)] }),
});

const TWINS: readonly AccessTwin[] = [
  {
    operation: 'createUser',
    mutation: 'createUser',
    cases: [
      { title: 'creates a user', ...newUser({ username: 'ada' }) },
      { title: 'trims the name', ...newUser({ username: ' ada ' }) },
      { title: 'rejects a name that is taken', ...newUser({ username: 'stored' }), code: 'USERNAME_TAKEN' },
      { title: 'rejects a short password', ...newUser({ username: 'ada', password: 'abc' }), code: 'PASSWORD_INVALID' },
    ],
  },
  {
    operation: 'deleteUser',
    mutation: 'deleteUsers',
    cases: [
      { title: 'deletes a user', ...deleted(({ user }) => user) },
      {
        title: 'rejects an unknown user',
        ...deleted(() => toGlobalId('User', UNKNOWN_ROW_ID)),
        code: 'USER_NOT_FOUND',
      },
      { title: 'rejects the first administrator', ...deleted(() => toGlobalId('User', 1)), code: 'USER_PROTECTED' },
    ],
  },
  { operation: 'createOwnApiKey', mutation: 'createUserApiKey', cases: createKey('user') },
  { operation: 'createSystemApiKey', mutation: 'createSystemApiKey', cases: createKey('system') },
  { operation: 'deleteUserApiKey', mutation: 'deleteUserApiKey', cases: deleteKey('user') },
  { operation: 'deleteSystemApiKey', mutation: 'deleteSystemApiKey', cases: deleteKey('system') },
];

const OWN_ACCOUNT = 'People change their own account in the interface, which uses GraphQL.';

/** Users and keys. `access-twins.test.ts` runs the cases on a server with sign-in. */
export const ACCESS = {
  twins: TWINS,
  alone: {
    patchUser: 'REST does not change users.',
    patchViewer: OWN_ACCOUNT,
    endUserSession: OWN_ACCOUNT,
    unlinkIdentity: OWN_ACCOUNT,
    revokeOAuth2Grant: OWN_ACCOUNT,
  } as Readonly<Record<string, string>>,
};
