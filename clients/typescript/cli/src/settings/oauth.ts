import { limitTime } from '@spandrel/client';
import { CommandError } from '../command-line/command.ts';
import { EXIT } from '../exit-codes.ts';
import type { Tokens } from './profiles.ts';

/** Every server knows the command line client by this ID. */
export const CLIENT_ID = 'phoenix-cli';
const METADATA_MS_MAX = 5_000;
const TOKEN_MS_MAX = 15_000;
const BYTES_MAX = 64 * 1024;

/** Addresses of the authorization server. */
export interface AuthorizationServer {
  readonly authorize: string;
  readonly token: string;
  readonly revoke: string | undefined;
}

/** @throws {CommandError} when the server has no sign-in for applications */
export async function findAuthorizationServer(baseUrl: string, signal: AbortSignal): Promise<AuthorizationServer> {
  const advice =
    'Create a key in the profile page of the web interface: spandrel profile create <name> --api-key <key>';
  const url = `${baseUrl}/.well-known/oauth-authorization-server`;
  const { status, metadata } = await limitTime(METADATA_MS_MAX, signal, async (limited) => {
    const response = await fetch(url, { signal: limited, redirect: 'error' });
    const body = response.ok ? await readObject(response).catch(() => undefined) : undefined;
    return { status: response.status, metadata: body };
  }).catch((error: unknown) => {
    if (signal.aborted) throw signal.reason;
    throw new CommandError(`${baseUrl} cannot be reached (${reasonOf(error)}). Check the address.`, EXIT.network);
  });
  const { authorization_endpoint: authorize, token_endpoint: token, revocation_endpoint: revoke } = metadata ?? {};
  if (!isOf(baseUrl, authorize) || !isOf(baseUrl, token)) {
    throw new CommandError(
      `${baseUrl} has no sign-in for applications (it answered ${status}): sign-in is off there, or switched off for applications. ${advice}`,
      EXIT.authentication,
    );
  }
  return { authorize, token, revoke: isOf(baseUrl, revoke) ? revoke : undefined };
}

/** Codes and tokens are sent to the server of the address and to no other. */
const isOf = (baseUrl: string, url: unknown): url is string =>
  typeof url === 'string' && URL.canParse(url) && new URL(url).host === new URL(baseUrl).host;

const reasonOf = (error: unknown): string => {
  const { cause, message } = error as Error;
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? message;
};

async function readObject(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  if (text.length > BYTES_MAX) throw new Error('too long');
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new Error('no object');
  return value as Record<string, unknown>;
}

/** Sends a form to the token endpoint. @throws {CommandError} when it is rejected or the answer is incomplete */
export async function requestTokens(url: string, form: Readonly<Record<string, string>>): Promise<Tokens> {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ client_id: CLIENT_ID, ...form }),
    signal: AbortSignal.timeout(TOKEN_MS_MAX),
    redirect: 'error',
  });
  const answer = await readObject(response).catch((): Record<string, unknown> => ({}));
  const { access_token: access, refresh_token: refresh, expires_in: seconds, token_type: type } = answer;
  if (!response.ok || typeof access !== 'string' || typeof refresh !== 'string' || typeof seconds !== 'number') {
    const reason = answer.error_description ?? answer.error ?? `status ${response.status}`;
    throw new CommandError(
      `The server gave no token (${String(reason)}). spandrel auth login signs in.`,
      EXIT.authentication,
    );
  }
  if (String(type).toLowerCase() !== 'bearer') {
    throw new CommandError(`Expected a token of type bearer, received ${String(type)}.`, EXIT.authentication);
  }
  return {
    accessToken: access,
    refreshToken: refresh,
    expiresAt: new Date(Date.now() + seconds * 1_000).toISOString(),
  };
}
