import type { AuthMethod, User } from '../../../model/access/user.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { rowIdOf } from '../../contract/global-id.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode, rowIdsOfNodes } from '../node.ts';
import { QUERY, type Resolvers, userRef } from '../resolvers.ts';

interface CreateUserInput {
  readonly email: string;
  readonly username: string;
  readonly password?: string | null;
  readonly role: string;
  readonly sendWelcomeEmail?: boolean | null;
  readonly authMethod?: AuthMethod | null;
}

interface PatchUserInput {
  readonly userId: string;
  readonly newRole?: string | null;
  readonly newUsername?: string | null;
  readonly newPassword?: string | null;
}

interface PatchViewerInput {
  readonly newUsername?: string | null;
  readonly newPassword?: string | null;
  readonly currentPassword?: string | null;
}

/** Public clients know the texts of GraphQL, which are not those of REST. */
const DELETE_TEXTS = {
  unknown: 'Some user IDs could not be found',
  defaultAdmin: 'Cannot delete the default admin user',
} as const;

export const userMutations: Resolvers = {
  async createUser(_source, { input }: { readonly input: CreateUserInput }, context: GraphqlContext) {
    const authMethod = input.authMethod ?? 'LOCAL';
    checkPasswordFits(authMethod, input.password ?? undefined, context);
    const user = await context.domain.users.create({
      email: input.email,
      username: input.username,
      role: input.role,
      authMethod,
      password: input.password ?? undefined,
      sendsWelcomeMail: input.sendWelcomeEmail ?? false,
    });
    return toPayload(user, context);
  },
  async patchUser(_source, { input }: { readonly input: PatchUserInput }, context: GraphqlContext) {
    const { newRole: role, newUsername: username, newPassword: password } = input;
    if (role == null && username == null && password == null) badInput('At least one field must be set');
    const user = await context.domain.users.patch(rowIdOfNode('User', input.userId), {
      role: role ?? undefined,
      username: username ?? undefined,
      password: password ?? undefined,
    });
    return toPayload(user, context);
  },
  async patchViewer(_source, { input }: { readonly input: PatchViewerInput }, context: GraphqlContext) {
    const { newUsername: username, newPassword: password, currentPassword } = input;
    if (username == null && password == null) badInput('At least one field must be set');
    if (password != null && !currentPassword) badInput('current_password is required when modifying password');
    const { user, hasNewPassword } = await context.domain.users.patchViewer({
      username: username ?? undefined,
      password: password ?? undefined,
      currentPassword: currentPassword ?? undefined,
    });
    if (hasNewPassword) context.signOut();
    return toPayload(user, context);
  },
  async deleteUsers(
    _source,
    { input: { userIds } }: { readonly input: { readonly userIds: readonly string[] } },
    { domain }: GraphqlContext,
  ) {
    await domain.users.delete(rowIdsOfNodes('User', userIds), DELETE_TEXTS);
    return { userIds };
  },
  async endUserSession(_source, { id }: { readonly id: string }, { domain }: GraphqlContext) {
    const rowId = rowIdOf('UserSession', id);
    if (rowId === undefined) throw new SpandrelError('NODE_ID_INVALID', `Invalid session ID: ${id}`);
    await domain.users.endSession(rowId);
    return { sessionId: id, query: QUERY };
  },
  async unlinkIdentity(_source, { id }: { readonly id: string }, { domain }: GraphqlContext) {
    const rowId = rowIdOf('UserIdentity', id);
    if (rowId === undefined) throw new SpandrelError('NODE_ID_INVALID', `Invalid ID of an identity: ${id}`);
    await domain.users.unlinkIdentity(rowId);
    return { identityId: id, query: QUERY };
  },
};

function toPayload(user: User, { loaders, invalidateReads }: GraphqlContext) {
  invalidateReads();
  loaders.users.prime(user.rowId, user);
  return { user: userRef(user.rowId) };
}

function checkPasswordFits(authMethod: AuthMethod, password: string | undefined, { domain }: GraphqlContext): void {
  if (authMethod === 'LOCAL') {
    if (!domain.signIn.policy.allowsPasswords) badInput('Basic auth is disabled: OAuth2 authentication only');
    if (!password) badInput('Password is required for local authentication');
    return;
  }
  if (password) badInput(`Password is not allowed for ${authMethod === 'LDAP' ? 'LDAP' : 'OAuth2'} authentication`);
}

function badInput(message: string): never {
  throw new SpandrelError('USER_INVALID', message);
}
