import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type ServerMetadata,
} from 'openid-client';
import type { Log } from '../../base/log.ts';
import type { OidcProviderConfig } from '../../config/identity/oidc-providers.ts';
import type { OidcIdentity, SignInErrorCode, SignInFailure } from '../../model/access/external-identity.ts';
import {
  CLAIM_LENGTH_MAX,
  OIDC_CLOCK_TOLERANCE_S,
  OIDC_REQUEST_MS_MAX,
} from '../../model/limits/identity-providers.ts';
import { boundedFetch, isLoopbackUrl } from './bounded-fetch.ts';
import { authenticateClient } from './client-authentication.ts';
import { checkSecretSignature, signsWithSecret } from './id-token-signature.ts';
import type { IdentityProvider, SignInCallback, StartedSignIn, StartRequest } from './identity-provider.ts';
import { openProviderMetadata, type ProviderMetadata } from './provider-metadata.ts';
import { type Claims, readIdentity } from './read-claims.ts';

interface IdentityProviderOptions {
  readonly log: Log;
  /** Time limit of one call to a provider. */
  readonly requestMsMax?: number;
}

/** Providers by name. None is contacted before the first sign-in. */
export function openIdentityProviders(
  configs: readonly OidcProviderConfig[],
  { log, requestMsMax = OIDC_REQUEST_MS_MAX }: IdentityProviderOptions,
): ReadonlyMap<string, IdentityProvider> {
  return new Map(
    configs.map((config) => {
      const others = configs.filter((other) => other !== config).map(({ configUrl }) => configUrl);
      const metadata = openProviderMetadata(config, { others, requestMsMax });
      return [config.name, openIdentityProvider({ config, metadata, requestMsMax, log })];
    }),
  );
}

interface Parts {
  readonly config: OidcProviderConfig;
  readonly metadata: ProviderMetadata;
  readonly requestMsMax: number;
  readonly log: Log;
}

function openIdentityProvider(parts: Parts): IdentityProvider {
  const { config } = parts;
  return {
    name: config.name,
    displayName: config.displayName,
    signsInAutomatically: config.signsInAutomatically,
    policy: { allowsSignUp: config.allowsSignUp, updatesRole: config.updatesRole },
    start: (request) => start(parts, request).catch(toFailure),
    finish: (callback) => finish(parts, callback).catch(toFailure),
  };
}

async function start(
  { config, metadata }: Parts,
  { redirectUri, state = randomState() }: StartRequest,
): Promise<StartedSignIn> {
  const client = new Configuration(await metadata.get(), config.clientId, undefined, None());
  if (isLoopbackUrl(new URL(config.configUrl))) allowInsecureRequests(client);
  const nonce = randomNonce();
  const codeVerifier = config.usesPkce ? randomPKCECodeVerifier() : undefined;
  const url = buildAuthorizationUrl(client, {
    redirect_uri: redirectUri,
    scope: [...new Set(['openid', 'email', 'profile', ...config.extraScopes])].join(' '),
    state,
    nonce,
    ...(codeVerifier !== undefined && {
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    }),
  });
  return { url: url.href, state, nonce, codeVerifier };
}

async function finish(
  { config, metadata, requestMsMax, log }: Parts,
  { parameters, redirectUri, state, nonce, codeVerifier }: SignInCallback,
): Promise<OidcIdentity | SignInFailure> {
  if (state === '' || nonce === '' || parameters.getAll('state').join() !== state) {
    return { error: 'invalid_state', reason: 'The state is not the one of this browser' };
  }
  const server = await metadata.get();
  const { client, hasIdToken } = await openClient(config, server, requestMsMax);
  const callbackUrl = new URL(redirectUri);
  callbackUrl.search = parameters.toString();
  const tokens = await authorizationCodeGrant(client, callbackUrl, {
    expectedState: state,
    expectedNonce: nonce,
    ...(codeVerifier !== undefined && { pkceCodeVerifier: codeVerifier }),
  }).catch((error) => {
    // The grant reports a missing ID token only in words, so the response records whether there was one.
    if (!hasIdToken()) throw new SignInError('no_oidc_support', 'The provider sends no ID token');
    throw error;
  });
  const idToken = tokens.claims();
  if (signsWithSecret(config, server)) checkSecretSignature(tokens.id_token ?? '', config.clientSecret ?? '');
  if (idToken === undefined) return { error: 'no_oidc_support', reason: 'The provider sends no ID token' };
  if (idToken.sub === '' || idToken.sub.length > CLAIM_LENGTH_MAX || idToken.sub.includes('\0')) {
    return { error: 'auth_failed', reason: 'The subject of the ID token is empty, too long or not storable' };
  }
  return readIdentity(config, {
    idToken: idToken as unknown as Claims,
    issuer: idToken.iss,
    log,
    // Its failure is one of the sign-in: without its role an administrator would become a viewer.
    fetchUserInfo: async () =>
      server.userinfo_endpoint === undefined
        ? undefined
        : ((await fetchUserInfo(client, tokens.access_token, idToken.sub)) as Claims),
  });
}

/** A client for one sign-in. */
interface SignInClient {
  /** It has no key of the provider yet, so keys that the provider rotated a moment ago are found. */
  readonly client: Configuration;
  /** Whether the token endpoint sent an ID token. True before it has responded. */
  hasIdToken(): boolean;
}

async function openClient(
  config: OidcProviderConfig,
  server: ServerMetadata,
  requestMsMax: number,
): Promise<SignInClient> {
  const allowsLoopback = isLoopbackUrl(new URL(config.configUrl));
  let hasIdToken = true;
  const client = new Configuration(
    server,
    config.clientId,
    { [clockTolerance]: OIDC_CLOCK_TOLERANCE_S },
    await authenticateClient(config, server),
  );
  const send = boundedFetch({ allowsLoopback });
  client[customFetch] = async (url, options) => {
    const response = await send(url, options);
    if (url === new URL(server.token_endpoint ?? '').href && response.ok)
      hasIdToken = await readsIdToken(response.clone());
    return response;
  };
  client.timeout = requestMsMax / 1000;
  if (allowsLoopback) allowInsecureRequests(client);
  // Without it the library trusts the connection and does not verify the signature of the ID token.
  if (!signsWithSecret(config, server)) enableNonRepudiationChecks(client);
  return { client, hasIdToken: () => hasIdToken };
}

async function readsIdToken(response: Response): Promise<boolean> {
  const body: unknown = await response.json().catch(() => undefined);
  return typeof body === 'object' && body !== null && 'id_token' in body;
}

/** Ends a sign-in with a code other than `auth_failed`. */
class SignInError extends Error {
  readonly code: SignInErrorCode;
  constructor(code: SignInErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

const REASON_LENGTH_MAX = 300;

/** Causes are left out: they contain claims, tokens and parameters. */
function toFailure(error: unknown): SignInFailure {
  const code = error instanceof SignInError ? error.code : 'auth_failed';
  const isFromProvider = error instanceof AuthorizationResponseError || error instanceof ResponseBodyError;
  const message = error instanceof Error ? error.message : 'unknown';
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  const reason = isFromProvider ? `The provider returned ${error.error}` : `${message}${cause}`;
  return {
    error: error instanceof AuthorizationResponseError ? 'oauth_error' : code,
    reason: reason.replace(/\p{C}/gu, ' ').slice(0, REASON_LENGTH_MAX),
  };
}
