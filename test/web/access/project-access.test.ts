import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser } from '../browser.ts';
import { startSignInServer } from './sign-in-server.ts';

/** Folder for images of the section, for people who look at it. */
const IMAGES = process.env.SCREENSHOT_DIR;

describe('the access of a project in the interface', { skip: NO_BROWSER }, () => {
  test('is managed by owners and shown to members', async (t) => {
    const people = await startSignInServer(t);
    const { url } = people;
    const [max, ben] = [await people.createPerson('MEMBER', 'max'), await people.createPerson('MEMBER', 'ben')];
    const browser = await openBrowser(t);

    const { page, pageErrors } = await people.openPageAs(browser, max);
    const dialog = page.getByRole('dialog');
    await page.goto(`${url}/projects`);
    await page.getByRole('button', { name: 'Create project' }).click();
    await dialog.getByRole('textbox', { name: /^Name/ }).fill('secret-plans');
    await dialog.getByLabel('Private: only its members and administrators find it').check();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL(/\/projects\/[^/]+/);
    const projectPath = new URL(page.url()).pathname.split('/').slice(0, 3).join('/');
    await page.goto(`${url}${projectPath}/config`);
    const section = page.getByRole('region', { name: 'Access' });
    await section.getByText('You are an owner.').waitFor();
    await section.getByRole('button', { name: 'Leave this project' }).click();
    await section.getByText('A private project needs an owner.').waitFor();

    await section.getByLabel('Email of the person').fill('nobody@example.com');
    await section.getByRole('button', { name: 'Add member' }).click();
    await section.getByText('User not found').waitFor();
    await section.getByLabel('Email of the person').fill('ben@example.com');
    await section.getByLabel('Level', { exact: true }).selectOption('Reader');
    await section.getByRole('button', { name: 'Add member' }).click();
    await section.getByLabel('Level of ben').waitFor();
    await section.getByLabel('Person or group').selectOption('Group');
    await section.getByLabel('Name of the group').fill('research');
    await section.getByRole('button', { name: 'Add member' }).click();
    await section.getByText('Group of the identity provider').waitFor();
    await section.getByLabel('Level of research').selectOption('Editor');
    assert.deepEqual(await seriousViolations(page), []);
    if (IMAGES) {
      for (const [width, theme] of [
        [1440, 'light'],
        [1440, 'dark'],
        [390, 'light'],
        [390, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: theme });
        await section.scrollIntoViewIfNeeded();
        await page.screenshot({ path: `${IMAGES}/access-${width}-${theme}.png` });
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    }

    const other = await people.openPageAs(browser, ben);
    await other.page.goto(`${url}${projectPath}/config`);
    const shown = other.page.getByRole('region', { name: 'Access' });
    await shown.getByText('You are a reader.').waitFor();
    assert.equal(await shown.getByRole('combobox').count(), 0);
    assert.equal(await shown.getByRole('button', { name: 'Make open' }).count(), 0);
    await shown.getByRole('button', { name: 'Leave this project' }).waitFor();

    await section.getByRole('button', { name: 'Remove ben' }).click();
    await section.getByLabel('Level of ben').waitFor({ state: 'detached' });
    await other.page.goto(`${url}/projects`);
    await other.page.getByText('default').first().waitFor();
    assert.equal(await other.page.getByText('secret-plans').count(), 0);

    await section.getByRole('button', { name: 'Make open' }).click();
    await dialog.getByRole('button', { name: 'Make open' }).click();
    await section.getByText('Everyone who signs in can use this project.').waitFor();

    await page.goto(`${url}/profile`);
    await page.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByLabel('Name', { exact: true }).first().fill('exporter');
    await dialog.getByLabel('secret-plans').check();
    await dialog.getByLabel('Name of a new project').fill('later');
    await dialog.getByRole('button', { name: 'Add name' }).click();
    await dialog.getByText('The key reaches only secret-plans, later.').waitFor();
    if (IMAGES) await page.screenshot({ path: `${IMAGES}/key.png` });
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('button', { name: 'I have copied the key' }).click();
    await page.getByText('Only secret-plans, later').waitFor();
    const expected = (text: string) => /status of 4(0|2)\d/.test(text);
    assert.deepEqual(
      [...pageErrors, ...other.pageErrors].filter((text) => !expected(text)),
      [],
    );
  });
});
