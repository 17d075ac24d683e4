import type { RequestHead } from '../route.ts';

/** Where users reach the server. */
export interface PublicAddress {
  /** The setting `ROOT_URL`, without a slash at the end. Undefined: the address of each request. */
  readonly rootUrl: string | undefined;
  /** `/prefix`, or an empty text. */
  readonly rootPath: string;
}

/** URL of the server with its path prefix, as the client of a request knows it. A client invents the host only for itself. */
export function baseUrlOf(
  { rootUrl, rootPath }: PublicAddress,
  { header, isSecure }: Pick<RequestHead, 'header' | 'isSecure'>,
): string {
  if (rootUrl !== undefined) return rootUrl;
  const host = header('host') ?? '';
  return `${isSecure ? 'https' : 'http'}://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}${rootPath}`;
}
