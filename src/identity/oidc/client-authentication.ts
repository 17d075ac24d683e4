import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { type ClientAuth, ClientSecretPost, None, type ServerMetadata } from 'openid-client';
import type { OidcProviderConfig } from '../../config/identity/oidc-providers.ts';
import { CLIENT_ASSERTION_BYTES_MAX } from '../../model/limits/identity-providers.ts';

/** @throws {Error} when the file with the client assertion is not usable. The message does not contain its path. */
export async function authenticateClient(config: OidcProviderConfig, server: ServerMetadata): Promise<ClientAuth> {
  switch (config.clientAuthMethod ?? chooseMethod(server)) {
    case 'none':
      return None();
    case 'client_secret_post':
      return ClientSecretPost(config.clientSecret);
    case 'client_secret_basic':
      return withBasic(config.clientSecret ?? '');
    case 'client_assertion_jwt':
      return withAssertion(await readAssertion(config.clientAssertionFile ?? ''));
  }
}

/** Metadata without methods mean basic (RFC 8414, section 2). */
function chooseMethod({ token_endpoint_auth_methods_supported: methods }: ServerMetadata) {
  const supportsBasic = methods === undefined || methods.includes('client_secret_basic');
  return !supportsBasic && methods.includes('client_secret_post') ? 'client_secret_post' : 'client_secret_basic';
}

/**
 * Basic authentication as RFC 6749, section 2.3.1, demands it, which leaves `*-._` unchanged. The library encodes these, too, and
 * providers that compare the header with the stored secret then reject it.
 */
const withBasic =
  (secret: string): ClientAuth =>
  (_server, client, _body, headers) => {
    const credentials = [client.client_id, secret].map(formEncode).join(':');
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
  };

const formEncode = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

const withAssertion =
  (assertion: string): ClientAuth =>
  (_server, client, body) => {
    body.set('client_id', client.client_id);
    body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    body.set('client_assertion', assertion);
  };

/** A platform replaces the file from time to time, so it is read for each exchange. */
async function readAssertion(path: string): Promise<string> {
  // Without blocking: to open a pipe would wait for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The file with the client assertion cannot be read (${error.code})`);
  });
  try {
    const status = await file.stat();
    if (!status.isFile() || status.size > CLIENT_ASSERTION_BYTES_MAX) {
      throw new Error(`The client assertion is not a regular file of at most ${CLIENT_ASSERTION_BYTES_MAX} bytes`);
    }
    const buffer = Buffer.alloc(CLIENT_ASSERTION_BYTES_MAX);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    const assertion = buffer.toString('utf8', 0, bytesRead).trim();
    if (!/^[\w.-]+$/.test(assertion)) throw new Error('The file with the client assertion contains no JWT');
    return assertion;
  } finally {
    await file.close();
  }
}
