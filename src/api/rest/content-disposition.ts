/** A file name of any characters, as RFC 8187 writes it. */
export const attachment = (name: string, extension: string): string =>
  `attachment; filename*=UTF-8''${percentEncode(name)}.${extension}`;

const percentEncode = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll('%2F', '/')
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
