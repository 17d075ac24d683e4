import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { giveAccess } from '../../api/access/application.ts';
import { filesBelow, readText } from '../../house/repository.ts';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../browser.ts';
import { openPageServer } from '../page-server.ts';
import { type SignInServer, startSignInServer } from './sign-in-server.ts';

/** Mutations that need sign-in, which `rejections/coverage.test.ts` leaves out. */
const mutationsOfAccounts = (): string[] =>
  filesBelow('src/web')
    .filter((path) => path.includes('/generated/'))
    .flatMap((path) => [
      ...readText(path).matchAll(/name: '(\w+)',\n {2}text: .*\n {2}access: '(person|strictAdmin)'/g),
    ])
    .map(([, name = '']) => name)
    // Needs an identity provider; see `identity-provider.test.ts`.
    .filter((name) => name !== 'unlinkIdentity')
    .sort();

/** Path of a trace of one span. */
async function sendSpan({ url, authorization, graphql }: SignInServer): Promise<string> {
  const [traceId, nanoseconds] = ['0123456789abcdef0123456789abcdef', `${Date.now()}000000`];
  const span = { traceId, spanId: '0123456789abcdef', name: 'answer of 42', startTimeUnixNano: nanoseconds };
  const response = await fetch(`${url}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{ ...span, endTimeUnixNano: nanoseconds }] }] }] }),
  });
  assert.equal(response.status, 200, await response.text());
  for (;;) {
    const { project } = await graphql<{ project: { id: string; recordCount: number } }>(
      '{ project: getProjectByName(name: "default") { id recordCount } }',
    );
    if (project.recordCount > 0) return `/projects/${encodeURIComponent(project.id)}/traces/${traceId}`;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const unexpected = (pageErrors: readonly string[]) => pageErrors.filter((text) => !/status of 401/.test(text));

describe('accounts in the interface', { skip: NO_BROWSER }, () => {
  test('are managed by their owners and by administrators', async (t) => {
    const people = await startSignInServer(t);
    const { url } = people;
    const [alice, max, vera] = await Promise.all([
      people.createPerson('ADMIN', 'alice'),
      people.createPerson('MEMBER', 'max'),
      people.createPerson('VIEWER', 'vera'),
    ]);
    const browser = await openBrowser(t);
    const row = (page: Page, name: string) => page.locator('.settings-rows > li', { hasText: name }).first();

    await t.test('an administrator creates, changes and deletes users', async () => {
      const { page, pageErrors } = await people.openPageAs(browser, alice);
      const dialog = page.getByRole('dialog');
      await page.goto(`${url}/settings/users`);
      await page.getByRole('button', { name: 'Create user' }).click();
      await dialog.getByLabel('Email').fill('max@example.com');
      await dialog.getByLabel('Name').fill('Ada');
      await dialog.getByLabel('Role').selectOption('Viewer');
      await dialog.getByLabel('First password').fill('first-password');
      await dialog.getByRole('button', { name: 'Create user' }).click();
      await dialog
        .getByRole('alert')
        .filter({ hasText: /exists/ })
        .waitFor();
      await dialog.getByLabel('Email').fill('ada@example.com');
      assert.deepEqual(await seriousViolations(page), []);
      await dialog.getByRole('button', { name: 'Create user' }).click();
      await row(page, 'ada@example.com').getByText('Viewer').waitFor();

      await page.getByRole('button', { name: 'Edit Ada' }).click();
      await dialog.getByLabel('Role').selectOption('Member');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await row(page, 'ada@example.com').getByText('Member').waitFor();

      await page.getByRole('button', { name: 'Edit alice' }).click();
      await untilPasses(async () => {
        assert.equal(await dialog.getByLabel('Role').isDisabled(), true);
      });
      await dialog.getByText('You cannot change your own role.').waitFor();
      await page.keyboard.press('Escape');
      assert.equal(await page.getByRole('button', { name: 'Delete alice' }).count(), 0);
      assert.equal(await page.getByRole('button', { name: 'Delete admin' }).count(), 0);

      await page.getByRole('button', { name: 'Delete Ada' }).click();
      await dialog.getByRole('button', { name: 'Delete user' }).click();
      await page.getByText('Ada deleted.').waitFor();
      await row(page, 'ada@example.com').waitFor({ state: 'detached' });
      assert.deepEqual(await seriousViolations(page), []);
      assert.deepEqual(unexpected(pageErrors), []);
    });

    await t.test('a key is shown once, works, and can be deleted', async () => {
      const { page, pageErrors } = await people.openPageAs(browser, max);
      const dialog = page.getByRole('dialog');
      await page.goto(`${url}/profile`);
      await page.getByText('No keys yet.').waitFor();
      await page.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByLabel('Name', { exact: true }).fill('export');
      // Only a system key can be for SCIM.
      await untilPasses(async () => {
        const scopes = await dialog.getByLabel('Scope').locator('option').allTextContents();
        assert.deepEqual(scopes, ['Full access', 'Read only', 'Send spans only']);
      });
      await dialog.getByLabel('Scope').selectOption('Read only');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      const key = await dialog.getByRole('region', { name: 'Key' }).textContent();
      const header = await dialog.getByRole('region', { name: 'Header' }).textContent();
      assert.equal(header, `Authorization: Bearer ${key}`);
      assert.deepEqual(await seriousViolations(page), []);
      const send = (method: string) =>
        fetch(`${url}/v1/projects`, { method, headers: { authorization: header!.split(': ')[1]! } });
      assert.equal((await send('GET')).status, 200);
      assert.equal((await send('POST')).status, 403);
      await dialog.getByRole('button', { name: 'I have copied the key' }).click();
      await row(page, 'export').getByText('Read only').waitFor();
      assert(!((await page.locator('main').textContent()) ?? '').includes(key!));

      await page.getByRole('button', { name: 'Delete export' }).click();
      await dialog.getByRole('button', { name: 'Delete key' }).click();
      await page.getByText('No keys yet.').waitFor();
      assert.equal((await send('GET')).status, 401);
      assert.deepEqual(unexpected(pageErrors), []);
    });

    await t.test('a user ends another session, changes the password and signs out', async () => {
      const other = await people.openPageAs(browser, max);
      await other.page.goto(`${url}/projects`);
      await other.page.getByRole('button', { name: 'Create project' }).waitFor();
      const { page } = await people.openPageAs(browser, max);
      await page.goto(`${url}/profile`);
      const sessions = page.getByRole('list', { name: 'Sessions' });
      await sessions.getByText('This device').waitFor();
      const signOuts = sessions.getByRole('button', { name: 'Sign out' });
      for (let left = await signOuts.count(); left > 0; left--) {
        await signOuts.first().click();
        await signOuts.nth(left - 1).waitFor({ state: 'detached' });
      }
      await other.page.reload();
      await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();

      await page.getByLabel('Current password').fill('wrong');
      await page.getByLabel('New password', { exact: true }).fill('next-password');
      await page.getByLabel('Confirm new password').fill('next-password');
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByText('Valid current password is required').waitFor();
      await page.getByLabel('Current password').fill(max.password);
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByText('Your password has been changed.').waitFor();
      await page.getByLabel('Email').fill(max.email);
      await page.getByLabel('Password', { exact: true }).fill('next-password');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Profile' }).waitFor();

      await page.getByRole('button', { name: 'Account of max' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.goto(`${url}/projects`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });

    await t.test('each change of an account that fails is reported beside its control', async () => {
      const { page, pageErrors } = await people.openPageAs(browser, alice);
      const other = await people.openPageAs(browser, alice);
      await other.page.close();
      for (const field of ['createUserApiKey', 'createSystemApiKey']) {
        const type = field === 'createUserApiKey' ? 'CreateUserApiKeyInput' : 'CreateApiKeyInput';
        const document = `mutation ($input: ${type}!) { ${field}(input: $input) { __typename } }`;
        const cookies = await page.context().cookies(url);
        const response = await fetch(`${url}/graphql`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
          },
          body: JSON.stringify({ query: document, variables: { input: { name: 'present' } } }),
        });
        assert.equal(response.status, 200);
      }
      const cookies = await page.context().cookies(url);
      await giveAccess(
        { address: url },
        { access: cookies.find(({ name }) => name === 'phoenix-access-token')?.value ?? assert.fail('no session') },
      );
      const press = (name: string) => () => page.getByRole('button', { name, exact: true }).first().click();
      const inDialog = (name: string) => () => page.getByRole('dialog').getByRole('button', { name }).click();
      const fill = (label: string, text: string) => () => page.getByLabel(label, { exact: true }).last().fill(text);
      const passwords = ['Current password', 'New password', 'Confirm new password'];
      const changes: readonly [string, string, ...(() => Promise<unknown>)[]][] = [
        ['createUser', '/settings/users', press('Create user'), fill('Name', 'Bo'), inDialog('Create user')],
        ['patchUser', '/settings/users', press('Edit vera'), fill('Name', 'Bo'), inDialog('Save')],
        ['deleteUser', '/settings/users', press('Delete vera'), inDialog('Delete user')],
        [
          'createSystemKey',
          '/settings/api-keys',
          press('Create system key'),
          fill('Name', 'x'),
          inDialog('Create key'),
        ],
        ['deleteSystemKey', '/settings/api-keys', press('Delete present'), inDialog('Delete key')],
        ['createUserKey', '/profile', press('Create key'), fill('Name', 'x'), inDialog('Create key')],
        ['deleteUserKey', '/profile', press('Delete present'), inDialog('Delete key')],
        ['renameViewer', '/profile', fill('Name', 'Bo'), press('Save name')],
        ['changePassword', '/profile', ...passwords.map((label) => fill(label, 'pass')), press('Change password')],
        ['endSession', '/profile', press('Sign out')],
        ['revokeApp', '/profile', press('Revoke access of Command-line client'), inDialog('Revoke access')],
      ];
      for (const [mutation, path, ...steps] of changes) {
        await page.goto(url + path);
        await page.route('**/graphql', (route) =>
          route.request().postDataJSON().operationName === mutation ? route.abort() : route.continue(),
        );
        for (const step of steps) await step();
        await page.getByRole('alert').filter({ hasText: 'The server does not respond.' }).first().waitFor();
        await page.unrouteAll();
      }
      assert.deepEqual(changes.map(([mutation]) => mutation).sort(), mutationsOfAccounts());
      assert.deepEqual(
        unexpected(pageErrors).filter((text) => !text.includes('ERR_FAILED')),
        [],
      );
    });

    await t.test(
      'a viewer has no controls that change data, and administration explains why it is closed',
      async () => {
        const { page, pageErrors } = await people.openPageAs(browser, vera);
        const settle = async (path: string, ready: string) => {
          await page.goto(url + path);
          await page.getByRole('button', { name: 'Account of vera' }).waitFor();
          await page.getByText(ready).first().waitFor();
        };
        const count = (name: RegExp) => page.locator('main').getByRole('button', { name }).count();
        for (const [path, ready] of [
          ['/projects', 'default'],
          ['/settings/models', 'built-in'],
          ['/settings/annotations', 'Annotation configs'],
          ['/settings/retention', 'Only administrators can change policies.'],
        ] as const) {
          await settle(path, ready);
          assert.equal(await count(/^(Create|Edit|Delete|Load sample)/), 0, path);
        }
        await settle('/projects', 'default');
        await page.getByRole('button', { name: 'Actions for default' }).click();
        await untilPasses(async () => {
          assert.deepEqual(await page.getByRole('menuitem').allTextContents(), [' Copy name']);
        });
        await settle(await sendSpan(people), 'answer of 42');
        assert.equal(await page.getByRole('button', { name: 'Annotate trace' }).count(), 0);
        await page.getByRole('button', { name: /^Annotations/ }).click();
        await page.getByText('Your role can read annotations.').waitFor();
        assert.equal(await page.getByLabel('New note').count(), 0);
        await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'default' }).click();
        await page.getByLabel('Select row').first().click();
        const bar = page.getByRole('region', { name: 'Selected rows' });
        await untilPasses(async () => {
          assert.deepEqual(await bar.getByRole('button').allTextContents(), [' Export', 'Clear']);
        });
        await settle('/settings/users', 'Only administrators can open this page');
        assert.deepEqual(await seriousViolations(page), []);
        for (const path of ['/settings/api-keys', '/settings/secrets', '/settings/audit']) {
          await settle(path, 'Only administrators can open this page');
        }
        const nav = page.getByRole('navigation', { name: 'Settings' });
        assert.equal(await nav.getByRole('link', { name: /Users|API keys|Secrets|Audit/ }).count(), 0);
        assert.deepEqual(unexpected(pageErrors), []);
      },
    );
  });

  test('an open server warns users of other machines until they dismiss it', async (t) => {
    const server = await openPageServer(t);
    const browser = await openBrowser(t);
    const host = 'http://spandrel.test';
    const { page, pageErrors } = await openPage(browser, host);
    await page.route(`${host}/**`, async (route) => {
      const { pathname, search } = new URL(route.request().url());
      if (pathname === '/events') return route.abort();
      const headers = { ...route.request().headers(), origin: server.url, host: new URL(server.url).host };
      await route.fulfill({ response: await route.fetch({ url: server.url + pathname + search, headers }) });
    });
    await page.goto(`${host}/settings/users`);
    await page.getByText('This page needs sign-in').waitFor();
    const notice = page.getByText('Sign-in is off.');
    await notice.waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.reload();
    await page.getByText('This page needs sign-in').waitFor();

    assert.equal(await notice.count(), 0);
    // A browser ignores the header on a page without TLS, and says so.
    assert.deepEqual(
      pageErrors.filter((text) => !text.includes('Cross-Origin-Opener-Policy')),
      [],
    );
  });
});
