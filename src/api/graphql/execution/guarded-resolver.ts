import type { GraphQLField } from 'graphql';
import { storageFullError } from '../../../server/guards/storage-guard.ts';
import type { Resolver } from '../resolvers.ts';

/** Adds the checks that the directives of a field declare. They run before its resolver. */
export function guardedResolver({ astNode }: GraphQLField<unknown, unknown>, resolve: Resolver): Resolver {
  const isBlocked = astNode?.directives?.some(({ name }) => name.value === 'blockedWhenStorageFull');
  if (!isBlocked) return resolve;
  return (source, args, context, info) => {
    const error = storageFullError(context.storageLock);
    if (error) throw error;
    return resolve(source, args, context, info);
  };
}
