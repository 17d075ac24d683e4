import type { CustomFetch } from 'openid-client';
import { OIDC_RESPONSE_BYTES_MAX } from '../../model/limits/identity-providers.ts';

/** http is for a provider on the same machine only, and only if its configuration URL has it. */
export const isLoopbackUrl = (url: URL): boolean =>
  url.protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);

/**
 * `fetch` for calls to a provider. It rejects URLs without TLS and reads at most `OIDC_RESPONSE_BYTES_MAX` inflated bytes,
 * so that a provider cannot fill the memory. The caller's signal limits the time of the body too, and redirects are not
 * followed.
 */
export const boundedFetch =
  ({ allowsLoopback }: { readonly allowsLoopback: boolean }): CustomFetch =>
  async (address, options) => {
    const url = new URL(address);
    if (url.protocol !== 'https:' && !(allowsLoopback && isLoopbackUrl(url))) {
      throw new Error(`The provider names a URL without TLS: ${url.origin}`);
    }
    const response = await fetch(url, { ...options, redirect: 'manual' } as RequestInit);
    const body = await readBody(response);
    const hasBody = response.status !== 204 && response.status !== 304;
    return new Response(hasBody ? body : null, { status: response.status, headers: response.headers });
  };

async function readBody(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the stream, which closes the connection.
    if (bytes > OIDC_RESPONSE_BYTES_MAX) throw new Error('The response of the provider is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
