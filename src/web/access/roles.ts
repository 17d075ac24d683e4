/** Names of the roles, from the one with the most rights. */
export const ROLES: ReadonlyMap<string, string> = new Map([
  ['ADMIN', 'Administrator'],
  ['MEMBER', 'Member'],
  ['VIEWER', 'Viewer'],
]);
