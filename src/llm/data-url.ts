import { ModelError } from './contract/model-error.ts';

/**
 * The content of a `data:` URL, base64-encoded. Undefined for another URL.
 *
 * @throws {ModelError} for a content that is not encoded as URLs are
 */
export function parseDataUrl(url: string): { readonly mediaType: string; readonly base64: string } | undefined {
  const comma = url.indexOf(',');
  if (comma === -1 || !/^data:/i.test(url)) return undefined;
  const [mediaType = '', ...parameters] = url.slice('data:'.length, comma).split(';');
  const data = url.slice(comma + 1);
  const isBase64 = parameters.some((parameter) => parameter.trim().toLowerCase() === 'base64');
  return {
    mediaType: mediaType.trim().toLowerCase() || 'text/plain',
    base64: isBase64 ? data : Buffer.from(decode(data)).toString('base64'),
  };
}

function decode(data: string): string {
  try {
    return decodeURIComponent(data);
  } catch {
    throw new ModelError('rejected', 'The content of an image with a data: URL cannot be decoded.');
  }
}
