import type { SettingValues } from '../settings.ts';
import type { GroupRole } from './role-kinds.ts';

/** The directory whose users may sign in. */
export interface LdapConfig {
  /** Equal servers of one directory. */
  readonly hosts: readonly string[];
  readonly port: number;
  readonly tlsMode: 'starttls' | 'ldaps' | 'none';
  readonly verifiesServer: boolean;
  /** PEM files. Undefined: the certificates of Node; no client certificate. */
  readonly caFile: string | undefined;
  readonly clientCertFile: string | undefined;
  readonly clientKeyFile: string | undefined;
  /** Account that searches. Undefined: anonymous. */
  readonly bindDn: string | undefined;
  readonly bindPassword: string | undefined;
  readonly userBaseDns: readonly string[];
  /** Contains `%s`. */
  readonly userFilter: string;
  /** Undefined: accounts have no email and are known by `uniqueIdAttribute`. */
  readonly emailAttribute: string | undefined;
  readonly displayNameAttribute: string;
  readonly memberOfAttribute: string;
  readonly uniqueIdAttribute: string | undefined;
  /** Undefined: groups are the values of `memberOfAttribute`. */
  readonly groupSearch: LdapGroupSearch | undefined;
  /** The first that matches gives the role. */
  readonly groupRoles: readonly GroupRole[];
  readonly allowsSignUp: boolean;
}

export interface LdapGroupSearch {
  readonly baseDns: readonly string[];
  /** Contains `%s`. */
  readonly filter: string;
  /** Attribute of the user that is put into the filter. Undefined: the name that was entered. */
  readonly userAttribute: string | undefined;
}

/** Undefined when no host is set. */
export function toLdapConfig(values: SettingValues): LdapConfig | undefined {
  if (values.LDAP_HOST === undefined) return undefined;
  const tlsMode = values.LDAP_TLS_MODE;
  const { LDAP_GROUP_SEARCH_FILTER: filter, LDAP_GROUP_SEARCH_BASE_DNS: baseDns = [] } = values;
  return {
    hosts: values.LDAP_HOST,
    port: values.LDAP_PORT ?? (tlsMode === 'ldaps' ? 636 : 389),
    tlsMode,
    verifiesServer: values.LDAP_TLS_VERIFY,
    caFile: values.LDAP_TLS_CA_CERT_FILE,
    clientCertFile: values.LDAP_TLS_CLIENT_CERT_FILE,
    clientKeyFile: values.LDAP_TLS_CLIENT_KEY_FILE,
    bindDn: values.LDAP_BIND_DN,
    bindPassword: values.LDAP_BIND_PASSWORD,
    userBaseDns: values.LDAP_USER_SEARCH_BASE_DNS ?? [],
    userFilter: values.LDAP_USER_SEARCH_FILTER,
    emailAttribute: values.LDAP_ATTR_EMAIL ?? undefined,
    displayNameAttribute: values.LDAP_ATTR_DISPLAY_NAME,
    memberOfAttribute: values.LDAP_ATTR_MEMBER_OF,
    uniqueIdAttribute: values.LDAP_ATTR_UNIQUE_ID,
    groupSearch:
      filter === undefined ? undefined : { baseDns, filter, userAttribute: values.LDAP_GROUP_SEARCH_FILTER_USER_ATTR },
    groupRoles: values.LDAP_GROUP_ROLE_MAPPINGS ?? [],
    allowsSignUp: values.LDAP_ALLOW_SIGN_UP,
  };
}

type LdapName = Extract<keyof SettingValues, `LDAP_${string}` | 'ADMINS'>;

/** Contradictions between settings of the directory. `named` gives the variable of a setting. */
export function findLdapProblems(values: SettingValues, named: (name: LdapName) => string): string[] {
  if (values.LDAP_HOST === undefined) return [];
  const problems: string[] = [];
  const isSet = (name: LdapName) => values[name] !== undefined;
  const needs = (name: LdapName, needed: LdapName) => {
    if (isSet(name) && !isSet(needed)) problems.push(`${named(name)} needs ${named(needed)}, which is unset.`);
  };
  needs('LDAP_HOST', 'LDAP_USER_SEARCH_BASE_DNS');
  needs('LDAP_HOST', 'LDAP_GROUP_ROLE_MAPPINGS');
  needs('LDAP_TLS_CLIENT_CERT_FILE', 'LDAP_TLS_CLIENT_KEY_FILE');
  needs('LDAP_TLS_CLIENT_KEY_FILE', 'LDAP_TLS_CLIENT_CERT_FILE');
  needs('LDAP_BIND_DN', 'LDAP_BIND_PASSWORD');
  needs('LDAP_BIND_PASSWORD', 'LDAP_BIND_DN');
  needs('LDAP_GROUP_SEARCH_FILTER', 'LDAP_GROUP_SEARCH_BASE_DNS');
  needs('LDAP_GROUP_SEARCH_FILTER_USER_ATTR', 'LDAP_GROUP_SEARCH_FILTER');
  if (values.LDAP_ATTR_EMAIL === null) {
    if (!isSet('LDAP_ATTR_UNIQUE_ID')) {
      problems.push(`Accounts without an email need ${named('LDAP_ATTR_UNIQUE_ID')}, which is unset.`);
    }
    if (!values.LDAP_ALLOW_SIGN_UP) {
      problems.push(`Accounts without an email need ${named('LDAP_ALLOW_SIGN_UP')} to be true.`);
    }
    if (values.ADMINS.length > 0) {
      problems.push(
        `${named('ADMINS')} names administrators by email, and ${named('LDAP_ATTR_EMAIL')} turns emails off.`,
      );
    }
  }
  return problems;
}

/** Sentences about settings that are valid and unsafe, or easily overlooked. */
export function warnOfLdap(
  values: SettingValues,
  named: (name: LdapName) => string,
  isDefault: (name: LdapName) => boolean,
) {
  if (values.LDAP_HOST === undefined) return [];
  const warnings: string[] = [];
  if (values.LDAP_TLS_MODE === 'none') {
    warnings.push(`${named('LDAP_TLS_MODE')} is none: passwords are sent to the directory without encryption.`);
  }
  if (!values.LDAP_TLS_VERIFY) {
    warnings.push(`${named('LDAP_TLS_VERIFY')} is false: another server can pose as the directory and read passwords.`);
  }
  if (isDefault('LDAP_ATTR_EMAIL')) {
    warnings.push(`${named('LDAP_ATTR_EMAIL')} is unset: the attribute mail is used.`);
  }
  return warnings;
}
