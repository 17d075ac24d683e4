// Values of `content-disposition` for downloads (RFC 6266). No name can end the value or the header.

/** `filename` of printable ASCII; a name of other characters also as `filename*`, which clients prefer (RFC 8187). */
export function attachment(name: string, extension: string): string {
  const fileName = `${wellFormed(name)}.${extension}`;
  const ascii = fileName.replace(NOT_PRINTABLE_ASCII, '_');
  const quoted = `attachment; filename="${ascii.replace(/["\\]/g, '\\$&')}"`;
  return ascii === fileName ? quoted : `${quoted}; filename*=UTF-8''${percentEncode(fileName)}`;
}

/** `filename*` alone, with slashes as they are: what public clients compare for datasets. */
export const encodedAttachment = (name: string, extension: string): string =>
  `attachment; filename*=UTF-8''${percentEncode(wellFormed(name)).replaceAll('%2F', '/')}.${extension}`;

/** As UTF-8 would have it: `encodeURIComponent` throws for a lone surrogate. */
const wellFormed = (name: string): string => name.replace(/\p{Surrogate}/gu, '\uFFFD');

const NOT_PRINTABLE_ASCII = /[^\x20-\x7e]/gu;

const percentEncode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
