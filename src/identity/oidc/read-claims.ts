import { searchTexts } from '../../base/jmespath.ts';
import { nestsWithin } from '../../base/json-depth.ts';
import type { Log } from '../../base/log.ts';
import type { OidcProviderConfig } from '../../config/identity/oidc-providers.ts';
import type { OidcIdentity, SignInFailure } from '../../model/access/external-identity.ts';
import { type AssignableRole, isEmail, normalizeEmail } from '../../model/access/user.ts';
import {
  CLAIM_LENGTH_MAX,
  CLAIMS_DEPTH_MAX,
  DISPLAY_NAME_LENGTH_MAX,
  GROUP_COUNT_MAX,
  JMESPATH_MS_MAX,
} from '../../model/limits/identity-providers.ts';
import { isFailure } from './identity-provider.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** Values that the settings select. Undefined: absent. */
interface Selected {
  readonly email: string | undefined;
  readonly groups: readonly string[] | undefined;
  readonly roleValue: string | undefined;
}

/**
 * The identity that the claims of the ID token describe. Calls `fetchUserInfo` only if the email, the groups or the role is
 * missing in it; the ID token takes precedence.
 */
export async function readIdentity(
  config: OidcProviderConfig,
  { idToken, issuer, fetchUserInfo, log }: IdentitySources,
): Promise<OidcIdentity | SignInFailure> {
  let claims: Claims = checkDepth(idToken);
  let selected = select(config, claims, log);
  if (isIncomplete(config, selected)) {
    const userInfo = await fetchUserInfo();
    claims = { ...checkDepth(userInfo ?? {}), ...withoutNulls(claims) };
    selected = select(config, claims, log);
  }
  const { email, groups, roleValue } = selected;
  if (email === undefined) return { error: 'missing_email_scope', reason: 'The provider sends no email address' };
  if (config.groupsPath !== undefined && !groups?.some((group) => config.allowedGroups.includes(group))) {
    return { error: 'sign_in_not_allowed', reason: 'The user is in none of the allowed groups' };
  }
  const role = chooseRole(config, roleValue);
  if (typeof role === 'object' && isFailure(role)) return role;
  return {
    kind: 'oidc',
    provider: config.name,
    issuer,
    clientId: config.clientId,
    subject: String(idToken.sub),
    email,
    isEmailUnverified: /^false$/i.test(String(claims.email_verified)),
    displayName: toDisplayName(claims.name),
    pictureUrl: toPictureUrl(claims.picture),
    groups: groups ?? [],
    role,
  };
}

interface IdentitySources {
  readonly idToken: Claims;
  readonly issuer: string;
  /** Undefined when the provider has no such endpoint. */
  fetchUserInfo(): Promise<Claims | undefined>;
  readonly log: Log;
}

const withoutNulls = (claims: Claims): Claims =>
  Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null && value !== undefined));

function checkDepth(claims: Claims): Claims {
  if (!nestsWithin(claims, CLAIMS_DEPTH_MAX)) throw new Error('The claims of the provider are nested too deeply');
  return claims;
}

function select(config: OidcProviderConfig, claims: Claims, log: Log): Selected {
  const texts = (path: string | undefined): string[] => {
    if (path === undefined) return [];
    try {
      const found = searchTexts(path, claims, {
        evaluationMsMax: JMESPATH_MS_MAX,
        textCountMax: GROUP_COUNT_MAX,
        textLengthMax: CLAIM_LENGTH_MAX,
      });
      // Postgres stores no NUL.
      return found.filter((text) => !text.includes('\0'));
    } catch (err) {
      log.warn({ provider: config.name, path, err }, 'A JMESPath expression failed; treating the claim as absent');
      return [];
    }
  };
  const email = config.emailPath === undefined ? claims.email : texts(config.emailPath)[0];
  const groups = texts(config.groupsPath);
  return {
    email: typeof email === 'string' && isEmail(email.trim()) ? normalizeEmail(email) : undefined,
    groups: groups.length > 0 ? groups : undefined,
    roleValue: texts(config.rolePath)[0],
  };
}

const isIncomplete = (config: OidcProviderConfig, { email, groups, roleValue }: Selected): boolean =>
  email === undefined ||
  (config.groupsPath !== undefined && groups === undefined) ||
  (config.rolePath !== undefined && roleValue === undefined);

/** Without a mapping the value is the name of a role. */
function chooseRole(config: OidcProviderConfig, value: string | undefined): AssignableRole | undefined | SignInFailure {
  if (config.rolePath === undefined) return undefined;
  const role = value === undefined ? undefined : (config.roleMapping ?? ROLE_NAMES).get(nameOf(config, value));
  if (role !== undefined) return role;
  if (!config.isRoleRequired) return 'VIEWER';
  return { error: 'sign_in_not_allowed', reason: 'The provider sends no valid role, and the settings require one' };
}

const ROLE_NAMES: ReadonlyMap<string, AssignableRole> = new Map([
  ['ADMIN', 'ADMIN'],
  ['MEMBER', 'MEMBER'],
  ['VIEWER', 'VIEWER'],
]);

/** Names of roles have no case; values of the provider do. */
const nameOf = (config: OidcProviderConfig, value: string): string =>
  config.roleMapping === undefined ? value.toUpperCase() : value;

function toDisplayName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  return name.replace(/\p{C}/gu, '').trim().slice(0, DISPLAY_NAME_LENGTH_MAX) || undefined;
}

function toPictureUrl(picture: unknown): string | undefined {
  if (typeof picture !== 'string' || picture.length > CLAIM_LENGTH_MAX || !URL.canParse(picture)) return undefined;
  const url = new URL(picture);
  return url.protocol === 'https:' && !url.username && !url.password ? url.href : undefined;
}
