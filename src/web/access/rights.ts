/** A right of the server's table of rights (`src/model/access/rights.ts`). */
export type Access = 'open' | 'viewer' | 'query' | 'member' | 'send' | 'admin' | 'strictAdmin' | 'scim' | 'person';

/** Role of the signed-in user, or that the server has no sign-in. */
export type Position = 'ADMIN' | 'MEMBER' | 'VIEWER' | 'signInOff';

/** Rights that a session lacks. A test compares the table with the rule of the server. */
const LACKING: Readonly<Record<Position, ReadonlySet<Access>>> = {
  signInOff: new Set<Access>(['strictAdmin', 'scim', 'person']),
  ADMIN: new Set<Access>(),
  MEMBER: new Set<Access>(['admin', 'strictAdmin', 'scim']),
  VIEWER: new Set<Access>(['query', 'member', 'send', 'admin', 'strictAdmin', 'scim']),
};

export const hasRight = (position: Position, access: Access): boolean => !LACKING[position].has(access);
