import { createHash } from 'node:crypto';
import type { AuditActor } from '../../model/access/audit-entry.ts';
import type { OAuth2Client, OAuth2Grant, ProtectedResource } from '../../model/access/oauth2.ts';
import { type IssuedTokens, mintPair, signInPorts } from '../access/sign-in/sign-in.ts';
import { hashToken, isSame } from '../access/tokens.ts';
import { policyOf } from './authorization-policy.ts';
import type { AuthorizationParts } from './authorization-ports.ts';
import { parseResource } from './authorization-request.ts';
import { OAuthError } from './oauth-error.ts';
import type { AuthorizationCode } from './oauth2-grant-repository.ts';

/** Tokens for an application, as the token endpoint returns them. */
export interface AppTokens extends Omit<IssuedTokens, 'user'> {
  readonly scopes: readonly string[];
}

export interface CodeExchange {
  readonly clientId: string;
  readonly code: string;
  readonly redirectUri: string;
  readonly codeVerifier: string;
  /** Empty, or what the request for access named. */
  readonly resources: readonly string[];
  readonly baseUrl: string;
  readonly userAgent: string | null;
}

/**
 * Redeems a code. A code that was redeemed before has been stolen, so its grant is revoked. A wrong verifier spends the code.
 *
 * @throws {OAuthError} `invalid_grant`, `invalid_target`
 */
export async function exchangeCode(ports: AuthorizationParts, exchange: CodeExchange): Promise<AppTokens> {
  const { tokens, credentials } = signInPorts(ports);
  const { remoteAddress } = ports;
  const hash = hashToken(exchange.code);
  const [client, known] = [
    await ports.oauth2Clients.find(exchange.clientId),
    await ports.authorizationCodes.find(hash),
  ];
  const user = known && (await ports.users.findByRowIds([known.userRowId])).get(known.userRowId);
  if (client === undefined || user === undefined) throw invalidGrant();
  if (!user.isActive) throw invalidGrant();
  const rowIds = await ports.userSessions.allocateTokenRowIds();
  const outcome = await ports.audit.inTransaction<AppTokens | 'replayed' | 'rejected'>(
    actorOfApp(user, remoteAddress),
    async ({ authorizationCodes, oauth2Grants }) => {
      const code = await authorizationCodes.find(hash);
      if (code === undefined) throw invalidGrant();
      const target = (rowId: number) => ({ kind: 'OAuth2Grant', id: String(rowId), name: client.name });
      if (code.grantRowId !== null) {
        await oauth2Grants.revoke([code.grantRowId]);
        const entry = { action: 'oauth2-grant.replay', outcome: 'DENIED', target: target(code.grantRowId) } as const;
        return { result: 'replayed', entry };
      }
      checkExchange(code, client, exchange);
      if (!isVerified(code.codeChallenge, exchange.codeVerifier)) {
        // Only a program other than the requesting one does not know the verifier. It may not guess on.
        await authorizationCodes.expire(hash);
        return { result: 'rejected', entry: undefined };
      }
      const { userRowId, clientRowId, scopes, resource } = code;
      const expiresAt = new Date(Date.now() + policyOf(ports).grantMs);
      const pair = mintPair(tokens, rowIds, grantTimes(ports), expiresAt);
      const grantRowId = await oauth2Grants.create(
        { userRowId, clientRowId, scopes, resource, expiresAt, remoteAddress, userAgent: exchange.userAgent },
        pair.stored,
      );
      await authorizationCodes.setGrant(hash, grantRowId);
      const after = { clientId: client.clientId, scopes, resource };
      const entry = { action: 'oauth2-grant.create', outcome: 'DONE', target: target(grantRowId), after } as const;
      return { result: { ...pair.issued, scopes }, entry };
    },
  );
  if (typeof outcome === 'object') return outcome;
  if (outcome === 'replayed') await credentials.sync();
  throw invalidGrant();
}

/** @throws {OAuthError} unless the requesting application redeems the code, at the same address and in time */
function checkExchange(code: AuthorizationCode, client: OAuth2Client, exchange: CodeExchange): void {
  const isRight =
    code.clientRowId === client.rowId &&
    code.redirectUri === exchange.redirectUri &&
    code.expiresAt.getTime() > Date.now();
  if (!isRight) throw invalidGrant();
  checkResource(exchange, code.resource);
}

/** @throws {OAuthError} `invalid_target` */
function checkResource(
  { resources, baseUrl }: Pick<CodeExchange, 'resources' | 'baseUrl'>,
  granted: ProtectedResource,
): void {
  if ((parseResource(resources, baseUrl) ?? granted) === granted) return;
  throw new OAuthError('invalid_target', 'The user has agreed to another resource');
}

/**
 * Exchanges a refresh token of an application. One that was exchanged before has been stolen, so its grant is revoked.
 *
 * @throws {OAuthError} `invalid_grant`, `invalid_target`
 */
export async function refreshGrant(
  ports: AuthorizationParts,
  input: {
    readonly clientId: string;
    readonly refreshToken: string;
    readonly resources: readonly string[];
    readonly baseUrl: string;
  },
): Promise<AppTokens> {
  const { tokens, credentials } = signInPorts(ports);
  const token = tokens.read(input.refreshToken);
  if (token?.kind !== 'RefreshToken') throw invalidGrant();
  const grant = await ports.oauth2Grants.findByToken(token.hash);
  if (grant) checkResource(input, grant.resource);
  const rowIds = await ports.userSessions.allocateTokenRowIds();
  let issued: Omit<IssuedTokens, 'user'> | undefined;
  const outcome = await ports.oauth2Grants.refresh(
    { hash: token.hash, clientId: input.clientId },
    (grantExpiresAt) => {
      const pair = mintPair(tokens, rowIds, grantTimes(ports), grantExpiresAt);
      issued = pair.issued;
      return pair.stored;
    },
    ports.remoteAddress,
  );
  await credentials.sync();
  if (outcome.kind === 'exchanged' && issued) return { ...issued, scopes: outcome.scopes };
  if (outcome.kind === 'replayed' && grant) await recordReplay(ports, grant);
  throw invalidGrant();
}

async function recordReplay(ports: AuthorizationParts, { rowId, userRowId, clientName }: OAuth2Grant): Promise<void> {
  const user = (await ports.users.findByRowIds([userRowId])).get(userRowId);
  const target = { kind: 'OAuth2Grant', id: String(rowId), name: clientName };
  await ports.audit.inTransaction(actorOfApp(user, ports.remoteAddress), async () => ({
    result: undefined,
    entry: { action: 'oauth2-grant.replay', outcome: 'DENIED', target },
  }));
}

/** The refresh token is valid as long as the grant, because each use replaces it. */
const grantTimes = ({ accessPolicy: { accessTokenMs } }: AuthorizationParts) => ({
  accessTokenMs,
  refreshTokenMs: Number.POSITIVE_INFINITY,
});

/** An application that acts for a user. */
export const actorOfApp = (
  user: { readonly rowId: number; readonly username: string } | undefined,
  remoteAddress: string | null,
): AuditActor => ({
  userRowId: user?.rowId ?? null,
  username: user?.username ?? null,
  credential: 'app',
  remoteAddress,
});

function isVerified(challenge: string, verifier: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  return isSame(challenge, createHash('sha256').update(verifier).digest('base64url'));
}

const invalidGrant = (): OAuthError => new OAuthError('invalid_grant', 'The code or token is invalid or has expired');
