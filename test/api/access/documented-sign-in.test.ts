import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { ADMIN_DN, ADMIN_PASSWORD, GROUPS, noSlapd, PEOPLE, startSlapd } from '../../identity/ldap/slapd.ts';
import { CLIENT_SECRET, type OidcServer, startOidcServer } from '../../identity/oidc/oidc-server.ts';
import { signInAtProvider } from './provider-sign-in.ts';
import { openSignedInServer, postJson, type SignedInServer, sessionOf } from './signed-in-server.ts';

const PAGE = readFileSync(new URL('../../../../docs/sign-in.md', import.meta.url), 'utf8');

/** The settings below a heading of the page, as an operator copies them, without the common prefix. */
function settingsOf(heading: string): Record<string, string> {
  const block = new RegExp(`\\n### ${heading}\\n\\n\`\`\`sh\\n([^\`]+)\`\`\``).exec(PAGE)?.[1];
  assert.ok(block, `the page has settings for ${heading}`);
  return Object.fromEntries(
    block
      .trim()
      .split('\n')
      .map((line) => {
        const at = line.indexOf('=');
        // A shell removes the quotes around a value.
        return [line.slice('SERVICE_'.length, at), line.slice(at + 1).replace(/^'(.*)'$/, '$1')];
      }),
  );
}

/** Replaces what an operator replaces, and nothing else. Each change is of a setting that the page has. */
function adapt(settings: Record<string, string>, changes: Readonly<Record<string, string>>): Record<string, string> {
  const names = Object.keys(settings);
  for (const [ending, value] of Object.entries(changes)) {
    const name = names.find((one) => one.endsWith(ending));
    assert.ok(name, `the page has a setting that ends with ${ending}: ${names.join()}`);
    settings[name] = value;
  }
  return settings;
}

const dir = mkdtempSync(join(tmpdir(), 'spandrel-documented-'));
after(() => rmSync(dir, { recursive: true }));
const secretFile = (name: string, secret: string): string => {
  const path = join(dir, name);
  writeFileSync(path, `${secret}\n`);
  return path;
};

const roleOf = async (server: SignedInServer, response: Response) => {
  const { data } = await server
    .as({ bearer: sessionOf(response).access })
    .graphql('{ viewer { email role { name } } }');
  const { email, role } = (data as { viewer: { email: string; role: { name: string } } }).viewer;
  return [email, role.name];
};

describe('the documented settings of identity providers', () => {
  let idp: OidcServer;
  let server: SignedInServer;
  const cleanUp = cleanUpAfter(after);
  const names = { Keycloak: 'keycloak', 'Microsoft Entra ID': 'microsoft_entra_id', Google: 'google', Okta: 'okta' };
  before(async () => {
    idp = await startOidcServer();
    cleanUp(() => idp.stop());
    idp.allowRedirects(...Object.values(names).map((name) => `http://127.0.0.1:6006/oauth2/${name}/tokens`));
    const client = {
      _CLIENT_ID: 'spandrel',
      _CLIENT_SECRET_FILE: secretFile('client', CLIENT_SECRET),
      _OIDC_CONFIG_URL: idp.configUrl,
    };
    const settings = Object.assign({}, ...Object.keys(names).map((heading) => adapt(settingsOf(heading), client)));
    server = await openSignedInServer(
      { after: cleanUp },
      { settings: adapt(settings, { ROOT_URL: 'http://127.0.0.1:6006' }) },
    );
  });

  const signIn = (provider: string, account: string) => signInAtProvider(server.address, { provider, account });

  for (const [provider, email, claims, role] of [
    ['keycloak', 'kay@example.com', { resource_access: { spandrel: { roles: ['developer'] } } }, 'MEMBER'],
    ['microsoft_entra_id', 'mia@example.com', { roles: ['Traces.Admin'] }, 'ADMIN'],
    ['google', 'gus@example.com', { hd: 'example.com' }, 'VIEWER'],
    ['okta', 'oda@example.com', { groups: ['traces-users', 'traces-admins'] }, 'ADMIN'],
    ['okta', 'ole@example.com', { groups: ['traces-users'] }, 'MEMBER'],
  ] as const) {
    test(`a user of ${provider} gets the role ${role}`, async () => {
      idp.accounts.set(email, { email, name: email, ...claims });
      const response = await signIn(provider, email);
      assert.equal(response.headers.get('location'), '/', await response.text());
      assert.deepEqual(await roleOf(server, response), [email, role]);
    });
  }

  test('a user outside of the organization or the groups is rejected', async () => {
    idp.accounts.set('out', { email: 'out@elsewhere.org', hd: 'elsewhere.org', groups: ['others'] });
    for (const provider of ['google', 'okta']) {
      const location = (await signIn(provider, 'out')).headers.get('location') ?? '';
      assert.match(location, /^\/login\?error=/, provider);
    }
  });
});

describe('the documented settings of directories', { skip: noSlapd }, () => {
  const cleanUp = cleanUpAfter(after);
  const login = (server: SignedInServer, username: string) =>
    postJson(`${server.address}/auth/ldap/login`, { username, password: `pw of ${username}` });

  test('a user of OpenLDAP gets the role of the first group that matches', async () => {
    const slapd = await startSlapd(cleanUp);
    for (const uid of ['ada', 'bob']) {
      const person = { objectClass: 'inetOrgPerson', uid, cn: uid, sn: uid, mail: `${uid}@example.com` };
      await slapd.add(`uid=${uid},${PEOPLE}`, { ...person, userPassword: `pw of ${uid}` });
    }
    await slapd.add(`cn=admins,${GROUPS}`, { objectClass: 'groupOfNames', cn: 'admins', member: `uid=ada,${PEOPLE}` });
    const settings = adapt(settingsOf('OpenLDAP'), {
      LDAP_HOST: 'localhost',
      LDAP_TLS_CA_CERT_FILE: slapd.certificates.caFile,
      LDAP_BIND_DN: ADMIN_DN,
      LDAP_BIND_PASSWORD_FILE: secretFile('ldap', ADMIN_PASSWORD),
    });
    const server = await openSignedInServer(
      { after: cleanUp },
      { settings: { ...settings, LDAP_PORT: String(slapd.port) } },
    );
    assert.deepEqual(await roleOf(server, await login(server, 'ada')), ['ada@example.com', 'ADMIN']);
    assert.deepEqual(await roleOf(server, await login(server, 'bob')), ['bob@example.com', 'VIEWER']);
  });

  test('a user of Active Directory gets the role of a group, and one in no group is rejected', async () => {
    const slapd = await startSlapd(cleanUp);
    for (const [index, name] of ['ada', 'bob'].entries()) {
      await slapd.add(`cn=${name},${PEOPLE}`, {
        objectClass: ['inetOrgPerson', 'user'],
        ...{ cn: name, sn: name, sAMAccountName: name, mail: `${name}@example.com`, userPassword: `pw of ${name}` },
        objectGUID: `0123456789abcde${index}`,
      });
    }
    const group = { objectClass: 'groupOfNames', cn: 'Traces', member: `cn=ada,${PEOPLE}` };
    await slapd.add('cn=Traces,ou=Groups,dc=example,dc=com', group);
    const settings = adapt(settingsOf('Active Directory'), {
      LDAP_HOST: 'localhost',
      LDAP_TLS_CA_CERT_FILE: slapd.certificates.caFile,
      LDAP_BIND_DN: ADMIN_DN,
      LDAP_BIND_PASSWORD_FILE: secretFile('ad', ADMIN_PASSWORD),
    });
    const server = await openSignedInServer(
      { after: cleanUp },
      { settings: { ...settings, LDAP_PORT: String(slapd.tlsPort) } },
    );
    assert.deepEqual(await roleOf(server, await login(server, 'ada')), ['ada@example.com', 'MEMBER']);
    assert.equal((await login(server, 'bob')).status, 401);
  });
});
