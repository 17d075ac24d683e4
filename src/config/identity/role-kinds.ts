import { canonicalDn } from '../../base/distinguished-name.ts';
import type { SettingKind } from '../setting-kinds.ts';

/** Roles that an identity provider or a directory can give. */
const ROLES = ['ADMIN', 'MEMBER', 'VIEWER'] as const;
export type AssignableRole = (typeof ROLES)[number];

const toRole = (text: string): AssignableRole | undefined => ROLES.find((role) => role === text.trim().toUpperCase());

/** `value:ROLE,value:ROLE`. A value may contain colons; the last one separates the role. */
export const roleMapping: SettingKind<ReadonlyMap<string, AssignableRole>> = {
  name: 'list',
  parse(text) {
    const mapping = new Map<string, AssignableRole>();
    for (const item of text.split(',')) {
      if (item.trim() === '') continue;
      const [, value, roleText] = /^(.+):([^:]*)$/.exec(item.trim()) ?? [];
      const role = toRole(roleText ?? '');
      if (!value?.trim() || role === undefined) {
        return { expected: `pairs such as owner:ADMIN separated by commas, with the roles ${ROLES.join(', ')}` };
      }
      mapping.set(value.trim(), role);
    }
    return mapping.size > 0 ? { value: mapping } : { expected: 'at least one pair such as owner:ADMIN' };
  },
};

/** The group is a distinguished name, or `*` for all users. */
export interface GroupRole {
  readonly groupDn: string;
  readonly role: AssignableRole;
}

const EXPECTED_GROUPS = `a JSON array such as [{"group_dn": "cn=admins,dc=example,dc=com", "role": "ADMIN"}], with "*" for all users and the roles ${ROLES.join(', ')}`;

/** `[{"group_dn": "…", "role": "…"}]`. The first that matches counts. */
export const groupRoles: SettingKind<readonly GroupRole[]> = {
  name: 'JSON array',
  parse(text) {
    const items = parseJsonArray(text);
    if (items === undefined || items.length === 0) return { expected: EXPECTED_GROUPS };
    const mappings: GroupRole[] = [];
    for (const item of items) {
      const mapping = toGroupRole(item);
      if (mapping === undefined) return { expected: EXPECTED_GROUPS };
      mappings.push(mapping);
    }
    return { value: mappings };
  },
};

function toGroupRole(item: unknown): GroupRole | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const { group_dn: groupDn, role: roleText } = item as { group_dn?: unknown; role?: unknown };
  if (typeof groupDn !== 'string' || typeof roleText !== 'string') return undefined;
  const role = toRole(roleText);
  const isGroup = groupDn.trim() === '*' || canonicalDn(groupDn) !== undefined;
  return role !== undefined && isGroup ? { groupDn: groupDn.trim(), role } : undefined;
}

/** Undefined when the text is no JSON array. */
export function parseJsonArray(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
