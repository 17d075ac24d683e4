import type { Resolver, Resolvers } from './resolvers.ts';

/** Author of a stored object. Users do not sign in to this server, so it has none. */
export const noUser: Resolver = () => null;

export const userQueries: Resolvers = { viewer: noUser };
