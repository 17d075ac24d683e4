import { canonicalDn } from '../../base/distinguished-name.ts';
import type { SettingKind } from '../setting-kinds.ts';
import { parseJsonArray } from './role-kinds.ts';

/** Host names or addresses, separated by commas. An IPv6 address may be in brackets. */
export const ldapHosts: SettingKind<readonly string[]> = {
  name: 'comma-separated list',
  parse(text) {
    const hosts = text.split(',').map((host) => host.trim());
    return hosts.every((host) => /^([A-Za-z0-9_.-]+|\[?[0-9a-fA-F:.]+\]?)$/.test(host))
      ? { value: hosts }
      : { expected: 'host names separated by commas, without scheme and port' };
  },
};

export const distinguishedNames: SettingKind<readonly string[]> = {
  name: 'JSON array',
  parse(text) {
    const items = parseJsonArray(text);
    const isDn = (item: unknown): item is string => typeof item === 'string' && canonicalDn(item) !== undefined;
    return items !== undefined && items.length > 0 && items.every(isDn)
      ? { value: items }
      : { expected: 'a JSON array of distinguished names such as ["ou=people,dc=example,dc=com"]' };
  },
};

/** A distinguished name, or a name that Active Directory takes for a bind: `user@domain` or `DOMAIN\user`. */
export const bindName: SettingKind<string> = {
  name: 'distinguished name',
  parse: (text) =>
    canonicalDn(text) !== undefined || /^[^\s@\\=]+[@\\][^\s@\\=]+$/.test(text)
      ? { value: text }
      : { expected: 'a distinguished name such as cn=reader,dc=example,dc=com' },
};

export const attributeName: SettingKind<string> = {
  name: 'attribute name',
  parse: (text) =>
    /^([A-Za-z][A-Za-z0-9-]*|\d+(\.\d+)*)$/.test(text) ? { value: text } : { expected: 'the name of an attribute' },
};

/** `null` switches to accounts without an email. */
export const emailAttribute: SettingKind<string | null> = {
  name: 'attribute name',
  parse: (text) => (text.toLowerCase() === 'null' ? { value: null } : attributeName.parse(text)),
};

/** A search filter with `%s` where a name is inserted. Parentheses are balanced outside of escapes. */
export const ldapFilter: SettingKind<string> = {
  name: 'LDAP filter',
  parse(text) {
    if (!text.includes('%s')) return { expected: 'a filter that contains %s for the name' };
    let depth = 0;
    for (const [index, character] of [...text].entries()) {
      if (character === '(') depth++;
      if (character === ')') depth--;
      if (depth < 0 || (depth === 0 && index < text.length - 1)) break;
    }
    return text.startsWith('(') && text.endsWith(')') && depth === 0
      ? { value: text }
      : { expected: 'a filter in parentheses such as (uid=%s)' };
  },
};
