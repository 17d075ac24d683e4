import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ServerMetadata } from 'openid-client';
import type { OidcProviderConfig } from '../../config/identity/oidc-providers.ts';

/**
 * Whether ID tokens are signed with the client secret (HS256) and not with a key of the provider.
 *
 * This holds only if the metadata of the provider name HS256 and nothing else. If they named another algorithm too, the writer of
 * a token could choose the weaker one; a list without it rejects the token in the library. The token comes from the token endpoint
 * over TLS, never through the browser, so OpenID Connect Core (3.1.3.7, 6) would even allow not to verify it. The signature is
 * verified nevertheless: it proves that the sender knows the client secret.
 */
export const signsWithSecret = (
  { clientSecret }: Pick<OidcProviderConfig, 'clientSecret'>,
  { id_token_signing_alg_values_supported: algorithms = [] }: ServerMetadata,
): boolean => clientSecret !== undefined && algorithms.length > 0 && algorithms.every((name) => name === 'HS256');

/** @throws {Error} when a JWT, whose algorithm has been checked, is not signed with the secret */
export function checkSecretSignature(jwt: string, secret: string): void {
  const at = jwt.lastIndexOf('.');
  const expected = createHmac('sha256', secret).update(jwt.slice(0, at)).digest();
  const received = Buffer.from(jwt.slice(at + 1), 'base64url');
  if (received.length === expected.length && timingSafeEqual(received, expected)) return;
  throw new Error('The ID token is not signed with the client secret');
}
