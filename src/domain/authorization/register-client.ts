import { randomInt } from 'node:crypto';
import { ownValue } from '../../base/own-value.ts';
import { type OAuth2Client, REGISTERED_CLIENT_PREFIX } from '../../model/access/oauth2.ts';
import { SpandrelError } from '../../model/errors.ts';
import {
  OAUTH2_CLIENT_NAME_LENGTH_MAX,
  OAUTH2_REDIRECT_COUNT_MAX,
  OAUTH2_UNUSED_CLIENT_COUNT_MAX,
  OAUTH2_UNUSED_CLIENTS_PER_DAY_MAX,
} from '../../model/limits/access.ts';
import { recorded } from '../access/audit.ts';
import type { AuthorizationPolicy } from './authorization-policy.ts';
import { policyOf } from './authorization-policy.ts';
import type { AuthorizationParts } from './authorization-ports.ts';
import { OAuthError } from './oauth-error.ts';
import { classifyRedirectUri, isAllowedHost } from './redirect-uris.ts';

type Metadata = Readonly<Record<string, unknown>>;

/**
 * Registers an application that has sent its metadata (RFC 7591). Fields that the server does not support have no effect.
 *
 * @param network Address or network of the application, which counts for the limit of unused registrations
 * @throws {OAuthError} `invalid_redirect_uri`, `invalid_client_metadata`
 * @throws {SpandrelError} `RATE_LIMIT_EXCEEDED`
 */
export async function registerClient(
  ports: AuthorizationParts,
  metadata: Metadata,
  network: string | null,
): Promise<OAuth2Client> {
  const policy = policyOf(ports);
  const redirectUris = readRedirectUris(metadata, policy);
  checkSupported(metadata);
  checkLinks(metadata);
  const clientId = REGISTERED_CLIENT_PREFIX + randomBase62(22);
  const name = readName(metadata) ?? clientId;
  return recorded(ports, async ({ oauth2Clients }) => {
    const unused = await oauth2Clients.countUnused(network);
    if (unused.fromAddress >= OAUTH2_UNUSED_CLIENTS_PER_DAY_MAX || unused.total >= OAUTH2_UNUSED_CLIENT_COUNT_MAX) {
      throw new SpandrelError('RATE_LIMIT_EXCEEDED', 'Too Many Requests');
    }
    const client = await oauth2Clients.create({ clientId, name, redirectUris, registeredFrom: network });
    const target = { kind: 'OAuth2Client', id: clientId, name };
    return {
      result: client,
      entry: { action: 'oauth2-client.register', outcome: 'DONE', target, after: { redirectUris } },
    };
  });
}

function readRedirectUris(metadata: Metadata, { registration, allowedRedirectHosts }: AuthorizationPolicy): string[] {
  const value = ownValue(metadata, 'redirect_uris');
  const bad = (why: string) => new OAuthError('invalid_redirect_uri', why);
  if (!Array.isArray(value) || value.length === 0) throw bad('redirect_uris must be a list of at least one URI');
  if (value.length > OAUTH2_REDIRECT_COUNT_MAX)
    throw bad(`redirect_uris has at most ${OAUTH2_REDIRECT_COUNT_MAX} URIs`);
  return value.map((uri: unknown, index) => {
    const kind = typeof uri === 'string' ? classifyRedirectUri(uri) : undefined;
    if (typeof uri !== 'string' || kind === undefined) {
      throw bad(
        `redirect_uris[${index}] must be an https URI, an http URI of 127.0.0.1, [::1] or localhost, or a URI of a private scheme, without a fragment and a user name`,
      );
    }
    if (kind === 'https' && registration === 'local_only') {
      throw bad(`redirect_uris[${index}] is a site, and only applications on the machine of the user may register`);
    }
    if (kind === 'https' && allowedRedirectHosts.length > 0 && !isAllowedHost(uri, allowedRedirectHosts)) {
      throw bad(`redirect_uris[${index}] has a host that this server does not allow`);
    }
    return uri;
  });
}

/** Characters without a shape, and those that change the direction of the text after them, could forge what users read. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]/u;

function readName(metadata: Metadata): string | undefined {
  const value = ownValue(metadata, 'client_name');
  if (value === undefined || value === null) return undefined;
  const name = typeof value === 'string' ? value.trim() : '';
  if (name === '' || name.length > OAUTH2_CLIENT_NAME_LENGTH_MAX || HIDDEN.test(name)) {
    throw new OAuthError(
      'invalid_client_metadata',
      `client_name must be a string of at most ${OAUTH2_CLIENT_NAME_LENGTH_MAX} visible characters`,
    );
  }
  return name;
}

function checkSupported(metadata: Metadata): void {
  const bad = (why: string) => new OAuthError('invalid_client_metadata', why);
  const method = ownValue(metadata, 'token_endpoint_auth_method') ?? 'none';
  if (method !== 'none') throw bad('token_endpoint_auth_method must be none: applications have no secret here');
  for (const [field, needed] of [
    ['grant_types', 'authorization_code'],
    ['response_types', 'code'],
  ] as const) {
    const value = ownValue(metadata, field) ?? [needed];
    if (!Array.isArray(value) || !value.includes(needed)) throw bad(`${field} must be a list with ${needed}`);
  }
}

/** Links are not stored, because nothing proves that they belong to the application. A hostile one is an error. */
function checkLinks(metadata: Metadata): void {
  for (const field of ['client_uri', 'logo_uri', 'policy_uri', 'tos_uri', 'jwks_uri']) {
    const value = ownValue(metadata, field);
    if (value === undefined || value === null) continue;
    const isLink = typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
    if (!isLink) throw new OAuthError('invalid_client_metadata', `${field} must be an http or https URL`);
  }
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomBase62 = (length: number): string => Array.from({ length }, () => BASE62[randomInt(62)]).join('');
