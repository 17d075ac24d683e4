import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigError, readConfig } from '../../../src/config/config.ts';
import type { Environment } from '../../../src/config/read-settings.ts';

/** Variables of a valid directory, with changes. `undefined` unsets one. */
const directory = (changes: Environment = {}): Environment =>
  Object.fromEntries(
    Object.entries({
      HOST: 'ldap.example',
      USER_SEARCH_BASE_DNS: '["ou=people,dc=example"]',
      GROUP_ROLE_MAPPINGS: '[{"group_dn":"*","role":"viewer"}]',
      ATTR_EMAIL: 'mail',
      ...changes,
    }).map(([name, value]) => [`SERVICE_LDAP_${name}`, value]),
  );
const read = (changes?: Environment) => readConfig({ env: directory(changes) });
const problemsOf = (env: Environment): readonly string[] => {
  try {
    readConfig({ env });
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
  return [];
};

describe('settings of the directory', () => {
  test('are off without a host', () => {
    assert.equal(readConfig({ env: directory({ HOST: undefined }) }).config.ldap, undefined);
  });

  test('have the documented defaults', () => {
    const { config, warnings } = read();

    assert.deepEqual(warnings, []);
    assert.deepEqual(config.ldap, {
      hosts: ['ldap.example'],
      port: 389,
      tlsMode: 'starttls',
      verifiesServer: true,
      caFile: undefined,
      clientCertFile: undefined,
      clientKeyFile: undefined,
      bindDn: undefined,
      bindPassword: undefined,
      userBaseDns: ['ou=people,dc=example'],
      userFilter: '(&(objectClass=user)(sAMAccountName=%s))',
      emailAttribute: 'mail',
      displayNameAttribute: 'displayName',
      memberOfAttribute: 'memberOf',
      uniqueIdAttribute: undefined,
      groupSearch: undefined,
      groupRoles: [{ groupDn: '*', role: 'VIEWER' }],
      allowsSignUp: true,
    });
  });

  test('choose the port of the encryption', () => {
    assert.equal(read({ TLS_MODE: 'ldaps' }).config.ldap?.port, 636);
    assert.equal(read({ TLS_MODE: 'ldaps', PORT: '1636' }).config.ldap?.port, 1636);
  });

  for (const blank of ['', ' ', 'null', 'NULL']) {
    test(`turn emails off with ${JSON.stringify(blank)}`, () => {
      assert.equal(read({ ATTR_EMAIL: blank, ATTR_UNIQUE_ID: 'entryUUID' }).config.ldap?.emailAttribute, undefined);
    });
  }

  test('warn about no encryption, no verification and an email attribute that is not set', () => {
    const { warnings } = read({ TLS_MODE: 'none', TLS_VERIFY: 'false', ATTR_EMAIL: undefined });

    assert.deepEqual(
      warnings.map((warning) => warning.split(' ')[0]),
      ['SERVICE_LDAP_TLS_MODE', 'SERVICE_LDAP_TLS_VERIFY', 'SERVICE_LDAP_ATTR_EMAIL'],
    );
  });

  test('show groups and hide the password', () => {
    const { effective } = read({ BIND_DN: 'cn=reader,dc=example', BIND_PASSWORD: 'very-secret' });
    const shown = new Map(effective.map(({ name, shown }) => [name, shown]));

    assert.equal(shown.get('LDAP_BIND_PASSWORD'), '***');
    assert.equal(shown.get('LDAP_GROUP_ROLE_MAPPINGS'), '[{"groupDn":"*","role":"VIEWER"}]');
  });

  const invalid: readonly (readonly [title: string, changes: Environment, variable: string, expected: RegExp])[] = [
    ['no base', { USER_SEARCH_BASE_DNS: '' }, 'USER_SEARCH_BASE_DNS', /which is unset/],
    ['no mapping', { GROUP_ROLE_MAPPINGS: '' }, 'GROUP_ROLE_MAPPINGS', /which is unset/],
    ['a base that is no JSON', { USER_SEARCH_BASE_DNS: 'dc=x' }, 'USER_SEARCH_BASE_DNS', /JSON array/],
    ['a base that is no DN', { USER_SEARCH_BASE_DNS: '["x"]' }, 'USER_SEARCH_BASE_DNS', /JSON array/],
    ['an empty mapping', { GROUP_ROLE_MAPPINGS: '[]' }, 'GROUP_ROLE_MAPPINGS', /JSON array/],
    ['the system role', { GROUP_ROLE_MAPPINGS: '[{"group_dn":"*","role":"SYSTEM"}]' }, 'GROUP_ROLE_MAPPINGS', /roles/],
    [
      'a group that is no DN',
      { GROUP_ROLE_MAPPINGS: '[{"group_dn":"a","role":"ADMIN"}]' },
      'GROUP_ROLE_MAPPINGS',
      /roles/,
    ],
    ['a URL as host', { HOST: 'ldap://x' }, 'HOST', /without scheme/],
    ['a bad port', { PORT: '0' }, 'PORT', /from 1 to 65535/],
    ['an unknown mode', { TLS_MODE: 'tls' }, 'TLS_MODE', /one of/],
    [
      'a certificate without a key',
      { TLS_CLIENT_CERT_FILE: process.execPath },
      'TLS_CLIENT_KEY_FILE',
      /which is unset/,
    ],
    ['a CA that is not there', { TLS_CA_CERT_FILE: '/nowhere' }, 'TLS_CA_CERT_FILE', /path of a file/],
    ['a bind DN without a password', { BIND_DN: 'cn=x' }, 'BIND_PASSWORD', /which is unset/],
    ['a password without a bind DN', { BIND_PASSWORD: 'x' }, 'BIND_DN', /which is unset/],
    ['a bind DN that is none', { BIND_DN: 'x', BIND_PASSWORD: 'x' }, 'BIND_DN', /distinguished name/],
    ['a filter without a name', { USER_SEARCH_FILTER: '(uid=x)' }, 'USER_SEARCH_FILTER', /contains %s/],
    ['a filter with open parentheses', { USER_SEARCH_FILTER: '((uid=%s)' }, 'USER_SEARCH_FILTER', /in parentheses/],
    ['an attribute with a blank', { ATTR_UNIQUE_ID: 'a b' }, 'ATTR_UNIQUE_ID', /name of an attribute/],
    ['a group filter without bases', { GROUP_SEARCH_FILTER: '(member=%s)' }, 'GROUP_SEARCH_BASE_DNS', /which is unset/],
    [
      'a group attribute without a filter',
      { GROUP_SEARCH_FILTER_USER_ATTR: 'dn' },
      'GROUP_SEARCH_FILTER',
      /which is unset/,
    ],
    ['no email and no unique id', { ATTR_EMAIL: 'null' }, 'ATTR_UNIQUE_ID', /which is unset/],
    [
      'no email and no sign-up',
      { ATTR_EMAIL: 'null', ATTR_UNIQUE_ID: 'uid', ALLOW_SIGN_UP: 'false' },
      'ALLOW_SIGN_UP',
      /to be true/,
    ],
  ];
  test('forbid accounts without an email beside administrators by email', () => {
    const env = { ...directory({ ATTR_EMAIL: 'null', ATTR_UNIQUE_ID: 'uid' }), SERVICE_ADMINS: 'a=a@example.com' };

    assert.match(problemsOf(env).join(), /SERVICE_ADMINS .*SERVICE_LDAP_ATTR_EMAIL/);
  });

  test('let passwords be off, and make administrators users of the directory', () => {
    const off = {
      SERVICE_ENABLE_AUTH: 'true',
      SERVICE_SECRET: 'a-secret-of-at-least-32-characters-1',
      SERVICE_DISABLE_BASIC_AUTH: 'true',
    };

    assert.match(problemsOf(off).join(), /SERVICE_DISABLE_BASIC_AUTH needs an identity provider or a directory/);
    assert.equal(readConfig({ env: { ...off, ...directory() } }).config.access.adminAuthMethod, 'LDAP');
  });

  for (const [title, changes, variable, expected] of invalid) {
    test(`reject ${title} and name the variable`, () => {
      const problems = problemsOf(directory(changes));

      assert.ok(
        problems.some((problem) => problem.includes(`SERVICE_LDAP_${variable}`) && expected.test(problem)),
        problems.join('\n'),
      );
    });
  }
});
