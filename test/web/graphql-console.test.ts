import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_BROWSER, openBrowser, openPage } from './browser.ts';
import { openPageServer } from './page-server.ts';

const QUERY = 'query Names($count: Int!) { projects(first: $count) { edges { node { name } } } }';

describe('the GraphQL console in a browser', { skip: NO_BROWSER }, () => {
  test('sends variables and headers, suggests fields and shows documentation below a path prefix', async (t) => {
    const server = await openPageServer(t, { HOST_ROOT_PATH: '/deep/spandrel' });
    const { page, pageErrors } = await openPage(await openBrowser(t), server.url, { theme: 'dark' });
    const requests: { url: string; tenant: string | undefined }[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'POST') return;
      requests.push({ url: request.url(), tenant: request.headers()['x-tenant'] });
    });
    const linked = new URLSearchParams({ query: QUERY, variables: '{"count": 1}' });

    await page.goto(`${server.url}/deep/spandrel/graphql#${linked}`);
    // The editor highlights the names of fields as soon as it is ready.
    await page.locator('.graphiql-query-editor .cm-property', { hasText: 'projects' }).waitFor();
    const ground = await page.evaluate<string>(
      'getComputedStyle(document.querySelector(".graphiql-container")).backgroundColor',
    );
    assert(Number(/\d+/.exec(ground)?.[0]) < 80, `${ground} is dark`);
    await page.getByRole('button', { name: 'Headers' }).click();
    await page.locator('.graphiql-editor-tool .CodeMirror:visible').click();
    await page.keyboard.type('{"x-tenant": "a"');
    await page.getByRole('button', { name: 'Execute query (Ctrl-Enter)' }).click();
    await page.locator('.result-window', { hasText: '"default"' }).waitFor();
    assert.deepEqual(requests.at(-1), { url: `${server.url}/deep/spandrel/graphql`, tenant: 'a' });

    await page.locator('.graphiql-query-editor .CodeMirror').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type(' promptC');
    await page.locator('.CodeMirror-hints', { hasText: 'promptCount' }).waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByRole('link', { name: 'Mutation', exact: true }).click();
    await page.getByText('createProject', { exact: true }).first().waitFor();
    // The dialogs of the library add style elements, which the content security policy would block.
    await page.getByRole('button', { name: 'Open settings dialog' }).click();
    await page.getByText('Clear storage').waitFor();

    assert.deepEqual(pageErrors, []);
  });
});
