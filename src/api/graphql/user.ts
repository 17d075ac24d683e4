import type { Resolver, Resolvers } from './resolvers.ts';

/** Who made something. Nobody signs in to this server, so nothing that it stores has a maker. */
export const madeByNobody: Resolver = () => null;

export const userQueries: Resolvers = { viewer: madeByNobody };
