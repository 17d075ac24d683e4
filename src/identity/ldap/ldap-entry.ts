import type { Entry } from 'ldapts';
import { DISPLAY_NAME_LENGTH_MAX, LDAP_UNIQUE_ID_LENGTH_MAX } from '../../model/limits.ts';

/** Texts of an attribute, whose name has no case. */
export function textsOf(entry: Entry, attribute: string): string[] {
  const name = Object.keys(entry).find((key) => key !== 'dn' && key.toLowerCase() === attribute.toLowerCase());
  const value = name === undefined ? [] : (entry[name] ?? []);
  const values: (string | Buffer)[] = Array.isArray(value) ? value : [value];
  return values.map(String).filter((text) => text !== '' && !text.includes('\0'));
}

export function displayNameOf(entry: Entry, attribute: string): string | undefined {
  const [text = ''] = textsOf(entry, attribute);
  return text.replace(/\p{C}/gu, '').trim().slice(0, DISPLAY_NAME_LENGTH_MAX) || undefined;
}

/** The attribute must have been requested as bytes. Undefined when the entry lacks it. */
export function uniqueIdOf(entry: Entry, attribute: string): string | undefined {
  const name = Object.keys(entry).find((key) => key !== 'dn' && key.toLowerCase() === attribute.toLowerCase());
  const value = name === undefined ? undefined : entry[name];
  const [first] = Array.isArray(value) ? value : [value];
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
