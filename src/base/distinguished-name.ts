/**
 * Canonical text of a distinguished name (RFC 4514), for comparison only: attribute types and values in lower case, blanks
 * around separators removed, runs of blanks in a value made one, escapes resolved, parts of a multi-valued RDN in order.
 * Undefined when the text is not a distinguished name. The empty name is none here.
 */
export function canonicalDn(text: string): string | undefined {
  const rdns: string[][] = [[]];
  const reader = { text, position: 0 };
  for (;;) {
    const attribute = readAttribute(reader);
    if (attribute === undefined) return undefined;
    rdns[rdns.length - 1]?.push(attribute);
    const separator = text[reader.position++];
    if (separator === undefined) break;
    if (separator === ',') rdns.push([]);
  }
  return JSON.stringify(rdns.map((rdn) => rdn.sort()));
}

interface Reader {
  readonly text: string;
  position: number;
}

const ATTRIBUTE_TYPE = /\s*(?:oid\.)?([a-z][a-z0-9-]*|\d+(?:\.\d+)*)\s*=\s*/iy;

/** Reads `type=value` up to the next separator, which stays unread. */
function readAttribute(reader: Reader): string | undefined {
  ATTRIBUTE_TYPE.lastIndex = reader.position;
  const type = ATTRIBUTE_TYPE.exec(reader.text)?.[1];
  if (type === undefined) return undefined;
  reader.position = ATTRIBUTE_TYPE.lastIndex;
  const value = readValue(reader);
  return value === undefined || value === '' ? undefined : `${type.toLowerCase()}=${value}`;
}

/** Characters that a value contains only after a backslash. */
const SPECIAL = /["+,;<>\0]/;

function readValue(reader: Reader): string | undefined {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (;;) {
    const character = String.fromCodePoint(reader.text.codePointAt(reader.position) ?? 0x2c);
    if (character === ',' || character === '+') break;
    if (SPECIAL.test(character)) return undefined;
    if (character !== '\\') {
      bytes.push(...encoder.encode(character));
      reader.position += character.length;
      continue;
    }
    const escaped = reader.text.slice(reader.position + 1, reader.position + 3);
    if (/^[0-9a-f]{2}$/i.test(escaped)) {
      bytes.push(Number.parseInt(escaped, 16));
      reader.position += 3;
    } else if (/^[ "#+,;<=>\\]/.test(escaped)) {
      bytes.push(escaped.charCodeAt(0));
      reader.position += 2;
    } else return undefined;
  }
  return new TextDecoder().decode(Uint8Array.from(bytes)).normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
}
