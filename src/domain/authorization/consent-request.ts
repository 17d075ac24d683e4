import { randomUUID } from 'node:crypto';
import { ownValue } from '../../base/own-value.ts';
import type { ProtectedResource } from '../../model/access/oauth2.ts';
import { SpandrelError } from '../../model/errors.ts';
import { OAUTH2_REQUEST_SECONDS } from '../../model/limits/access.ts';
import { isSame, type Tokens } from '../access/tokens.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

/** Divides signatures of requests from those of tokens, which have the same key. */
const PURPOSE = 'authorization-request';

/**
 * A request as a text for the page of consent. It is signed and names the user, so that a page elsewhere cannot forge it, and
 * another user cannot decide about it.
 */
export function signConsentRequest({ sign }: Tokens, request: AuthorizationRequest, userRowId: number): string {
  const expiresAt = Date.now() + OAUTH2_REQUEST_SECONDS * 1_000;
  const payload = Buffer.from(JSON.stringify({ ...request, userRowId, expiresAt, nonce: randomUUID() })).toString(
    'base64url',
  );
  return `${payload}.${sign(`${PURPOSE}.${payload}`)}`;
}

/** @throws {SpandrelError} `AUTHORIZATION_REQUEST_INVALID` for a forged or old text, and for one of another user */
export function readConsentRequest({ sign }: Tokens, text: string, userRowId: number): AuthorizationRequest {
  const [payload = '', signature = ''] = text.split('.', 2);
  if (!isSame(signature, sign(`${PURPOSE}.${payload}`))) throw invalid();
  const value = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown>;
  if (ownValue(value, 'userRowId') !== userRowId || Number(ownValue(value, 'expiresAt')) <= Date.now()) throw invalid();
  return {
    clientRowId: Number(ownValue(value, 'clientRowId')),
    redirectUri: String(ownValue(value, 'redirectUri')),
    state: String(ownValue(value, 'state')),
    codeChallenge: String(ownValue(value, 'codeChallenge')),
    scopes: ownValue(value, 'scopes') as readonly string[],
    resource: ownValue(value, 'resource') as ProtectedResource,
  };
}

export const invalid = (): SpandrelError =>
  new SpandrelError(
    'AUTHORIZATION_REQUEST_INVALID',
    'This request for access is invalid, has expired, was decided, or belongs to another user. Start again from the application.',
  );
