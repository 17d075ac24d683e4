import { isIP } from 'node:net';
import { SpandrelError } from '../../model/errors.ts';
import { PROVIDER_CONFIG_CHARS_MAX } from '../../model/limits/secrets.ts';
import type { ProviderConfig } from '../../model/models/custom-provider.ts';
import { isForbiddenAddress } from '../../llm/transport/forbidden-addresses.ts';

/** Names under which clouds hand out credentials of the machine. Other names are looked up when a call connects. */
const METADATA_NAMES = new Set(['metadata', 'metadata.google.internal', 'metadata.goog', 'instance-data']);

/**
 * Checks the size of a config and its addresses. A private address is accepted here; whether it may be called is decided
 * when a call connects, as for names.
 *
 * @throws {SpandrelError} `PROVIDER_INVALID`
 */
export function checkProviderConfig(config: ProviderConfig): ProviderConfig {
  if (JSON.stringify(config).length > PROVIDER_CONFIG_CHARS_MAX) {
    return invalid(`A config must have at most ${PROVIDER_CONFIG_CHARS_MAX} characters`);
  }
  const address = addressOf(config);
  if (address !== undefined) checkAddress(address);
  if (config.type === 'aws_bedrock') checkRegion(config.aws_bedrock_client_kwargs.region_name);
  return config;
}

function addressOf(config: ProviderConfig): string | undefined {
  switch (config.type) {
    case 'openai':
      return config.openai_client_kwargs?.base_url;
    case 'azure_openai':
      return config.azure_openai_client_kwargs.azure_endpoint;
    case 'anthropic':
      return config.anthropic_client_kwargs?.base_url;
    case 'aws_bedrock':
      return config.aws_bedrock_client_kwargs.endpoint_url;
    case 'google_genai':
      return config.google_genai_client_kwargs?.http_options?.base_url;
  }
}

/**
 * Parses the address of a vendor.
 *
 * @throws {SpandrelError} `PROVIDER_INVALID` for a text that is none, or the address of a service for credentials of machines
 */
export function checkAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return invalid('The base URL must start with http:// or https://');
  }
  if (url.username !== '' || url.password !== '') {
    return invalid('The base URL must not contain a user name or a password');
  }
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '');
  const isForbidden = isIP(host) === 0 ? METADATA_NAMES.has(host) : isForbiddenAddress(host, { allowsPrivate: true });
  return isForbidden ? invalid(`Models cannot be called at ${host}: its address is link-local or reserved`) : url;
}

/**
 * A region is a part of the host name of Bedrock.
 *
 * @throws {SpandrelError} `PROVIDER_INVALID`
 */
export function checkRegion(region: string): string {
  if (/^[a-z0-9-]{1,64}$/i.test(region)) return region;
  return invalid('The AWS region must consist of letters, digits and hyphens');
}

function invalid(message: string): never {
  throw new SpandrelError('PROVIDER_INVALID', message);
}
