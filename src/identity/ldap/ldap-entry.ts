import type { Entry } from 'ldapts';
import { DISPLAY_NAME_LENGTH_MAX, LDAP_UNIQUE_ID_LENGTH_MAX } from '../../model/limits/identity-providers.ts';

/** Texts of an attribute, whose name has no case. */
export const textsOf = (entry: Entry, attribute: string): string[] =>
  valuesOf(entry, attribute)
    .map(String)
    .filter((text) => text !== '' && !text.includes('\0'));

function valuesOf(entry: Entry, attribute: string): readonly (string | Buffer)[] {
  const [, value = []] =
    Object.entries(entry).find(([name]) => name !== 'dn' && name.toLowerCase() === attribute.toLowerCase()) ?? [];
  return Array.isArray(value) ? value : [value];
}

export function displayNameOf(entry: Entry, attribute: string): string | undefined {
  const [text = ''] = textsOf(entry, attribute);
  return text.replace(/\p{C}/gu, '').trim().slice(0, DISPLAY_NAME_LENGTH_MAX) || undefined;
}

/** The attribute must have been requested as bytes. Undefined when the entry lacks it. */
export function uniqueIdOf(entry: Entry, attribute: string): string | undefined {
  const [first] = valuesOf(entry, attribute);
  if (first === undefined || first.length === 0 || first.length > LDAP_UNIQUE_ID_LENGTH_MAX) return undefined;
  const bytes = typeof first === 'string' ? Buffer.from(first) : first;
  if (bytes.length === 16 && (attribute.toLowerCase() === 'objectguid' || !isPrintable(bytes))) return toGuid(bytes);
  return isPrintable(bytes) ? bytes.toString('utf8') : bytes.toString('hex');
}

/** Active Directory stores the first three groups of a GUID with the lowest byte first. */
function toGuid(bytes: Buffer): string {
  const ordered = Buffer.from(bytes);
  ordered.subarray(0, 4).reverse();
  ordered.subarray(4, 6).reverse();
  ordered.subarray(6, 8).reverse();
  return ordered.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const isPrintable = (bytes: Buffer): boolean => /^[\x20-\x7e]+$/.test(bytes.toString('latin1'));
