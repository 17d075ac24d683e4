import { randomBytes, randomInt } from 'node:crypto';
import { type Entry, FilterParser, ResultCodeError } from 'ldapts';
import { canonicalDn } from '../../base/distinguished-name.ts';
import type { LdapConfig } from '../../config/identity/ldap-config.ts';
import type { LdapIdentity } from '../../model/access/external-identity.ts';
import { type AssignableRole, isEmail, normalizeEmail } from '../../model/access/user.ts';
import {
  GROUP_COUNT_MAX,
  LDAP_CONNECT_MS_MAX,
  LDAP_OPERATION_MS_MAX,
  LDAP_PASSWORD_LENGTH_MAX,
  LDAP_SIGN_IN_COUNT_MAX,
  LDAP_TOTAL_MS_MAX,
  LDAP_USERNAME_LENGTH_MAX,
  LDAP_WAITING_COUNT_MAX,
} from '../../model/limits/identity-providers.ts';
import { fillFilter } from './filter-text.ts';
import {
  connectToLdap,
  type LdapConnection,
  LdapConnectionError,
  type LdapDeadline,
  type LdapTimeLimits,
} from './ldap-connection.ts';
import type { LdapDirectory, LdapSignIn } from './ldap-directory.ts';
import { displayNameOf, textsOf, uniqueIdOf } from './ldap-entry.ts';
import { openBoundedQueue } from './sign-in-queue.ts';

const TIME_LIMITS: LdapTimeLimits = {
  connectMsMax: LDAP_CONNECT_MS_MAX,
  operationMsMax: LDAP_OPERATION_MS_MAX,
  totalMsMax: LDAP_TOTAL_MS_MAX,
};

/** @throws {Error} when a search filter of the settings is not one */
export function openLdapDirectory(config: LdapConfig, limits: LdapTimeLimits = TIME_LIMITS): LdapDirectory {
  checkFilter('SERVICE_LDAP_USER_SEARCH_FILTER', config.userFilter);
  if (config.groupSearch) checkFilter('SERVICE_LDAP_GROUP_SEARCH_FILTER', config.groupSearch.filter);
  const queue = openBoundedQueue(LDAP_SIGN_IN_COUNT_MAX, LDAP_WAITING_COUNT_MAX);
  return {
    policy: { allowsSignUp: config.allowsSignUp },
    async signIn(username, password) {
      const name = username.trim();
      // A bind with an empty password succeeds without a check (RFC 4513, section 5.1.2).
      if (name === '' || password === '') return denied('A name and a password are required');
      if (username.length > LDAP_USERNAME_LENGTH_MAX || password.length > LDAP_PASSWORD_LENGTH_MAX) {
        return denied('The name or the password is too long');
      }
      const signal = AbortSignal.timeout(limits.totalMsMax);
      try {
        return await queue.run(() => tryServers(config, { name, password }, { signal, limits }), signal);
      } catch (error) {
        return { outcome: 'unavailable', reason: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

function checkFilter(variable: string, filter: string): void {
  try {
    FilterParser.parseString(fillFilter(filter, 'name'));
  } catch {
    throw new Error(`Invalid value for environment variable ${variable}: ${filter}. Value must be an LDAP filter.`);
  }
}

interface Credentials {
  readonly name: string;
  readonly password: string;
}

const denied = (reason: string): LdapSignIn => ({ outcome: 'denied', reason });

/** Only a server that cannot be reached moves the sign-in to the next one. The response of a server is final. */
async function tryServers(config: LdapConfig, credentials: Credentials, deadline: LdapDeadline): Promise<LdapSignIn> {
  const reasons: string[] = [];
  for (const host of shuffle(config.hosts)) {
    try {
      return await signInAt(config, host, credentials, deadline);
    } catch (error) {
      reasons.push(`${host}: ${error instanceof Error ? error.message : String(error)}`);
      if (!(error instanceof LdapConnectionError) || deadline.signal.aborted) break;
    }
  }
  return { outcome: 'unavailable', reason: reasons.join('; ') };
}

function shuffle<T>(items: readonly T[]): T[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = randomInt(last + 1);
    [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
  }
  return shuffled;
}

/** @throws {LdapConnectionError} and, for a search that the settings make impossible, {ResultCodeError} */
async function signInAt(
  config: LdapConfig,
  host: string,
  { name, password }: Credentials,
  deadline: LdapDeadline,
): Promise<LdapSignIn> {
  const service = await connectToLdap(config, host, deadline);
  try {
    if (config.bindDn !== undefined) await service.bind(config.bindDn, config.bindPassword ?? '');
    const found = await findUsers(config, service, name);
    const [user] = found;
    const dn = found.length === 1 && user?.dn ? user.dn : undefined;
    // Also for a name that no entry or two entries have, so that the time does not reveal which names exist.
    const isRight = await bindAs(config, host, dn ?? unusedDn(config), password, deadline);
    if (user === undefined) return denied('The directory has no such user');
    if (dn === undefined) return denied('The name stands for several entries of the directory');
    if (!isRight) return denied('The directory rejects the password');
    return await describe(config, service, { user, name });
  } finally {
    service.close();
  }
}

/** At most two entries; the second makes the name ambiguous. The bases are searched in their order. */
async function findUsers(config: LdapConfig, service: LdapConnection, name: string): Promise<Entry[]> {
  const { emailAttribute, uniqueIdAttribute, groupSearch } = config;
  const requested = [
    config.displayNameAttribute,
    emailAttribute,
    uniqueIdAttribute,
    groupSearch ? groupSearch.userAttribute : config.memberOfAttribute,
  ];
  for (const baseDn of config.userBaseDns) {
    const entries = await service.search(baseDn, {
      filter: fillFilter(config.userFilter, name),
      attributes: requested.filter((attribute) => attribute !== undefined),
      binaryAttributes: uniqueIdAttribute === undefined ? [] : [uniqueIdAttribute],
      entryCountMax: 2,
    });
    if (entries.length > 0) return entries;
  }
  return [];
}

/** A name below the first base that no entry has. */
const unusedDn = ({ userBaseDns }: LdapConfig): string => `cn=${randomBytes(16).toString('hex')},${userBaseDns[0]}`;

/** strongerAuthRequired and confidentialityRequired (RFC 4511, appendix A). */
const ENCRYPTION_REQUIRED = new Set([8, 13]);

/** Binds on a connection of its own, so that searches keep the rights of the service account. */
async function bindAs(config: LdapConfig, host: string, dn: string, password: string, deadline: LdapDeadline) {
  const connection = await connectToLdap(config, host, deadline);
  try {
    await connection.bind(dn, password);
    return true;
  } catch (error) {
    // The settings of the connection, not the password, are the cause of the two codes.
    if (error instanceof ResultCodeError && !ENCRYPTION_REQUIRED.has(error.code)) return false;
    throw error;
  } finally {
    connection.close();
  }
}

interface FoundUser {
  readonly user: Entry;
  /** The name that was entered. */
  readonly name: string;
}

async function describe(config: LdapConfig, service: LdapConnection, found: FoundUser): Promise<LdapSignIn> {
  const { user } = found;
  const groups = await findGroups(config, service, found);
  const role = chooseRole(config, groups);
  if (role === undefined) return { outcome: 'notAllowed', reason: 'No mapping gives a role to the groups of the user' };
  const uniqueId = config.uniqueIdAttribute === undefined ? undefined : uniqueIdOf(user, config.uniqueIdAttribute);
  if (config.uniqueIdAttribute !== undefined && uniqueId === undefined) {
    return { outcome: 'notAllowed', reason: `The entry has no attribute ${config.uniqueIdAttribute}` };
  }
  const [email = ''] = config.emailAttribute === undefined ? [] : textsOf(user, config.emailAttribute);
  if (config.emailAttribute !== undefined && !isEmail(email.trim())) {
    return {
      outcome: 'notAllowed',
      reason: `The attribute ${config.emailAttribute} of the entry has no email address`,
    };
  }
  const identity: LdapIdentity = {
    kind: 'ldap',
    dn: user.dn,
    uniqueId,
    email: config.emailAttribute === undefined ? null : normalizeEmail(email),
    displayName: displayNameOf(user, config.displayNameAttribute),
    groups,
    role,
  };
  return { outcome: 'signedIn', identity };
}

async function findGroups(config: LdapConfig, service: LdapConnection, { user, name }: FoundUser): Promise<string[]> {
  const { groupSearch } = config;
  if (groupSearch === undefined) return textsOf(user, config.memberOfAttribute).slice(0, GROUP_COUNT_MAX);
  const { userAttribute } = groupSearch;
  const value = userAttribute === undefined ? name : attributeOf(user, userAttribute);
  if (value === undefined) return [];
  const groups: string[] = [];
  for (const baseDn of groupSearch.baseDns) {
    const entries = await service.search(baseDn, {
      filter: fillFilter(groupSearch.filter, value),
      // No attribute (RFC 4511, section 4.5.1.8): the names are enough.
      attributes: ['1.1'],
      entryCountMax: GROUP_COUNT_MAX,
    });
    groups.push(...entries.map(({ dn }) => dn));
  }
  return groups.slice(0, GROUP_COUNT_MAX);
}

const attributeOf = (user: Entry, attribute: string): string | undefined =>
  attribute.toLowerCase() === 'dn' ? user.dn : textsOf(user, attribute)[0];

/** Only groups of which the user is a direct member. The first mapping that matches counts. */
function chooseRole(config: LdapConfig, groups: readonly string[]): AssignableRole | undefined {
  const names = new Set(groups.map((group) => canonicalDn(group) ?? group));
  return config.groupRoles.find(({ groupDn }) => groupDn === '*' || names.has(canonicalDn(groupDn) ?? groupDn))?.role;
}
