import type { Caller, SignedInCaller } from '../../model/access/caller.ts';
import type { User } from '../../model/access/user.ts';
import { TOKEN_LENGTH_MAX } from '../../model/limits/access.ts';
import type { SignInPorts } from './access-ports.ts';
import { hashToken, isSame } from './tokens.ts';

type Presented = { readonly kind: 'none' | 'malformed' } | { readonly kind: 'token'; readonly token: string };

/**
 * Finds the caller of a request: the owner of an access token or key, or the internal account for the admin secret. Other
 * kinds of tokens prove nothing.
 */
export function createAuthenticate({
  tokens,
  credentials,
  adminSecret,
  systemUser,
}: Pick<SignInPorts, 'tokens' | 'credentials'> & {
  readonly adminSecret: string | undefined;
  /** Undefined only on a read-only server whose database was never used. */
  readonly systemUser: User | undefined;
}): (presented: Presented) => Caller | Promise<Caller> {
  const byAdminSecret: SignedInCaller | undefined = systemUser && {
    kind: 'signedIn',
    credential: 'adminSecret',
    credentialRowId: null,
    user: { ...systemUser },
    scope: 'ALL',
    projects: null,
    signal: new AbortController().signal,
  };
  return (presented) => {
    if (presented.kind !== 'token') return MISSING;
    const { token } = presented;
    if (token.length > TOKEN_LENGTH_MAX) return INVALID;
    if (adminSecret !== undefined && byAdminSecret && isSame(token, adminSecret)) return byAdminSecret;
    // A known token was verified when it was issued, so its signature is not checked again.
    const known = credentials.findKnown(hashToken(token));
    if (known !== undefined) return toCaller(known);
    const read = tokens.read(token);
    if (read?.kind !== 'AccessToken' && read?.kind !== 'ApiKey') return INVALID;
    return credentials.find(read.hash).then(toCaller);
  };
}

const MISSING: Caller = { kind: 'anonymous', reason: 'missing' };
const INVALID: Caller = { kind: 'anonymous', reason: 'invalid' };
const EXPIRED: Caller = { kind: 'anonymous', reason: 'expired' };

function toCaller(found: SignedInCaller | 'expired' | undefined): Caller {
  if (found === 'expired') return EXPIRED;
  return found ?? INVALID;
}
