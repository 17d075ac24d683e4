import { type Static, Type } from '@sinclair/typebox';
import type { User } from '../../../model/access/user.ts';
import { PROJECT_LEVELS } from '../../../model/projects/project-member.ts';
import type { Domain, ProjectAccessView } from '../../../domain/domain.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { toProjectRef } from '../../contract/parse-refs.ts';
import { toGivenMember, toMemberRef } from '../../contract/project-member-ref.ts';
import { defineRoute, type RestRoute } from '../define-route.ts';
import { rowIdIn } from '../row-id.ts';
import { DataOf, Nullable, OneOf } from '../schema.ts';
import { PROJECT_NOT_FOUND, PROJECT_PARAM } from './projects.ts';

const Level = OneOf(PROJECT_LEVELS, {
  description: 'READER: reads. EDITOR: also writes. OWNER: also manages the access.',
});
const MemberJson = Type.Object(
  {
    user: Nullable(Type.Object({ id: Type.String(), username: Type.String(), email: Nullable(Type.String()) })),
    group: Nullable(Type.String({ description: 'A group of the identity provider.' })),
    level: Level,
  },
  { $id: 'ProjectMember' },
);
const AccessJson = Type.Object(
  {
    is_private: Type.Boolean({ description: 'Whether only members and administrators find the project.' }),
    is_enforced: Type.Boolean({ description: 'False while sign-in is off. Then a private project is open.' }),
    level: Level,
    members: Type.Array(MemberJson),
  },
  { $id: 'ProjectAccess' },
);
const Member = {
  user_id: Type.Optional(Type.String({ description: 'Global ID of a user.' })),
  group: Type.Optional(Type.String({ description: 'A group of the identity provider.' })),
};

const PATH = '/v1/projects/:project_identifier/access';
const COMMON = { tag: 'projects', params: PROJECT_PARAM } as const;
const SUCCESS = { status: 200, description: 'The access after the change.', schema: DataOf(AccessJson) } as const;
const ERRORS = {
  403: 'Only owners of this project can perform this action.',
  404: PROJECT_NOT_FOUND,
  409: 'A private project needs an owner. Make another member an owner first.',
};

/** Who may use a project. */
export const projectAccessRoutes = (): RestRoute[] => [
  defineRoute({
    ...COMMON,
    method: 'GET',
    path: PATH,
    access: 'viewer',
    operationId: 'getProjectAccess',
    summary: 'Read who may use a project',
    success: { ...SUCCESS, description: 'The access.' },
    errors: { 404: PROJECT_NOT_FOUND },
    handle: ({ domain, params }) => readAccess(domain, params.project_identifier),
  }),
  defineRoute({
    ...COMMON,
    method: 'PATCH',
    path: PATH,
    access: 'member',
    blockedWhenStorageFull: true,
    operationId: 'setProjectPrivacy',
    summary: 'Make a project private or open',
    description: 'Needs an owner or administrator. Members stay.',
    body: Type.Object({ is_private: Type.Boolean() }),
    bodyExample: { is_private: true },
    success: SUCCESS,
    errors: ERRORS,
    async handle({ domain, params, body }) {
      await domain.projects.setPrivacy(toProjectRef(params.project_identifier), body.is_private);
      return readAccess(domain, params.project_identifier);
    },
  }),
  defineRoute({
    ...COMMON,
    method: 'PUT',
    path: `${PATH}/members`,
    access: 'member',
    blockedWhenStorageFull: true,
    operationId: 'setProjectMember',
    summary: 'Add a member, or change the level of one',
    description: 'Needs an owner or administrator. Exactly one of user_id, email and group names the member.',
    body: Type.Object({ ...Member, email: Type.Optional(Type.String()), level: Level }),
    bodyExample: { email: 'ada@example.com', level: 'EDITOR' },
    success: SUCCESS,
    errors: ERRORS,
    async handle({ domain, params, body }) {
      const member = toGivenMember({ ...body, userRowId: userRowIdOf(body) });
      await domain.projects.setMember(toProjectRef(params.project_identifier), member, body.level);
      return readAccess(domain, params.project_identifier);
    },
  }),
  defineRoute({
    ...COMMON,
    method: 'DELETE',
    path: `${PATH}/members`,
    access: 'member',
    operationId: 'removeProjectMember',
    summary: 'Remove a member',
    description: 'Needs an owner or administrator; everyone may leave. Either user_id or group names the member.',
    query: Type.Object(Member),
    success: { status: 204, description: 'It is not a member.' },
    errors: ERRORS,
    async handle({ domain, params, query }) {
      const member = toMemberRef({ group: query.group, userRowId: userRowIdOf(query) });
      await domain.projects.removeMember(toProjectRef(params.project_identifier), member);
    },
  }),
];

const userRowIdOf = ({ user_id: id }: { readonly user_id?: string | undefined }): number | undefined =>
  id === undefined ? undefined : rowIdIn('User', id, `Invalid User GlobalID format: ${id}`);

async function readAccess(domain: Domain, identifier: string): Promise<{ data: Static<typeof AccessJson> }> {
  const access = await domain.projects.getAccess(toProjectRef(identifier));
  const rowIds = access.members.flatMap(({ of }) => ('group' in of ? [] : of.userRowId));
  return { data: toJson(access, await domain.users.findByRowIds(rowIds)) };
}

function toJson(
  { project, isEnforced, level, members }: ProjectAccessView,
  users: ReadonlyMap<number, User>,
): Static<typeof AccessJson> {
  return {
    is_private: project.isPrivate,
    is_enforced: isEnforced,
    level,
    members: members.flatMap(({ of, level }) => {
      if ('group' in of) return { user: null, group: of.group, level };
      const user = users.get(of.userRowId);
      if (user === undefined) return [];
      return {
        user: { id: toGlobalId('User', user.rowId), username: user.username, email: user.email },
        group: null,
        level,
      };
    }),
  };
}
