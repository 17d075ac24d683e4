import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SOCKET_FILE } from '../../../src/metadata-store/embedded/embedded-cluster.ts';
import { cleanUpAfter, openTestPostgres, query, until } from '../../metadata-store/fixtures.ts';
import { ADMIN_DN, ADMIN_PASSWORD, noSlapd, PEOPLE, startSlapd } from '../../identity/ldap/slapd.ts';
import { CLIENT_SECRET, startOidcServer } from '../../identity/oidc/oidc-server.ts';
import { openMailServer } from '../../mail/mail-server.ts';
import { NO_OPENSSL, openCertificateDirectory } from '../../server/tls/certificates.ts';
import { CLI, consentOf, decide, REDIRECT, sendForm } from '../../api/access/application.ts';
import { signInAtProvider } from '../../api/access/provider-sign-in.ts';
import { postJson, type Session, sessionOf, toClient } from '../../api/access/signed-in-server.ts';
import { openai } from '../provider-configs.ts';
import { freePort, makeDataDir, removeDataDir, startServer } from '../server-process.ts';
import { openWire } from './wire.ts';

const MAIN = fileURLToPath(new URL('../../../server/main.js', import.meta.url));
const newSecret = (kind: string) => `${kind}-1${randomBytes(20).toString('hex')}`;
const CREATE_PROVIDER = `mutation ($input: CreateGenerativeModelCustomProviderMutationInput!) {
  createGenerativeModelCustomProvider(input: $input) { __typename } }`;
const SET_SECRET = `mutation ($input: UpsertOrDeleteSecretsMutationInput!) {
  upsertOrDeleteSecrets(input: $input) { __typename } }`;
/** Where users reach the server, as the provider knows it. */
const ROOT_URL = 'http://127.0.0.1:6006';
/** Throws outside of every handler, as a bug would. */
const CRASH = `data:text/javascript,${encodeURIComponent("process.on('SIGUSR2', () => { throw new Error('thrown'); })")}`;

test('no secret is in the database, a file, a log or the output of a crash', { skip: NO_OPENSSL }, async (t) => {
  const cleanUp = cleanUpAfter((work) => t.after(work));
  const files = openCertificateDirectory();
  cleanUp(async () => files.remove());
  files.makeAuthority('authority');
  files.make('server', { authority: 'authority' });
  const mailServer = await openMailServer(
    { after: (work) => cleanUp(async () => void (await (work as () => unknown)())) },
    { key: files.read('server.key'), cert: files.read('server.pem') },
  );
  const postgres = await openTestPostgres(cleanUp);
  const databaseUrl = await postgres.newDatabase();
  const wire = await openWire(join(postgres.socketDirectory, SOCKET_FILE));
  cleanUp(async () => wire.cut());
  const { username, password: databasePassword, pathname } = new URL(databaseUrl.replace('@/', '@host/'));
  const dataDir = await makeDataDir({ isEmpty: true });
  cleanUp(() => removeDataDir(dataDir));
  const idp = await startOidcServer();
  cleanUp(() => idp.stop());
  const slapd = noSlapd ? undefined : await startSlapd(cleanUp);

  const secrets = {
    signing: newSecret('signing'),
    former: newSecret('former'),
    keyFilePassword: newSecret('key-file'),
    client: CLIENT_SECRET,
    ofNobody: newSecret('nobody'),
    admin: newSecret('admin'),
    initialPassword: newSecret('initial'),
    oauth2: newSecret('oauth2'),
    ldap: ADMIN_PASSWORD,
    directoryPassword: newSecret('directory'),
    mail: 'mail-password',
    databasePassword,
    password: newSecret('password'),
    wrongPassword: newSecret('wrong'),
    nextPassword: newSecret('next'),
    lastPassword: newSecret('last'),
    stored: newSecret('stored'),
    providerKey: newSecret('provider'),
    providerHeader: newSecret('header'),
  };
  const away = await freePort();
  const env = {
    SERVICE_SQL_DATABASE_URL: `postgresql://${username}:${databasePassword}@127.0.0.1:${wire.port}${pathname}`,
    SERVICE_ENABLE_AUTH: 'true',
    SERVICE_SECRET: secrets.signing,
    SERVICE_FORMER_SECRETS: secrets.former,
    SERVICE_TLS_KEY_FILE_PASSWORD: secrets.keyFilePassword,
    SERVICE_ADMIN_SECRET: secrets.admin,
    SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD: secrets.initialPassword,
    SERVICE_DISABLE_RATE_LIMIT: 'true',
    SERVICE_OAUTH2_CORP_CLIENT_ID: 'corp',
    SERVICE_OAUTH2_CORP_CLIENT_SECRET: secrets.oauth2,
    SERVICE_OAUTH2_CORP_OIDC_CONFIG_URL: `http://127.0.0.1:${away}/.well-known/openid-configuration`,
    SERVICE_OAUTH2_IDP_CLIENT_ID: 'spandrel',
    SERVICE_OAUTH2_IDP_CLIENT_SECRET: secrets.client,
    SERVICE_OAUTH2_IDP_OIDC_CONFIG_URL: idp.configUrl,
    SERVICE_OAUTH2_IDP_USE_PKCE: 'true',
    SERVICE_LDAP_HOST: 'localhost',
    SERVICE_LDAP_PORT: String(slapd?.port ?? away),
    ...(slapd && { SERVICE_LDAP_TLS_CA_CERT_FILE: slapd.certificates.caFile }),
    SERVICE_LDAP_BIND_DN: ADMIN_DN,
    SERVICE_LDAP_BIND_PASSWORD: secrets.ldap,
    SERVICE_LDAP_USER_SEARCH_BASE_DNS: JSON.stringify([PEOPLE]),
    SERVICE_LDAP_USER_SEARCH_FILTER: '(uid=%s)',
    SERVICE_LDAP_GROUP_ROLE_MAPPINGS: '[{"group_dn":"*","role":"MEMBER"}]',
    SERVICE_SMTP_HOSTNAME: 'localhost',
    SERVICE_SMTP_PORT: String(mailServer.port),
    SERVICE_SMTP_USERNAME: 'spandrel',
    SERVICE_SMTP_PASSWORD: secrets.mail,
    SERVICE_SMTP_CA_FILE: files.path('authority.pem'),
    SERVICE_ROOT_URL: ROOT_URL,
    SERVICE_LOG_SQL: 'true',
    SERVICE_LOGGING_LEVEL: 'debug',
  };
  const server = await startServer({ dataDir, env: { ...env, NODE_OPTIONS: `--import=${CRASH}` } });
  cleanUp(() => server.kill9());
  const tokens: Record<string, string> = {};
  const post = (path: string, body: object) => postJson(`${server.url}${path}`, body);
  const signIn = async (email: string, password: string, name: string) => {
    const response = await post('/auth/login', { email, password });
    const session = sessionOf(response);
    tokens[`access of ${name}`] = session.access;
    tokens[`refresh of ${name}`] = session.refresh;
    return session;
  };
  const keep = (name: string, json: unknown) => {
    tokens[name] = (json as { data: { key: string } }).data.key;
  };

  // People, with each way to set and check a password.
  const admin = toClient(server.url, { bearer: secrets.admin });
  await signIn('admin@localhost', secrets.initialPassword, 'the first administrator');
  const email = 'ann@example.com';
  const user = { auth_method: 'LOCAL', email, username: 'ann', role: 'ADMIN', password: secrets.password };
  assert.equal((await admin.call('POST', '/v1/users', { user })).status, 201);
  const ann = await signIn(email, secrets.password, 'ann');
  assert.equal((await post('/auth/login', { email, password: secrets.wrongPassword })).status, 401);
  const refreshed = await fetch(`${server.url}/auth/refresh`, {
    method: 'POST',
    headers: { cookie: `phoenix-refresh-token=${ann.refresh}` },
  });
  const next = sessionOf(refreshed);
  Object.assign(tokens, { 'next access': next.access, 'next refresh': next.refresh });
  const asAnn = toClient(server.url, { bearer: next.access });
  const patch = 'mutation ($input: PatchViewerInput!) { patchViewer(input: $input) { __typename } }';
  const input = { newPassword: secrets.nextPassword, currentPassword: secrets.password };
  assert.deepEqual((await asAnn.graphql(patch, { input })).errors, []);
  const last = toClient(server.url, { bearer: (await signIn(email, secrets.nextPassword, 'ann again')).access });
  assert.equal((await post('/auth/password-reset-email', { email })).status, 204);
  const resetToken = () => /token=([\w.-]+)/.exec(mailServer.mails.at(-1)?.html ?? '')?.[1];
  await until('the mail is there', () => resetToken() !== undefined);
  tokens.reset = resetToken()!;
  await fetch(`${server.url}/reset-password-with-token?token=${tokens.reset}`);

  // Keys, secrets, providers, and services that are away.
  keep('user key', (await last.call('POST', '/v1/user/api_keys', { data: { name: 'k' } })).json);
  keep('system key', (await admin.call('POST', '/v1/system/api_keys', { data: { name: 'k' } })).json);
  const stored = { secrets: [{ key: 'OPENAI_API_KEY', value: secrets.stored }] };
  assert.deepEqual((await admin.graphql(SET_SECRET, { input: stored })).errors, []);
  assert.ok((await admin.graphql(SET_SECRET, { input: { secrets: [{ key: 1, value: [secrets.stored] }] } })).errors[0]);
  const clientConfig = openai(secrets.providerKey, {
    openaiClientKwargs: { defaultHeaders: { 'x-key': secrets.providerHeader } },
  });
  const provider = { name: 'p', provider: 'openai', description: '', clientConfig };
  assert.deepEqual((await admin.graphql(CREATE_PROVIDER, { input: provider })).errors, []);
  keep('SCIM key', (await admin.call('POST', '/v1/system/api_keys', { data: { name: 's', scope: 'SCIM' } })).json);
  if (slapd) {
    const bob = { objectClass: 'inetOrgPerson', uid: 'bob', cn: 'Bob', sn: 'B', mail: 'bob@example.com' };
    await slapd.add(`uid=bob,${PEOPLE}`, { ...bob, userPassword: secrets.directoryPassword });
    const signedIn = await post('/auth/ldap/login', { username: 'bob', password: secrets.directoryPassword });
    const session = sessionOf(signedIn);
    Object.assign(tokens, { 'access of bob': session.access, 'refresh of bob': session.refresh });
    await slapd.kill();
  }
  await post('/auth/ldap/login', { username: 'bob', password: secrets.directoryPassword });

  // A provider, and an application with access to an account.
  idp.tamper = (path, body) => {
    if (path === '/token')
      Object.assign(tokens, { 'ID token': body.id_token, 'token of the provider': body.access_token });
    return body;
  };
  idp.accounts.set('eve', { email: 'eve@example.com', name: 'Eve' });
  const atProvider = await signInAtProvider(server.url, {
    provider: 'idp',
    account: 'eve',
    change: (cookies, callback) => {
      for (const [name, value] of cookies) tokens[name] = value;
      tokens['code of the provider'] = callback.searchParams.get('code') ?? assert.fail(callback.href);
    },
  });
  const eve = sessionOf(atProvider);
  Object.assign(tokens, { 'access of eve': eve.access, 'refresh of eve': eve.refresh });
  assert.ok(tokens['ID token'] && tokens['phoenix-oauth2-code-verifier']);
  Object.assign(tokens, await giveAccess(server.url, eve));
  await fetch(`${server.url}/oauth2/corp/login`, { redirect: 'manual' });
  await fetch(`${server.url}/oauth2/corp/tokens?code=${tokens.reset}&state=${tokens.reset}`, { redirect: 'manual' });
  await fetch(`${server.url}/v1/projects?access_token=${tokens['user key']}`);
  const rows = await dump(databaseUrl);
  assert.ok(rows.includes(email), 'the rows are read');

  // Failures of the database, and of the server itself.
  wire.cut();
  for (const token of [tokens['user key']!, `${next.access}x`])
    await toClient(server.url, { bearer: token }).call('GET', '/v1/projects');
  await post('/auth/login', { email, password: secrets.lastPassword });
  wire.mend();
  await until('Postgres is back', async () => (await post('/auth/password-reset', { password: 'x' })).status !== 503);
  assert.equal(
    (await post('/auth/password-reset', { token: tokens.reset, password: secrets.lastPassword })).status,
    204,
  );
  process.kill(server.pid, 'SIGUSR2');
  await server.ended();
  assert.match(server.output(), /thrown/);

  const shown = await run(['serve', '--print-config'], { ...env, SERVICE_WORKING_DIR: dataDir });
  assert.match(shown, /\*\*\*/);
  // A wrong setting beside the secrets, and a database that rejects the password.
  const failed = await run(['serve'], { ...env, SERVICE_WORKING_DIR: dataDir, SERVICE_PORT: 'port' });
  assert.match(failed, /PORT/);
  const rejected = await run(['serve'], {
    ...env,
    SERVICE_WORKING_DIR: dataDir,
    SERVICE_SQL_DATABASE_URL: `postgresql://nobody:${secrets.ofNobody}@127.0.0.1:${wire.port}${pathname}`,
  });
  assert.match(rejected, /nobody/);

  assert.ok(Object.values({ ...secrets, ...tokens }).every((secret) => secret.length > 10));
  const places: Record<string, string> = {
    ...{ database: rows, 'database at the end': await dump(databaseUrl), log: server.output() },
    ...{ '--print-config': shown, 'a failed start': failed, 'a rejected database': rejected },
  };
  for (const path of filesIn(dataDir)) places[path] = readFileSync(path, 'latin1');
  // An application's own parameter is in its own URL; no log has the path with the query.
  for (const [name, secret] of Object.entries({ ...secrets, ...tokens })) {
    for (const form of formsOf(secret))
      for (const [place, text] of Object.entries(places)) assert.ok(!text.includes(form), `${name} is in ${place}`);
  }
});

/** The whole way of an application, and a refresh. Returns everything that proves something on the way. */
async function giveAccess(url: string, session: Session): Promise<Record<string, string>> {
  const at = { address: url };
  const verifier = newSecret('verifier');
  const parameters = new URLSearchParams({
    ...{ response_type: 'code', client_id: CLI, redirect_uri: REDIRECT, state: newSecret('state') },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const request = await consentOf(new URL(`/oauth2/authorize?${parameters}`, url), session);
  const decided = await decide(at, session, { request, decision: 'approve' }, { origin: ROOT_URL });
  const back = new URL(((await decided.json()) as { redirect_to: string }).redirect_to);
  const code = back.searchParams.get('code') ?? assert.fail(back.href);
  const grant = { grant_type: 'authorization_code', client_id: CLI, redirect_uri: REDIRECT, code };
  const { status, json } = await sendForm(at, 'token', { ...grant, code_verifier: verifier });
  assert.equal(status, 200, JSON.stringify(json));
  const refreshed = await sendForm(at, 'token', {
    ...{ grant_type: 'refresh_token', client_id: CLI, refresh_token: String(json.refresh_token) },
  });
  assert.equal(refreshed.status, 200, JSON.stringify(refreshed.json));
  return {
    ...{ 'verifier of the application': verifier, 'code of the application': code, 'request for access': request },
    'access of the application': String(json.access_token),
    'refresh of the application': String(json.refresh_token),
    'next access of the application': String(refreshed.json.access_token),
    'next refresh of the application': String(refreshed.json.refresh_token),
  };
}

/** A secret, the part of a token that proves it, and both as bytes are written. */
function formsOf(secret: string): string[] {
  const parts = secret.split('.').length === 3 ? [secret, secret.split('.')[2]!, secret.split('.')[1]!] : [secret];
  return parts.flatMap((part) => {
    const bytes = Buffer.from(part);
    return [part, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, ''), encodeURIComponent(part)];
  });
}

/** Every row of every table as text. */
async function dump(url: string): Promise<string> {
  const tables = await query<{ name: string }>(
    url,
    "select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')",
  );
  assert.ok(tables.length > 30, `${tables.length} tables`);
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await query<{ row: string }>(url, `select t::text as row from ${name} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

/** Output of a command that ends. */
async function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(SERVICE|PHOENIX|NODE_TEST)_/.test(name));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [MAIN, ...args], {
    env: { ...Object.fromEntries(inherited), ...env },
    timeout: 60_000,
  }).catch((error: { stdout: string; stderr: string }) => error);
  return stdout + stderr;
}

const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
