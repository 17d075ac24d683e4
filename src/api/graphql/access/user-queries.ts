import { isAdmin } from '../../../model/access/caller.ts';
import { ASSIGNABLE_ROLES } from '../../../model/access/user.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { mayManage } from '../../../domain/access/change-users.ts';
import type { PageArguments } from '../arguments.ts';
import { offsetPage } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import { missing, type NodeRef, type Resolvers, userRef } from '../resolvers.ts';
import { toRole } from './user.ts';

export const userQueries: Resolvers = {
  viewer: (_source, _args, { domain: { caller } }: GraphqlContext) =>
    caller.kind === 'signedIn' ? userRef(caller.user.rowId) : null,
  users: (_source, args: PageArguments, { domain, loaders, items }: GraphqlContext) =>
    offsetPage(
      args,
      (offset, limit) => domain.users.listByEmail({ offset, limit }),
      (user) => {
        loaders.users.prime(user.rowId, user);
        return userRef(user.rowId);
      },
      items,
    ),
  userRoles: () => ASSIGNABLE_ROLES.map(toRole),
};

/**
 * A node by its ID shows an account only to its owner and to administrators. Authors of objects are shown to everyone.
 *
 * @throws {SpandrelError} `ACCESS_DENIED`
 */
export function checkUserNode({ rowId }: NodeRef<'User'>, { domain: { caller } }: GraphqlContext): void {
  if (caller.kind === 'signedIn' && (caller.user.rowId === rowId || isAdmin(caller))) return;
  throw new SpandrelError('ACCESS_DENIED', 'Only admin can perform this action');
}

/** A node by its ID shows a grant only to its user and to administrators. To others it does not exist. */
export const findGrantNode = (node: NodeRef, { loaders, domain }: GraphqlContext) =>
  whenKnown(loaders.grants.load(node.rowId), (grant) =>
    grant && mayManage(domain.caller, grant.userRowId) ? node : missing(node),
  );
