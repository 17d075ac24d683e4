import { Type } from '@sinclair/typebox';
import { ASSIGNABLE_ROLES, type AuthMethod } from '../../../model/access/user.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { PAGE_ROW_COUNT_MAX } from '../../../model/limits/reads.ts';
import { cursorTo, rowIdOfCursor } from '../cursor.ts';
import { defineRoute, type RestRoute } from '../define-route.ts';
import { rowIdIn } from '../row-id.ts';
import { Cursor, DataOf, OneOf, OpenLimit, PageOf } from '../schema.ts';
import { toUserJson, UserJson } from './user-json.ts';

interface NewUserFields {
  readonly auth_method: AuthMethod;
  readonly email: string;
  readonly username: string;
  readonly role: string;
  readonly password?: string;
  readonly oauth2_client_id?: string;
  readonly oauth2_user_id?: string;
}

const COMMON = {
  email: Type.String(),
  username: Type.String(),
  role: OneOf(['SYSTEM', ...ASSIGNABLE_ROLES]),
};

const NewUser = Type.Unsafe<NewUserFields>({
  anyOf: [
    Type.Object({
      auth_method: Type.Literal('LOCAL'),
      ...COMMON,
      password: Type.Optional(Type.String({ description: 'Default: a random one, which the user must reset.' })),
    }),
    Type.Object({
      auth_method: Type.Literal('OAUTH2'),
      ...COMMON,
      oauth2_client_id: Type.Optional(Type.String()),
      oauth2_user_id: Type.Optional(Type.String()),
    }),
    Type.Object({ auth_method: Type.Literal('LDAP'), ...COMMON }),
  ],
  discriminator: { propertyName: 'auth_method' },
});

const EXAMPLE = {
  id: 'VXNlcjoz',
  username: 'ada',
  email: 'ada@example.com',
  role: 'MEMBER',
  auth_method: 'LOCAL',
  created_at: '2026-01-01T00:00:00+00:00',
  updated_at: '2026-01-01T00:00:00+00:00',
  password_needs_reset: true,
};

export const userRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/user',
    access: 'viewer',
    operationId: 'getViewer',
    tag: 'users',
    summary: 'Read the account of the caller',
    description: 'With the admin secret or a system key it is the internal account.',
    success: {
      status: 200,
      description: 'The account, or only `auth_method: ANONYMOUS` while sign-in is off.',
      schema: DataOf(Type.Union([UserJson, Type.Object({ auth_method: Type.Literal('ANONYMOUS') })])),
      example: { data: EXAMPLE },
    },
    errors: { 401: 'User not found' },
    async handle({ domain: { caller, users } }) {
      if (caller.kind !== 'signedIn') return { data: { auth_method: 'ANONYMOUS' as const } };
      const { rowId } = caller.user;
      const user = (await users.findByRowIds([rowId])).get(rowId);
      if (user === undefined) throw new SpandrelError('UNAUTHENTICATED', 'User not found');
      return { data: toUserJson(user) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/users',
    access: 'admin',
    operationId: 'listUsers',
    tag: 'users',
    summary: 'List users, newest first',
    query: Type.Object({ cursor: Cursor, limit: OpenLimit }),
    success: {
      status: 200,
      description: 'One page of users, with the internal account.',
      schema: PageOf(UserJson),
      example: { data: [EXAMPLE], next_cursor: null },
    },
    errors: { 422: 'Invalid cursor format: <cursor>' },
    async handle({ domain, query }) {
      const fromRowId = rowIdOfCursor(query.cursor, `Invalid cursor format: ${query.cursor}`);
      const page = await domain.users.list({
        limit: Math.min(query.limit, PAGE_ROW_COUNT_MAX),
        ...(fromRowId !== undefined && { fromRowId }),
      });
      return { data: page.items.map(toUserJson), next_cursor: cursorTo('User', page.nextRowId) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/users',
    access: 'admin',
    blockedWhenStorageFull: true,
    operationId: 'createUser',
    tag: 'users',
    summary: 'Create a user',
    body: Type.Object({
      user: NewUser,
      send_welcome_email: Type.Boolean({ default: true, description: 'Has no effect without a mail server.' }),
    }),
    bodyExample: { user: { auth_method: 'LOCAL', email: 'ada@example.com', username: 'ada', role: 'MEMBER' } },
    success: { status: 201, description: 'The user.', schema: DataOf(UserJson), example: { data: EXAMPLE } },
    errors: {
      400: 'Cannot create users with SYSTEM role',
      409: 'Username already exists',
      422: 'Password must be at least 4 characters long',
    },
    async handle({ domain, body: { user, send_welcome_email: sendsWelcomeMail } }) {
      const created = await domain.users.create({
        email: user.email,
        username: user.username,
        role: user.role,
        authMethod: user.auth_method,
        password: user.password,
        oauth2ClientId: user.oauth2_client_id,
        oauth2UserId: user.oauth2_user_id,
        sendsWelcomeMail,
      });
      return { data: toUserJson(created) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/users/:user_id',
    access: 'admin',
    operationId: 'deleteUser',
    tag: 'users',
    summary: 'Delete a user',
    description: 'Sessions and keys of the user end at once. What the user wrote stays, without an author.',
    params: { user_id: 'Global ID of the user.' },
    success: { status: 204, description: 'The user is deleted.' },
    errors: {
      403: 'Cannot delete the default admin or system user',
      404: 'User not found',
      422: 'Invalid User GlobalID format: <id>',
    },
    async handle({ domain, params: { user_id: id } }) {
      await domain.users.delete([rowIdIn('User', id, `Invalid User GlobalID format: ${id}`)]);
    },
  }),
];
