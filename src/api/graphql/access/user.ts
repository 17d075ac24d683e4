import type { Authored } from '../../../model/access/author.ts';
import type { Session } from '../../../model/access/session.ts';
import { DEFAULT_ADMIN, ROLE_ROW_IDS, type Role, type User } from '../../../model/access/user.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { mayManage } from '../../../domain/access/change-users.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import type { GraphqlContext } from '../context.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import { fromRow, id, type NodeRef, type Resolvers, userApiKeyRef, userRef } from '../resolvers.ts';

/** The author of an object. Null for none, and after the user was deleted, whom annotations still name. */
export const authorRef = ({ userId }: Authored, { loaders }: GraphqlContext): unknown =>
  userId === null ? null : whenKnown(loaders.users.load(userId), (user) => (user ? userRef(userId) : null));

const row = fromRow<User>(({ users }) => users);

export const userResolvers: Resolvers = {
  id,
  username: row(({ username }) => username),
  // Everyone sees the authors of objects, and only administrators the addresses of others.
  email: row(({ rowId, email }, { domain: { caller } }) => (mayManage(caller, rowId) ? email : null)),
  profilePictureUrl: row(({ profilePictureUrl }) => profilePictureUrl),
  createdAt: row(({ createdAt }) => createdAt),
  authMethod: row(({ authMethod }) => authMethod),
  role: row(({ role }) => toRole(role)),
  passwordNeedsReset: row(({ passwordNeedsReset }) => passwordNeedsReset),
  isManagementUser: row(
    ({ email }, { domain }) =>
      email !== null && (email === DEFAULT_ADMIN.email || domain.users.managementEmails.includes(email)),
  ),
  apiKeys: ({ rowId }: NodeRef, _args, context) =>
    whenKnown(keysOf(rowId, context), (keys) => {
      context.items.take(keys.length);
      for (const key of keys) context.loaders.apiKeys.prime(key.rowId, key);
      return keys.map((key) => userApiKeyRef(key.rowId));
    }),
  apiKeyCount: ({ rowId }: NodeRef, _args, context) => whenKnown(keysOf(rowId, context), (keys) => keys.length),
  async sessions({ rowId }: NodeRef, _args, context) {
    checkManages(rowId, context);
    const sessions = await context.domain.users.listSessions(rowId);
    context.items.take(sessions.length);
    return sessions.map((session) => toSession(session, context));
  },
  async linkedIdentities({ rowId }: NodeRef, _args, context) {
    checkManages(rowId, context);
    const identities = await context.domain.users.listIdentities(rowId);
    context.items.take(identities.length);
    return identities.map((identity) => ({ ...identity, id: toGlobalId('UserIdentity', identity.rowId) }));
  },
};

export const toRole = (role: Role) => ({
  __typename: 'UserRole',
  id: toGlobalId('UserRole', ROLE_ROW_IDS[role]),
  name: role,
});

function keysOf(rowId: number, context: GraphqlContext) {
  checkManages(rowId, context);
  return whenKnown(context.loaders.apiKeysOfUsers.load(rowId), (keys = []) => keys);
}

/** @throws {SpandrelError} `ACCESS_DENIED` for a user of another person */
export function checkManages(rowId: number, { domain }: GraphqlContext): void {
  if (mayManage(domain.caller, rowId)) return;
  throw new SpandrelError('ACCESS_DENIED', 'User not authorized to access credentials');
}

function toSession(session: Session, { domain: { caller } }: GraphqlContext) {
  const isCurrent =
    caller.kind === 'signedIn' && caller.credential === 'session' && caller.credentialRowId === session.rowId;
  return { ...session, id: toGlobalId('UserSession', session.rowId), isCurrent };
}
