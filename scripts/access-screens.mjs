// Screens of a server with sign-in, for screenshots.mjs: every state of the sign-in pages, the profile, users and keys.
import { createHash } from 'node:crypto';

const ADMIN_SECRET = 'admin-secret-of-the-pictures-0123456789';
const PASSWORD = 'own-password';
const VERIFIER = 'verifier-of-the-pictures-0123456789-0123456789';

/** Starts a server with people and keys. Returns entries of the list of screens. */
export async function accessScreens(startServer) {
  const url = await startServer({
    SERVICE_ENABLE_AUTH: 'true',
    SERVICE_SECRET: 'secret-of-the-pictures-0123456789-012345',
    SERVICE_ADMIN_SECRET: ADMIN_SECRET,
    SERVICE_DISABLE_RATE_LIMIT: 'true',
  });
  for (const [username, role] of [
    ['ada', 'ADMIN'],
    ['grace', 'MEMBER'],
    ['vera', 'VIEWER'],
    ['a-person-with-a-very-long-name-that-does-not-fit-into-a-row-of-the-list', 'VIEWER'],
  ]) {
    await graphql(
      `Bearer ${ADMIN_SECRET}`,
      'mutation ($input: CreateUserInput!) { createUser(input: $input) { __typename } }',
      {
        input: { email: `${username}@example.com`, username, role, password: 'first-password' },
      },
    );
  }
  const admin = await choosePassword('ada');
  const viewer = await choosePassword('vera');
  const newcomer = await cookiesOf('grace', 'first-password');
  for (const input of [
    { name: 'exporter', description: 'Sends the spans of the shop', scope: 'SEND' },
    { name: 'nightly report', scope: 'READ', expiresAt: '2020-01-01T00:00:00Z' },
  ]) {
    const create = (field, type) => `mutation ($input: ${type}!) { ${field}(input: $input) { __typename } }`;
    await graphql(admin, create('createUserApiKey', 'CreateUserApiKeyInput'), { input });
    await graphql(admin, create('createSystemApiKey', 'CreateApiKeyInput'), { input });
  }
  const cli = { client_id: 'phoenix-cli', redirect_uri: 'http://127.0.0.1:49152/callback' };
  const agent = await registerApp('Trace agent', 'http://127.0.0.1:49152/callback');
  const site = await registerApp(
    'A site with a very long name that does not fit into one line of any list or card of it',
    'https://dashboards.example.com/oauth/callback',
  );
  await allow(admin, requestOf(cli));
  await allow(admin, requestOf({ ...agent, resource: `${url}/mcp`, scope: 'read:traces write:annotations' }));
  await allow(viewer, requestOf({ ...site, scope: 'read:traces' }));
  const setSecrets =
    'mutation ($input: UpsertOrDeleteSecretsMutationInput!) { upsertOrDeleteSecrets(input: $input) { __typename } }';
  const secrets = (list) => graphql(admin, setSecrets, { input: { secrets: list } });
  const open = (page) => page.locator('.audit-entry summary').filter({ hasText: 'User changed' }).first().click();
  const submit = (email, password) => async (page) => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.locator('.sign-in-form .error-text:not(:empty)').waitFor();
  };
  await secrets([
    { key: 'OPENAI_API_KEY', value: 'sk-of-the-pictures', hosts: ['api.openai.com', '*.openai.azure.com'] },
    { key: 'A_KEY_WITH_A_VERY_LONG_NAME_THAT_DOES_NOT_FIT_INTO_A_ROW_OF_THE_LIST', value: 'secret' },
  ]);
  await graphql(
    `Bearer ${ADMIN_SECRET}`,
    'mutation ($input: PatchUserInput!) { patchUser(input: $input) { __typename } }',
    { input: { userId: btoa('User:6'), newRole: 'MEMBER' } },
  );
  const press = (name) => (page) => page.getByRole('button', { name, exact: true }).click();
  const createKey = async (page) => {
    await press('Create key')(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('nightly export');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Copy the key now').waitFor();
  };
  const loseSession = async (page) => {
    await press('Create project')(page);
    await page.getByRole('dialog').getByLabel('Name').fill('half-written');
    await page.context().clearCookies();
    // Another request of the page may find out first.
    const create = page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true });
    await create.click({ timeout: 2_000 }).catch(() => undefined);
    await page.getByText('Your session has ended').waitFor();
  };
  const failedDecision = async (page) => {
    await page.route('**/oauth2/authorize/decision', (route) => route.abort());
    await press('Allow access')(page);
    await page.getByRole('alert').filter({ hasText: 'The server does not respond.' }).waitFor();
  };
  const everyWay = JSON.stringify({
    authenticationEnabled: true,
    passwordResetEmailEnabled: true,
    ldapEnabled: true,
    oAuth2Idps: [
      { name: 'google', displayName: 'Google' },
      { name: 'acme', displayName: 'Acme Corporation of Northern and Southern America' },
    ],
  });
  /** Lets the pages of a path have the configuration of a server with providers. */
  const configure = (page, path) =>
    page.route(path, async (route) => {
      const response = await route.fetch();
      const config = everyWay.replaceAll('"', '&quot;');
      const body = (await response.text()).replace(
        /name="page-config" content="[^"]*"/,
        `name="page-config" content="${config}"`,
      );
      await route.fulfill({ response, body });
    });
  const withEveryWay = async (page) => {
    await configure(page, '**/login*');
    await page.reload();
    await page.getByText('Sign in with Google').waitFor();
  };
  const linked = [
    ['google', 'ada.lovelace@gmail.example'],
    ['acme', 'an-email-with-a-very-long-name-that-does-not-fit@subsidiary.acme.example'],
  ].map(([provider, email], index) => ({
    id: String(index),
    provider,
    issuer: `https://id.${provider}.example`,
    email,
    createdAt: '2026-11-20T10:00:00Z',
  }));
  /** Profile of a user with these linked identities, at a server with providers. */
  const withIdentities =
    (identities, query = '') =>
    async (page) => {
      await configure(page, '**/profile*');
      await page.route('**/graphql', async (route) => {
        const response = await route.fetch();
        const body = await response.json();
        if (body.data?.viewer?.linkedIdentities) body.data.viewer.linkedIdentities = identities;
        await route.fulfill({ response, json: body });
      });
      await page.goto(`${url}/profile${query}`);
      await page.getByRole('heading', { name: 'Linked identities' }).scrollIntoViewIfNeeded();
    };
  const unlink = async (page) => {
    await withIdentities(linked)(page);
    await page.getByRole('button', { name: /^Unlink Google/ }).click();
  };
  const withoutSecrets = async (page) => {
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      if (body.data?.secrets) body.data.secrets.edges = [];
      await route.fulfill({ response, json: body });
    });
    await page.reload();
    await page.getByText('No secrets yet.').waitFor();
  };
  const offline = async (page) => {
    await page.context().setOffline(true);
    await submit('ada@example.com', PASSWORD)(page);
  };
  return [
    ['access-login', `${url}/login`],
    ['access-login-wrong', `${url}/login`, submit('ada@example.com', 'wrong')],
    ['access-login-offline', `${url}/login`, offline],
    ['access-login-error', `${url}/login?error=sign_in_not_allowed`],
    ['access-login-changed', `${url}/login?message=password_reset`],
    ['access-login-every-way', `${url}/login?error=auth_failed`, withEveryWay],
    ['access-signed-out', `${url}/logout`],
    ['access-lost-password', `${url}/forgot-password`],
    ['access-reset-by-token', `${url}/reset-password-with-token?token=a.b.c`],
    ['access-forced-reset', `${url}/projects`, undefined, newcomer],
    ['access-consent', requestOf({ ...site, scope: 'read:traces write:annotations' }), undefined, admin],
    ['access-consent-cli', requestOf(cli), undefined, viewer],
    ['access-consent-mcp', requestOf({ ...agent, resource: `${url}/mcp` }), undefined, admin],
    ['access-consent-sign-in', requestOf(site)],
    ['access-consent-failed', requestOf(cli), failedDecision, admin],
    ['access-consent-address', requestOf({ ...cli, redirect_uri: 'https://evil.example/' }), undefined, admin],
    ['access-consent-old', `${url}/oauth2/consent?request=old`, undefined, admin],
    ['access-apps', `${url}/settings/apps`, undefined, admin],
    ['access-revoke-app', `${url}/profile`, press('Revoke access of Trace agent'), admin],
    ['access-session-ended', `${url}/projects`, loseSession, admin],
    ['access-menu', `${url}/projects`, (page) => page.getByRole('button', { name: 'Account of ada' }).click(), admin],
    ['access-profile', `${url}/profile`, undefined, admin],
    ['access-new-key', `${url}/profile`, press('Create key'), admin],
    ['access-shown-key', `${url}/profile`, createKey, admin],
    ['access-users', `${url}/settings/users`, undefined, admin],
    ['access-new-user', `${url}/settings/users`, press('Create user'), admin],
    ['access-delete-user', `${url}/settings/users`, press('Delete grace'), admin],
    ['access-keys', `${url}/settings/api-keys`, undefined, admin],
    ['access-identities', `${url}/profile`, withIdentities(linked), admin],
    ['access-no-identities', `${url}/profile`, withIdentities([]), admin],
    ['access-identity-rejected', `${url}/profile`, withIdentities([], '?linking=acme&state=x'), admin],
    ['access-unlink-identity', `${url}/profile`, unlink, admin],
    ['access-no-secrets', `${url}/settings/secrets`, withoutSecrets, admin],
    ['access-secrets', `${url}/settings/secrets`, undefined, admin],
    ['access-new-secret', `${url}/settings/secrets`, press('Store secret'), admin],
    ['access-delete-secret', `${url}/settings/secrets`, press('Delete OPENAI_API_KEY'), admin],
    ['access-audit', `${url}/settings/audit`, undefined, admin],
    ['access-audit-entry', `${url}/settings/audit`, open, admin],
    ['access-audit-verified', `${url}/settings/audit`, press('Verify the log'), admin],
    ['access-audit-filtered', `${url}/settings/audit?outcome=DENIED&person=ada`, undefined, admin],
    ['access-audit-nothing', `${url}/settings/audit?target=nothing&from=2020-01-01T00:00:00Z`, undefined, admin],
    ['access-general', `${url}/settings`, undefined, admin],
    ['access-viewer-general', `${url}/settings`, undefined, viewer],
    ['access-viewer-audit', `${url}/settings/audit`, undefined, viewer],
    ['access-viewer-projects', `${url}/projects`, undefined, viewer],
    ['access-viewer-retention', `${url}/settings/retention`, undefined, viewer],
    ['access-viewer-denied', `${url}/settings/users`, undefined, viewer],
  ];

  /** Registers an app. Returns the parameters that name it. */
  async function registerApp(client_name, redirect_uri) {
    const response = await fetch(`${url}/oauth2/register`, {
      method: 'POST',
      body: JSON.stringify({ client_name, redirect_uris: [redirect_uri] }),
    });
    const { client_id } = await response.json();
    return { client_id, redirect_uri };
  }

  /** The address to which an app sends the browser. */
  function requestOf(parameters) {
    const challenge = createHash('sha256').update(VERIFIER).digest('base64url');
    const common = { response_type: 'code', state: 'state-of-the-pictures-0123456789' };
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
    return `${url}/oauth2/authorize?${new URLSearchParams({ ...common, ...pkce, ...parameters })}`;
  }

  /** Allows access, and redeems the code. */
  async function allow(cookies, request) {
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const asked = await fetch(request, { redirect: 'manual', headers: { cookie } });
    const decided = await fetch(`${url}/oauth2/authorize/decision`, {
      method: 'POST',
      headers: { cookie, origin: url },
      body: JSON.stringify({ request: asked.headers.get('location').split('request=')[1], decision: 'approve' }),
    });
    const { redirect_to } = await decided.json();
    const { client_id, redirect_uri } = Object.fromEntries(new URL(request).searchParams);
    const code = new URL(redirect_to).searchParams.get('code');
    const redeemed = await fetch(`${url}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...{ grant_type: 'authorization_code', client_id, redirect_uri, code, code_verifier: VERIFIER },
      }),
    });
    if (!redeemed.ok) throw new Error(`${redeemed.status} ${await redeemed.text()}`);
  }

  /** Replaces the first password, which ends the session, and signs in again. */
  async function choosePassword(name) {
    const input = { currentPassword: 'first-password', newPassword: PASSWORD };
    const first = await cookiesOf(name, 'first-password');
    await graphql(first, 'mutation ($input: PatchViewerInput!) { patchViewer(input: $input) { __typename } }', {
      input,
    });
    return cookiesOf(name, PASSWORD);
  }

  async function cookiesOf(name, password) {
    const response = await fetch(`${url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: `${name}@example.com`, password }),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return response.headers.getSetCookie().map((text) => {
      const [, cookie, value] = /^([^=]+)=([^;]*)/.exec(text);
      return { name: cookie, value, url, httpOnly: true };
    });
  }

  /** @param credential Authorization header, or cookies */
  async function graphql(credential, query, variables) {
    const headers =
      typeof credential === 'string'
        ? { authorization: credential }
        : { cookie: credential.map(({ name, value }) => `${name}=${value}`).join('; ') };
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    });
    const { errors } = await response.json();
    if (errors) throw new Error(JSON.stringify(errors));
  }
}
