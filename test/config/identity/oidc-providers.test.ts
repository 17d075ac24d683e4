import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ConfigError, readConfig } from '../../../src/config/config.ts';
import { OIDC_FIELDS } from '../../../src/config/identity/oidc-fields.ts';
import type { Environment } from '../../../src/config/read-settings.ts';
import { readText } from '../../house/repository.ts';

/** Variables of a valid provider, with changes. `undefined` unsets one. */
const provider = (idp: string, changes: Environment = {}): Environment =>
  Object.fromEntries(
    Object.entries({
      CLIENT_ID: 'spandrel',
      CLIENT_SECRET: 's3cret-of-the-client',
      OIDC_CONFIG_URL: 'https://idp.example/.well-known/openid-configuration',
      ...changes,
    }).map(([field, value]) => [`SERVICE_OAUTH2_${idp}_${field}`, value]),
  );
const providersOf = (env: Environment) => readConfig({ env }).config.oidcProviders;
const problemsOf = (env: Environment): readonly string[] => {
  try {
    readConfig({ env });
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
  return [];
};

describe('settings of identity providers', () => {
  let dir: string;
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'spandrel-oidc-'));
  });
  after(() => rmSync(dir, { recursive: true }));

  test('have the documented defaults', () => {
    const [google, ...others] = providersOf(provider('GOOGLE'));

    assert.deepEqual(others, []);
    assert.deepEqual(google, {
      name: 'google',
      displayName: 'Google',
      clientId: 'spandrel',
      clientSecret: 's3cret-of-the-client',
      configUrl: 'https://idp.example/.well-known/openid-configuration',
      clientAuthMethod: undefined,
      clientAssertionFile: undefined,
      allowsSignUp: true,
      signsInAutomatically: false,
      usesPkce: false,
      extraScopes: [],
      emailPath: undefined,
      groupsPath: undefined,
      rolePath: undefined,
      allowedGroups: [],
      roleMapping: undefined,
      isRoleRequired: false,
      updatesRole: true,
    });
  });

  test('separate providers whose names begin alike', () => {
    const env = {
      ...provider('X', { ALLOW_SIGN_UP: 'false' }),
      ...provider('X_NO_SIGN_UP', { CLIENT_ID: 'other' }),
      ...provider('X_CLIENT', {}),
    };

    assert.deepEqual(
      providersOf(env).map(({ name, clientId, allowsSignUp }) => [name, clientId, allowsSignUp]),
      [
        ['x', 'spandrel', false],
        ['x_client', 'spandrel', true],
        ['x_no_sign_up', 'other', true],
      ],
    );
  });

  test('know the names of two vendors and make others of the variable', () => {
    const env = { ...provider('AWS_COGNITO'), ...provider('MICROSOFT_ENTRA_ID'), ...provider('OUR_KEYCLOAK') };

    assert.deepEqual(
      providersOf(env).map(({ displayName }) => displayName),
      ['AWS Cognito', 'Microsoft Entra ID', 'Our Keycloak'],
    );
  });

  test('are read with the alias prefix too, variable by variable', () => {
    const { SERVICE_OAUTH2_A_CLIENT_ID: clientId, ...env } = provider('A');

    assert.equal(providersOf({ ...env, PHOENIX_OAUTH2_A_CLIENT_ID: clientId })[0]?.clientId, 'spandrel');
  });

  test('read roles, groups and lists', () => {
    const [read] = providersOf(
      provider('A', {
        SCOPES: 'groups  offline_access',
        GROUPS_ATTRIBUTE_PATH: 'groups[*].name',
        ALLOWED_GROUPS: 'a, b c ,',
        ROLE_ATTRIBUTE_PATH: "contains(groups, 'x') && 'ADMIN' || 'VIEWER'",
        ROLE_MAPPING: 'urn:owner:ADMIN, dev:member',
        ROLE_ATTRIBUTE_STRICT: 'TRUE',
        ROLE_RESYNC: 'false',
      }),
    );

    assert.deepEqual(read?.extraScopes, ['groups', 'offline_access']);
    assert.deepEqual(read?.allowedGroups, ['a', 'b c']);
    assert.deepEqual(
      [...(read?.roleMapping ?? [])],
      [
        ['urn:owner', 'ADMIN'],
        ['dev', 'MEMBER'],
      ],
    );
    assert.deepEqual([read?.isRoleRequired, read?.updatesRole], [true, false]);
  });

  const invalid: readonly (readonly [title: string, changes: Environment, variable: string, expected: RegExp])[] = [
    ['no client id', { CLIENT_ID: undefined }, 'CLIENT_ID', /is unset/],
    ['no secret', { CLIENT_SECRET: undefined }, 'CLIENT_SECRET', /is unset/],
    ['no URL', { OIDC_CONFIG_URL: ' ' }, 'OIDC_CONFIG_URL', /is unset/],
    ['http to another host', { OIDC_CONFIG_URL: 'http://idp.example/x' }, 'OIDC_CONFIG_URL', /https URL/],
    [
      'a host that begins like loopback',
      { OIDC_CONFIG_URL: 'http://localhost.example/x' },
      'OIDC_CONFIG_URL',
      /https URL/,
    ],
    ['a URL with a password', { OIDC_CONFIG_URL: 'https://a:b@idp.example/x' }, 'OIDC_CONFIG_URL', /without a user/],
    ['a bad boolean', { USE_PKCE: 'yes' }, 'USE_PKCE', /'true' or 'false'/],
    ['an unknown method', { TOKEN_ENDPOINT_AUTH_METHOD: 'mtls' }, 'TOKEN_ENDPOINT_AUTH_METHOD', /one of/],
    ['a broken expression', { EMAIL_ATTRIBUTE_PATH: 'a[' }, 'EMAIL_ATTRIBUTE_PATH', /a JMESPath expression/],
    ['an unknown function', { EMAIL_ATTRIBUTE_PATH: 'evil(@)' }, 'EMAIL_ATTRIBUTE_PATH', /a JMESPath expression/],
    ['a long expression', { EMAIL_ATTRIBUTE_PATH: 'a'.repeat(1001) }, 'EMAIL_ATTRIBUTE_PATH', /at most 1000/],
    ['groups without a path', { ALLOWED_GROUPS: 'a' }, 'GROUPS_ATTRIBUTE_PATH', /need each other/],
    ['a path without groups', { GROUPS_ATTRIBUTE_PATH: 'a' }, 'ALLOWED_GROUPS', /need each other/],
    [
      'the system role',
      { ROLE_ATTRIBUTE_PATH: 'a', ROLE_MAPPING: 'a:SYSTEM' },
      'ROLE_MAPPING',
      /ADMIN, MEMBER, VIEWER/,
    ],
    ['a mapping without a path', { ROLE_MAPPING: 'a:ADMIN' }, 'ROLE_MAPPING', /needs .*ROLE_ATTRIBUTE_PATH/],
    [
      'strict without a path',
      { ROLE_ATTRIBUTE_STRICT: 'true' },
      'ROLE_ATTRIBUTE_STRICT',
      /needs .*ROLE_ATTRIBUTE_PATH/,
    ],
    ['no resync without a path', { ROLE_RESYNC: 'false' }, 'ROLE_RESYNC', /needs .*ROLE_ATTRIBUTE_PATH/],
    [
      'an assertion without a file',
      { CLIENT_SECRET: undefined, TOKEN_ENDPOINT_AUTH_METHOD: 'client_assertion_jwt' },
      'CLIENT_ASSERTION_FILE',
      /Set exactly one/,
    ],
    ['a file without the method', { CLIENT_ASSERTION_FILE: '/x' }, 'CLIENT_ASSERTION_FILE', /client_assertion_jwt/],
    [
      'a relative file',
      { TOKEN_ENDPOINT_AUTH_METHOD: 'client_assertion_jwt', CLIENT_ASSERTION_FILE: 'x' },
      'CLIENT_ASSERTION_FILE',
      /absolute path/,
    ],
  ];
  for (const [title, changes, variable, expected] of invalid) {
    test(`reject ${title} and name the variable`, () => {
      const problems = problemsOf(provider('A', changes));

      assert.ok(
        problems.some((problem) => problem.includes(`SERVICE_OAUTH2_A_${variable}`) && expected.test(problem)),
        problems.join('\n'),
      );
      assert.ok(!problems.join().includes('s3cret'));
    });
  }

  for (const name of ['AUTHORIZE', 'TOKEN', 'REVOKE', 'REGISTER', 'CONSENT']) {
    test(`reject the reserved name ${name}`, () => {
      assert.match(problemsOf(provider(name)).join(), /is reserved/);
    });
  }

  test('are rejected all at once', () => {
    const env = { ...provider('A', { CLIENT_ID: '' }), ...provider('B', { USE_PKCE: '1' }), SERVICE_PORT: 'x' };

    assert.equal(problemsOf(env).length, 3);
  });

  test('let one provider sign in automatically, not two', () => {
    const automatic = { AUTO_LOGIN: 'true' };

    assert.equal(providersOf(provider('A', automatic))[0]?.signsInAutomatically, true);
    assert.match(problemsOf({ ...provider('A', automatic), ...provider('B', automatic) }).join(), /Only one/);
  });

  test('read a client secret from a file, and show no secret', () => {
    const path = join(dir, 'secret');
    writeFileSync(path, ' from-a-file \n');
    const env = provider('A', { CLIENT_SECRET: undefined, CLIENT_SECRET_FILE: path });

    const { config, effective } = readConfig({ env: { ...env, ...provider('B') } });

    assert.equal(config.oidcProviders[0]?.clientSecret, 'from-a-file');
    assert.deepEqual(
      effective.filter(({ name }) => name.endsWith('CLIENT_SECRET')).map(({ shown, origin }) => [shown, origin]),
      [
        ['***', 'SERVICE_OAUTH2_A_CLIENT_SECRET_FILE'],
        ['***', 'SERVICE_OAUTH2_B_CLIENT_SECRET'],
      ],
    );
  });

  test('take the path of an assertion from a named variable and keep it out of messages', () => {
    const env = provider('A', {
      CLIENT_SECRET: undefined,
      TOKEN_ENDPOINT_AUTH_METHOD: 'client_assertion_jwt',
      CLIENT_ASSERTION_FILE_ENV_VAR: 'FEDERATED_TOKEN_FILE',
    });

    assert.equal(providersOf({ ...env, FEDERATED_TOKEN_FILE: '/var/token' })[0]?.clientAssertionFile, '/var/token');
    const problems = problemsOf({ ...env, FEDERATED_TOKEN_FILE: 'hidden/path' });
    assert.match(problems.join(), /FEDERATED_TOKEN_FILE, which must hold an absolute path/);
    assert.ok(!problems.join().includes('hidden'));
  });

  test('are documented, field by field', () => {
    const rows = [
      ...readText('docs/settings.md').matchAll(/^\| `SERVICE_OAUTH2_<IDP>_([A-Z_]+)` \| (.*?) \| (.*?) \|$/gm),
    ];

    assert.deepEqual(
      rows.map(([, name, fallback, description]) => [name, fallback, description]),
      Object.entries(OIDC_FIELDS).map(([name, field]) => [
        name,
        'default' in field ? `\`${field.default}\`` : '',
        field.description,
      ]),
    );
  });
});
