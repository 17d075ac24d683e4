import type { ConstDirectiveNode, GraphQLField } from 'graphql';
import type { Caller } from '../../../model/access/caller.ts';
import { type Access, type Denial, findDenial, RIGHTS } from '../../../model/access/rights.ts';
import { type ErrorCode, SpandrelError } from '../../../model/errors.ts';
import { storageFullError } from '../../../server/guards/storage-guard.ts';
import type { GraphqlContext } from '../context.ts';
import type { Resolver } from '../resolvers.ts';
import type { Subscriber } from './compiled-subscription.ts';

/**
 * Adds the checks that the directives of a field declare. They run before its resolver.
 *
 * @param isRoot True for a field of `Query` or `Mutation`, which must declare a right.
 */
export function guardedResolver(
  field: GraphQLField<unknown, unknown>,
  resolve: Resolver,
  { isRoot, isWrite }: { readonly isRoot: boolean; readonly isWrite: boolean },
): Resolver {
  const check = guardOf(field, isWrite);
  if (check === undefined) {
    if (isRoot) throw undeclared(field);
    return resolve;
  }
  return (source, args, context, info) => {
    check(context);
    return resolve(source, args, context, info);
  };
}

/** Adds the same checks to the start of a subscription. */
export function guardedSubscriber(field: GraphQLField<unknown, unknown>, subscriber: Subscriber): Subscriber {
  const check = guardOf(field, true);
  if (check === undefined) throw undeclared(field);
  return (args, context) => {
    check(context);
    return subscriber(args, context);
  };
}

const undeclared = ({ name }: GraphQLField<unknown, unknown>) =>
  new Error(`The field ${name} of the schema declares no right`);

/** Undefined when the directives declare no right. The result throws when the caller may not use the field. */
function guardOf(
  { astNode }: GraphQLField<unknown, unknown>,
  isWrite: boolean,
): ((context: Pick<GraphqlContext, 'domain' | 'storageLock'>) => void) | undefined {
  const directives = astNode?.directives ?? [];
  const access = readAccess(directives);
  const isBlocked = directives.some((directive) => directive.name.value === 'blockedWhenStorageFull');
  if (access === undefined) return undefined;
  return ({ domain, storageLock }) => {
    checkAccess(domain.caller, access, isWrite);
    const error = isBlocked ? storageFullError(storageLock) : undefined;
    if (error) throw error;
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
