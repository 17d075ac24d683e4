import { allowInsecureRequests, customFetch, discovery, type ServerMetadata } from 'openid-client';
import type { OidcProviderConfig } from '../../config/identity/oidc-providers.ts';
import { CLAIM_LENGTH_MAX, OIDC_METADATA_MS_MAX } from '../../model/limits/identity-providers.ts';
import { boundedFetch, isLoopbackUrl } from './bounded-fetch.ts';

/** Metadata of a provider, fetched at the first sign-in. */
export interface ProviderMetadata {
  /** @throws {Error} when the provider cannot be reached or describes itself wrongly. The next call tries again. */
  get(): Promise<ServerMetadata>;
}

interface MetadataOptions {
  /** Configuration URLs of the other providers. */
  readonly others: readonly string[];
  readonly requestMsMax: number;
}

export function openProviderMetadata(
  config: OidcProviderConfig,
  { others, requestMsMax }: MetadataOptions,
): ProviderMetadata {
  const allowsLoopback = isLoopbackUrl(new URL(config.configUrl));
  let known: { readonly metadata: ServerMetadata; readonly fetchedAt: number } | undefined;
  let fetching: Promise<ServerMetadata> | undefined;

  const fetchMetadata = async () => {
    const found = await discovery(new URL(config.configUrl), config.clientId, undefined, undefined, {
      execute: allowsLoopback ? [allowInsecureRequests] : [],
      timeout: requestMsMax / 1000,
      [customFetch]: boundedFetch({ allowsLoopback }),
    });
    const metadata = found.serverMetadata();
    check(metadata, { configUrl: config.configUrl, others, allowsLoopback });
    known = { metadata, fetchedAt: performance.now() };
    return metadata;
  };
  return {
    async get() {
      if (known && performance.now() - known.fetchedAt < OIDC_METADATA_MS_MAX) return known.metadata;
      // Sign-ins that begin at the same time share one request.
      fetching ??= fetchMetadata().finally(() => {
        fetching = undefined;
      });
      // A provider that is briefly away leaves its former metadata in use; its keys are fetched at each sign-in anyway.
      return fetching.catch((error) => {
        if (known) return known.metadata;
        throw error;
      });
    },
  };
}

interface Expectations {
  readonly configUrl: string;
  readonly others: readonly string[];
  readonly allowsLoopback: boolean;
}

function check(metadata: ServerMetadata, { configUrl, others, allowsLoopback }: Expectations): void {
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    const url = metadata[name];
    if (url === undefined) throw new Error(`The metadata of the provider have no ${name}`);
    const parsed = new URL(url);
    if (parsed.protocol !== 'https:' && !(allowsLoopback && isLoopbackUrl(parsed))) {
      throw new Error(`The ${name} of the provider has no TLS`);
    }
  }
  if (metadata.issuer.length > CLAIM_LENGTH_MAX) throw new Error('The issuer of the provider is too long');
  // A provider that calls itself by the name of another one could sign in users of that one.
  const origin = new URL(metadata.issuer).origin;
  const isForeign = origin !== new URL(configUrl).origin && others.some((other) => new URL(other).origin === origin);
  if (isForeign) throw new Error('The provider names the issuer of another provider as its own');
}
