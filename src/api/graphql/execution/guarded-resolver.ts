import type { ConstDirectiveNode, GraphQLField } from 'graphql';
import type { Caller } from '../../../model/access/caller.ts';
import { type Access, type Denial, findDenial, RIGHTS } from '../../../model/access/rights.ts';
import { type ErrorCode, SpandrelError } from '../../../model/errors.ts';
import { storageFullError } from '../../../server/guards/storage-guard.ts';
import type { Resolver } from '../resolvers.ts';

/**
 * Adds the checks that the directives of a field declare. They run before its resolver.
 *
 * @param isRoot True for a field of `Query` or `Mutation`, which must declare a right.
 */
export function guardedResolver(
  { astNode, name }: GraphQLField<unknown, unknown>,
  resolve: Resolver,
  { isRoot, isWrite }: { readonly isRoot: boolean; readonly isWrite: boolean },
): Resolver {
  const directives = astNode?.directives ?? [];
  const access = readAccess(directives);
  const isBlocked = directives.some((directive) => directive.name.value === 'blockedWhenStorageFull');
  if (access === undefined) {
    if (isRoot) throw new Error(`The field ${name} of the schema declares no right`);
    return resolve;
  }
  return (source, args, context, info) => {
    checkAccess(context.domain.caller, access, isWrite);
    const error = isBlocked ? storageFullError(context.storageLock) : undefined;
    if (error) throw error;
    return resolve(source, args, context, info);
  };
}

/** The right that the directives of a field declare. */
export function readAccess(directives: readonly ConstDirectiveNode[]): Access | undefined {
  const directive = directives.find(({ name }) => name.value === 'access');
  const value = directive?.arguments?.[0]?.value;
  if (value?.kind !== 'StringValue') return undefined;
  if (!Object.hasOwn(RIGHTS, value.value)) throw new Error(`The schema names the unknown right ${value.value}`);
  return value.value as Access;
}

/** @throws {SpandrelError} when the caller lacks the right */
export function checkAccess(caller: Caller, access: Access, isWrite: boolean): void {
  const denial = findDenial(caller, access, isWrite);
  if (denial === undefined) return;
  const [code, text] = ERROR_OF_DENIAL[denial];
  throw new SpandrelError(code, text);
}

/** Public clients know the texts of GraphQL, which are not those of REST. */
const ERROR_OF_DENIAL: Readonly<Record<Denial, readonly [ErrorCode, string]>> = {
  unauthenticated: ['UNAUTHENTICATED', 'Invalid token'],
  expired: ['CREDENTIAL_EXPIRED', 'Expired token'],
  viewer: ['ACCESS_DENIED', 'Viewers cannot perform this action'],
  admin: ['ACCESS_DENIED', 'Only admin can perform this action'],
  signInOff: ['SIGN_IN_OFF', 'Authentication must be enabled to manage API keys'],
  scope: ['ACCESS_DENIED', 'The scope of this API key does not allow this action'],
};
