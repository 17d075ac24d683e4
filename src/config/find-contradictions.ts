import { findLdapProblems } from './identity/ldap-config.ts';
import { databaseUrlOf } from './database-url-setting.ts';
import { hasPassword, sslModeOf } from './postgres-url.ts';
import { ALIAS_PREFIX, type Origins, PREFIX } from './read-settings.ts';
import type { SettingName, SettingValues } from './settings.ts';

/** Finds contradictions between values that are valid on their own. */
export function findContradictions(values: SettingValues, origins: Origins, hasOidcProvider: boolean): string[] {
  const problems: string[] = [];
  // Names the variable with the prefix that the user has chosen.
  const named = (name: SettingName, beside: SettingName) =>
    (origins[beside].startsWith(ALIAS_PREFIX) ? ALIAS_PREFIX : PREFIX) + name;
  const needs = (name: SettingName, needed: SettingName) => {
    if (values[needed] === undefined) problems.push(`${origins[name]} needs ${named(needed, name)}, which is unset.`);
  };
  if (values.ENABLE_AUTH) needs('ENABLE_AUTH', 'SECRET');
  if (values.ADMIN_SECRET !== undefined) {
    needs('ADMIN_SECRET', 'SECRET');
    if (values.ADMIN_SECRET === values.SECRET) {
      problems.push(`${origins.ADMIN_SECRET} must differ from ${named('SECRET', 'ADMIN_SECRET')}.`);
    }
  }
  if (values.ENABLE_AUTH && values.DISABLE_BASIC_AUTH && !hasOidcProvider && values.LDAP_HOST === undefined) {
    problems.push(`${origins.DISABLE_BASIC_AUTH} needs an identity provider or a directory, and none is set.`);
  }
  const tls = (['TLS_ENABLED_FOR_HTTP', 'TLS_ENABLED_FOR_GRPC'] as const).find(
    (name) => values[name] ?? values.TLS_ENABLED,
  );
  if (tls !== undefined) {
    const switchedBy = values[tls] === undefined ? 'TLS_ENABLED' : tls;
    needs(switchedBy, 'TLS_CERT_FILE');
    needs(switchedBy, 'TLS_KEY_FILE');
    if (values.TLS_VERIFY_CLIENT) needs('TLS_VERIFY_CLIENT', 'TLS_CA_FILE');
  }
  if (values.SQL_DATABASE_URL === undefined && values.POSTGRES_HOST !== undefined) {
    needs('POSTGRES_HOST', 'POSTGRES_USER');
    if (!IDENTITY_SETTINGS.some((name) => values[name])) needs('POSTGRES_HOST', 'POSTGRES_PASSWORD');
  }
  problems.push(...findIdentityProblems(values, origins));
  if (values.SQL_DATABASE_READ_REPLICA_URL !== undefined && databaseUrlOf(values) === undefined) {
    needs('SQL_DATABASE_READ_REPLICA_URL', 'SQL_DATABASE_URL');
  }
  if (values.SMTP_HOSTNAME !== undefined) {
    needs('SMTP_HOSTNAME', 'SMTP_USERNAME');
    needs('SMTP_HOSTNAME', 'SMTP_PASSWORD');
  }
  const ldapVariable = (name: SettingName) => (origins[name] === 'default' ? named(name, 'LDAP_HOST') : origins[name]);
  return [...problems, ...findLdapProblems(values, ldapVariable)];
}

const AUTHORIZATION_SETTINGS = [
  'OAUTH2_GRANT_EXPIRY_DAYS',
  'OAUTH2_DYNAMIC_CLIENT_REGISTRATION',
  'OAUTH2_ALLOWED_REDIRECT_HOSTS',
  'OAUTH2_DCR_RATE_LIMIT_PER_HOUR',
  'OAUTH2_CONSENT_ORIGIN_CHECK',
] as const;

const IDENTITY_SETTINGS = ['POSTGRES_USE_AWS_IAM_AUTH', 'POSTGRES_USE_AZURE_MANAGED_IDENTITY'] as const;

/** A cloud identity replaces every password and needs TLS. */
function findIdentityProblems(values: SettingValues, origins: Origins): string[] {
  const [used, other] = IDENTITY_SETTINGS.filter((name) => values[name]);
  if (used === undefined) return [];
  const problems: string[] = [];
  if (other !== undefined) problems.push(`${origins[used]} and ${origins[other]} must not both be true.`);
  if (databaseUrlOf(values) === undefined) {
    problems.push(
      `${origins[used]} needs a database: set ${PREFIX}POSTGRES_HOST and ${PREFIX}POSTGRES_USER, or ${PREFIX}SQL_DATABASE_URL.`,
    );
  }
  const isOfParts = values.SQL_DATABASE_URL === undefined;
  if (other === undefined && used === 'POSTGRES_USE_AZURE_MANAGED_IDENTITY' && isOfParts && !values.POSTGRES_DB) {
    problems.push(`${origins[used]} needs ${PREFIX}POSTGRES_DB, which is unset.`);
  }
  if (values.POSTGRES_PASSWORD !== undefined) {
    problems.push(`${origins.POSTGRES_PASSWORD} must be unset, because ${origins[used]} replaces the password.`);
  }
  for (const name of ['SQL_DATABASE_URL', 'SQL_DATABASE_READ_REPLICA_URL'] as const) {
    const url = values[name];
    if (url === undefined) continue;
    if (hasPassword(url)) {
      problems.push(`${origins[name]} must contain no password, because ${origins[used]} replaces it.`);
    }
    if (sslModeOf(url) === 'disable') {
      problems.push(
        `${origins[name]} must not have sslmode=disable, because ${origins[used]} sends tokens over TLS only.`,
      );
    }
  }
  return problems;
}

/** One sentence for each setting that has no effect, or not the expected one, without another one. */
export function findIneffective(values: SettingValues, origins: Origins): string[] {
  const warnings: string[] = [];
  if (values.SMTP_HOSTNAME !== undefined && values.ROOT_URL === undefined) {
    warnings.push(`${PREFIX}ROOT_URL is unset: links in mails work only on this machine.`);
  }
  if (!(values.ENABLE_AUTH && values.ENABLE_OAUTH2_AUTHORIZATION_SERVER)) {
    for (const setting of AUTHORIZATION_SETTINGS.filter((one) => origins[one] !== 'default')) {
      warnings.push(
        `${origins[setting]} has no effect: applications get no access, because ${PREFIX}${values.ENABLE_AUTH ? 'ENABLE_OAUTH2_AUTHORIZATION_SERVER' : 'ENABLE_AUTH'} is false.`,
      );
    }
  }
  const name = 'DATABASE_USAGE_EMAIL_WARNING_THRESHOLD_PERCENTAGE';
  if (values[name] === undefined) return warnings;
  for (const needed of ['DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES', 'SMTP_HOSTNAME'] as const) {
    if (values[needed] === undefined) warnings.push(`${origins[name]} has no effect: ${PREFIX}${needed} is unset.`);
  }
  return warnings;
}
