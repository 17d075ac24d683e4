import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { AUDIT_ACTIONS } from '../../../src/model/access/audit-entry.ts';
import { ACTION_NAMES } from '../../../src/web/pages/settings/audit/audit-names.ts';
import { diffFields } from '../../../src/web/pages/settings/audit/diff-fields.ts';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, untilPasses } from '../browser.ts';
import { startSignInServer } from './sign-in-server.ts';

const SECRET_VALUE = 'sk-never-shown-0123456789';

describe('administration in the interface', { skip: NO_BROWSER }, () => {
  test('shows the audit log, stores secrets and describes the server', async (t) => {
    const people = await startSignInServer(t);
    const { url } = people;
    const [alice, max] = [await people.createPerson('ADMIN', 'alice'), await people.createPerson('MEMBER', 'max')];
    const browser = await openBrowser(t);
    const { page, pageErrors } = await people.openPageAs(browser, alice);
    page.setDefaultTimeout(20_000);
    const answers: string[] = [];
    page.on('response', async (response) => {
      if (response.url().endsWith('/graphql')) answers.push(await response.text().catch(() => ''));
    });
    const dialog = page.getByRole('dialog');
    const row = page.getByRole('listitem').filter({ hasText: 'OPENAI_API_KEY' });

    await t.test('a secret is stored, replaced and deleted, and its value is never shown', async () => {
      await page.goto(`${url}/settings/secrets`);
      await page.getByText('No secrets yet.').waitFor();
      await page.getByRole('button', { name: 'Store secret' }).click();
      await dialog.getByLabel(/^Name/).fill('OPENAI_API_KEY');
      await dialog.getByLabel(/^Value/).fill(SECRET_VALUE);
      await dialog.getByLabel(/^Hosts/).fill('not a host/');
      await dialog.getByRole('button', { name: 'Store secret' }).click();
      await dialog.getByRole('alert').filter({ hasText: 'Hosts must be host names' }).waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await dialog.getByLabel(/^Hosts/).fill('api.openai.com, *.example.com');
      await dialog.getByRole('button', { name: 'Store secret' }).click();
      await row.getByText('api.openai.com, *.example.com').waitFor();
      await row.getByText('by alice').waitFor();
      await untilPasses(async () => {
        assert.match((await row.textContent()) ?? '', /Current keykey [0-9a-f]{8}/);
      });

      await page.getByRole('button', { name: 'Store secret' }).click();
      await dialog.getByLabel(/^Name/).fill('OPENAI_API_KEY');
      await dialog.getByLabel(/^Value/).fill('another');
      await dialog.getByRole('button', { name: 'Store secret' }).click();
      await dialog.getByText('OPENAI_API_KEY exists.').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Discard', exact: true }).click();

      await page.getByRole('button', { name: 'Replace OPENAI_API_KEY' }).click();
      assert.equal(await dialog.getByLabel(/^New value/).inputValue(), '');
      await dialog.getByLabel(/^New value/).fill(`${SECRET_VALUE}-2`);
      await dialog.getByLabel(/^Hosts/).fill('');
      await page.keyboard.press('Enter');
      await row.getByText('Hosts that an administrator has chosen').waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await page.getByRole('button', { name: 'Delete OPENAI_API_KEY' }).click();
      await dialog.getByRole('button', { name: 'Delete secret' }).click();
      await page.getByText('No secrets yet.').waitFor();
      assert(answers.length > 5 && !answers.some((text) => text.includes(SECRET_VALUE)));
    });

    await t.test('the audit log is filtered by person, target, action, outcome and time', async () => {
      const entries = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem');
      const shown = () => entries.locator('strong').allTextContents();
      const until = async (count: number) => {
        await entries.nth(count - 1).waitFor();
        await entries.nth(count).waitFor({ state: 'detached' });
      };
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Audit' }).click();
      await entries.filter({ hasText: 'Secret deleted' }).waitFor();
      await page.getByLabel('Person').fill('ALI');
      await page.getByLabel('Action').selectOption('Secret stored');
      await until(2);
      await page.getByLabel('Target').fill('other');
      await page.getByText('No entries match these filters.').waitFor();
      await untilPasses(async () => {
        assert.equal(await page.getByRole('button', { name: 'Export CSV' }).isDisabled(), true);
      });
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByLabel('Time').selectOption('From and until…');
      await page.getByRole('textbox', { name: 'Until' }).fill('2020-01-01T00:00:00');
      await page.getByText('No entries match these filters.').waitFor();
      await page.getByRole('button', { name: 'Show all entries' }).click();
      await fetch(`${url}/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: max.email, password: 'wrong' }),
      });
      await page.getByLabel('Outcome').selectOption('Denied');
      await until(1);
      await untilPasses(async () => {
        assert.deepEqual(await shown(), ['Sign-in']);
      });
      await page.reload();
      await until(1);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByLabel('Action').selectOption('User changed');
      await entries.first().waitFor();
    });

    await t.test('an entry opens by keyboard, with values before and after', async () => {
      const { users } = await people.graphql<{
        users: { edges: { node: { id: string; username: string } }[] };
      }>('{users {edges {node {id username}}}}');
      const id = users.edges.find(({ node }) => node.username === 'max')?.node.id;
      await people.graphql('mutation ($input: PatchUserInput!) { patchUser(input: $input) { __typename } }', {
        input: { userId: id, newRole: 'VIEWER' },
      });
      // The page looks for new entries by itself.
      const entry = page.locator('.audit-entry').filter({ hasText: 'system' }).first();
      await entry.locator('summary').focus();
      await page.keyboard.press('Enter');
      await entry.locator('del').getByText('MEMBER').waitFor();
      await untilPasses(async () => {
        assert.equal(await entry.locator('ins').textContent(), 'VIEWER');
        assert.equal(await entry.getByRole('rowheader').first().textContent(), 'role');
      });
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('the filtered entries are exported, and the chain is verified', async () => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export CSV' }).click(),
      ]);
      const lines = readFileSync(await file.path(), 'utf8')
        .trim()
        .split(/\r?\n/);
      assert.match(lines[0]!, /^happened_at,username,/);
      assert(lines.length > 2 && lines.slice(1).every((line) => line.includes(',user.update,')), lines.join('\n'));
      await page.getByRole('button', { name: 'Verify the log' }).click();
      await page
        .getByRole('status')
        .filter({ hasText: /All \d+ entries are intact/ })
        .waitFor();
    });

    await t.test('a long log is read page by page', async () => {
      for (let page = 0; page < 4; page++) {
        const changes = Array.from(
          { length: 33 },
          (_, index) =>
            `x${index}: upsertOrDeleteSecrets(input: {secrets: [{key: "KEY_${page}_${index}", value: null}]}) {__typename}`,
        );
        await people.graphql(`mutation {${changes.join(' ')}}`);
      }
      await page.goto(`${url}/settings/audit?target=KEY_`);
      const entries = page.locator('.audit-entry');
      await entries.nth(99).waitFor({ state: 'attached' });
      await page.locator('.audit-more').scrollIntoViewIfNeeded();
      await entries.nth(131).waitFor({ state: 'attached' });
      await page.getByRole('button', { name: 'Show older entries' }).waitFor({ state: 'detached' });
    });

    await t.test('general settings name the version, addresses, storage, retention and ways to sign in', async () => {
      await page.goto(`${url}/settings`);
      const server = page.getByRole('region', { name: 'Server' });
      await server.getByText(`${url}/v1/traces`).waitFor();
      await server.getByText(/no limit set|of [\d.]+ [GTM]B/).waitFor();
      await server.getByText('Keeps everything').waitFor();
      await server.getByRole('link', { name: 'Change' }).waitFor();
      await page.getByRole('region', { name: 'Sign-in' }).getByText('On, without reset by email').waitFor();
      assert.deepEqual(await seriousViolations(page), []);
    });
    assert.deepEqual(
      pageErrors.filter((text) => !/status of 401/.test(text)),
      [],
    );
  });
});

test('every action of the audit log has a name', () => {
  assert.deepEqual([...ACTION_NAMES.keys()].sort(), [...AUDIT_ACTIONS].sort());
});

test('fields that changed come first, as text', () => {
  assert.deepEqual(diffFields({ name: 'a', isOn: true, hosts: ['x', 'y'] }, { name: 'a', isOn: false, hosts: [] }), [
    { name: 'is on', before: 'yes', after: 'no', isChanged: true },
    { name: 'hosts', before: 'x, y', after: 'none', isChanged: true },
    { name: 'name', before: 'a', after: 'a', isChanged: false },
  ]);
  assert.deepEqual(diffFields(null, { toString: 'x' }), [
    { name: 'to string', before: undefined, after: 'x', isChanged: true },
  ]);
});
