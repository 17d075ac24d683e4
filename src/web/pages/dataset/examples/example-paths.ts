const FIELD = /^(input|output|metadata)$/;

/** Reads paths such as `input.question,metadata.topic`. A dot, comma or colon in a key is encoded. */
export const readPaths = (text: string | null): readonly (readonly string[])[] =>
  (text ?? '')
    .split(',')
    .map((path) => path.split('.').map(decodeKey))
    .filter(([field = '', ...keys]) => FIELD.test(field) && keys.length > 0);

export const writePaths = (paths: readonly (readonly string[])[]): string =>
  paths.map((path) => path.map(encodeKey).join('.')).join(',');

const encodeKey = (key: string): string => encodeURIComponent(key).replaceAll('.', '%2E');

function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
