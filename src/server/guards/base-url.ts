import { SpandrelError } from '../../model/errors.ts';
import { SHOWN_SOURCE_LENGTH_MAX } from '../../model/limits/requests.ts';
import type { RequestHead } from '../route.ts';
import type { HostPolicy } from './host-policy.ts';

/** Where users reach the server. */
export interface PublicAddress {
  /** The setting `ROOT_URL`, without a slash at the end. Undefined: the address of each request. */
  readonly rootUrl: string | undefined;
  /** `/prefix`, or an empty text. */
  readonly rootPath: string;
  /** Names by which this server may call itself. Undefined: any, because TLS of this server has proven the name. */
  readonly hosts: Pick<HostPolicy, 'isOwnHost'> | undefined;
}

type RequestOrigin = Pick<RequestHead, 'header' | 'isSecure'>;

/**
 * URL of the server with its path prefix, as the client of a request knows it.
 *
 * @throws {SpandrelError} `HOST_UNKNOWN` if only the request names the host, and the name is not known to be one of this server
 */
export function baseUrlOf(address: PublicAddress, request: RequestOrigin): string {
  const url = findBaseUrl(address, request);
  if (url !== undefined) return url;
  const host = (request.header('host') ?? '').slice(0, SHOWN_SOURCE_LENGTH_MAX);
  throw new SpandrelError(
    'HOST_UNKNOWN',
    `This server does not know that users reach it by the host name ${host}. Set SERVICE_ROOT_URL to the URL at which users reach it, or add the name to SERVICE_ALLOWED_HOSTS.`,
  );
}

/** Undefined if only the request names the host, and the name is not known to be one of this server. */
export function findBaseUrl(
  { rootUrl, rootPath, hosts }: PublicAddress,
  { header, isSecure }: RequestOrigin,
): string | undefined {
  if (rootUrl !== undefined) return rootUrl;
  const host = header('host') ?? 'localhost';
  if (!/^[\w.:[\]-]+$/.test(host) || hosts?.isOwnHost(header) === false) return undefined;
  return `${isSecure ? 'https' : 'http'}://${host}${rootPath}`;
}
