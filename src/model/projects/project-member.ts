/** What a member of a private project may do: read, also write, also manage the access. Each level includes those before it. */
export const PROJECT_LEVELS = ['READER', 'EDITOR', 'OWNER'] as const;
export type ProjectLevel = (typeof PROJECT_LEVELS)[number];

/** A person, or a group of the identity provider. */
export type MemberRef = { readonly userRowId: number } | { readonly group: string };

export interface ProjectMember {
  readonly of: MemberRef;
  readonly level: ProjectLevel;
}

/** Rows of projects that a read may see. */
export type ProjectScope = { readonly only: readonly number[] } | { readonly except: readonly number[] };

/** Projects that both scopes contain. */
export function inBothScopes(one: ProjectScope, other: ProjectScope): ProjectScope {
  if ('except' in one) return 'only' in other ? inBothScopes(other, one) : { except: [...one.except, ...other.except] };
  const isIn = new Set('only' in other ? other.only : other.except);
  return { only: one.only.filter((id) => isIn.has(id) === 'only' in other) };
}

export const hasLevel = (level: ProjectLevel, least: ProjectLevel): boolean =>
  PROJECT_LEVELS.indexOf(level) >= PROJECT_LEVELS.indexOf(least);

export const isSameMember = (one: MemberRef, other: MemberRef): boolean =>
  'group' in one
    ? 'group' in other && one.group === other.group
    : 'userRowId' in other && one.userRowId === other.userRowId;
