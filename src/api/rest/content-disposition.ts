// Values of `content-disposition` for downloads (RFC 6266), escaped so that a name cannot terminate the value or
// header.

/** Header with `filename` in printable ASCII, and `filename*` for other characters, which clients prefer (RFC 8187). */
export function attachment(name: string, extension: string): string {
  const fileName = `${wellFormed(name)}.${extension}`;
  const ascii = fileName.replace(NOT_PRINTABLE_ASCII, '_');
  const quoted = `attachment; filename="${ascii.replace(/["\\]/g, '\\$&')}"`;
  return ascii === fileName ? quoted : `${quoted}; filename*=UTF-8''${percentEncode(fileName)}`;
}

/** Header with only `filename*` and unescaped slashes, which public clients expect for datasets. */
export const encodedAttachment = (name: string, extension: string): string =>
  `attachment; filename*=UTF-8''${percentEncode(wellFormed(name)).replaceAll('%2F', '/')}.${extension}`;

/** Replaces lone surrogates, as UTF-8 encoders do, because `encodeURIComponent` throws for them. */
const wellFormed = (name: string): string => name.replace(/\p{Surrogate}/gu, '\uFFFD');

const NOT_PRINTABLE_ASCII = /[^\x20-\x7e]/gu;

const percentEncode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
