import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { seriousViolations } from './axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from './browser.ts';
import { openPageServer } from './page-server.ts';
import { dataClient } from './rejections/data-client.ts';
import { graphql, hexId, seed } from './seed.ts';

const HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script>\u202Etxt.exe';

const version = (messages: readonly (readonly [string, string])[], over: object = {}) => ({
  description: '',
  model_provider: 'OPENAI',
  model_name: 'gpt-4o-mini',
  template_type: 'CHAT',
  template_format: 'MUSTACHE',
  template: { type: 'chat', messages: messages.map(([role, content]) => ({ role, content })) },
  invocation_parameters: { type: 'openai', openai: { temperature: 0.25 } },
  ...over,
});
const TOOLS = {
  type: 'tools',
  tools: [
    {
      type: 'function',
      function: {
        name: 'find_order',
        parameters: JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
      },
    },
  ],
};

const FORMAT = {
  type: 'json_schema',
  json_schema: { name: 'reply', schema: { type: 'object', properties: { city: { type: 'string' } } } },
};

async function send(url: string, path: string, body: object) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.ok(response.ok, text);
  return text === '' ? undefined : JSON.parse(text).data;
}

interface Prompts {
  readonly prompts: { readonly edges: readonly { readonly node: { readonly id: string; readonly name: string } }[] };
}

/** Three versions of a prompt, the first one with a tag. Returns the IDs of the prompt and of its versions. */
async function seedPrompt(url: string) {
  const add = async (body: object, name = 'answer'): Promise<string> =>
    (await send(url, '/v1/prompts', { prompt: { name, description: HOSTILE }, version: body })).id;
  const versions = [
    await add(
      version([
        ['system', 'Be brief in {{language}}.'],
        ['user', '{{#docs}}{{title}}{{/docs}}{{^docs}}none{{/docs}}'],
      ]),
    ),
    await add(
      version(
        [
          ['system', 'Be very brief in {{language}}.'],
          ['user', '{{question}}'],
          ['assistant', 'Hm.'],
        ],
        { description: HOSTILE },
      ),
    ),
    await add(
      version(
        [
          ['system', 'Be very brief in {{language}}.'],
          ['assistant', 'Hm.'],
          ['user', '{{question}}'],
        ],
        { tools: TOOLS, response_format: FORMAT, model_name: 'gpt-4o' },
      ),
    ),
  ] as const;
  await add(version([['user', `${HOSTILE}{{__proto__}}${'long '.repeat(20_000)}`]]), 'hostile');
  await send(url, `/v1/prompt_versions/${encodeURIComponent(versions[0])}/tags`, { name: 'production' });
  const { prompts } = await graphql<Prompts>(url, '{prompts {edges {node {id name}}}}');
  const idOf = (name: string) => prompts.edges.find(({ node }) => node.name === name)!.node.id;
  return { id: idOf('answer'), hostileId: idOf('hostile'), versions };
}

const path = (...parts: string[]) => `/prompts/${parts.map(encodeURIComponent).join('/')}`;
const card = (page: Page, name: string | RegExp) =>
  page.locator('.value-card').filter({ has: page.getByRole('heading', { name }) });

describe('the pages of prompts', { skip: NO_BROWSER }, () => {
  test('lead from code for the first prompt to versions, changes, tags and calls', async (t) => {
    const { url } = await openPageServer(t);
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, url);

    // No prompt: code that creates one, in three languages.
    await page.goto(`${url}/prompts`);
    await page.getByText('No prompts yet').waitFor();
    for (const [language, code] of [
      ['TypeScript', 'createPrompt'],
      ['curl', '/v1/prompts'],
      ['Python', 'client.prompts.create'],
    ] as const) {
      await page.getByRole('button', { name: language }).click();
      await page.locator('pre', { hasText: code }).waitFor();
    }

    const { id, hostileId, versions } = await seedPrompt(url);
    const [first, second, third] = versions;
    const now = Date.now();
    await seed(url, 'default', [
      ...versions.slice(0, 2).map((versionId, index) => ({
        traceId: hexId(index + 1, 16),
        spanId: hexId(index + 1, 8),
        name: 'call',
        start: now - 3_600_000 * (index + 1),
        latencyMs: 1_500,
        attributes: { 'openinference.span.kind': 'LLM', 'llm.prompt_template.version': versionId },
      })),
    ]);

    // The list, searched on the server.
    await page.goto(`${url}/prompts`);
    const table = page.getByRole('table', { name: 'Prompts' });
    await table.getByText('gpt-4o', { exact: true }).waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await page.getByRole('searchbox').fill('ans');
    await table.getByRole('link', { name: 'hostile' }).waitFor({ state: 'detached' });
    assert.match(page.url(), /search=ans/);

    // Labels are created in the settings, set by the menu, and filter the list.
    await page.goto(`${url}/settings/prompts`);
    for (const name of ['golden', 'worn']) {
      await page.getByRole('button', { name: 'Create label' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill(name);
      await page.getByRole('dialog').getByRole('button', { name: 'Create label' }).click();
      await page.locator('.label-row', { hasText: name }).waitFor();
    }
    await page.getByRole('button', { name: 'Delete worn' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.locator('.label-row', { hasText: 'worn' }).waitFor({ state: 'detached' });
    await page.goto(`${url}/prompts`);
    await page.getByRole('button', { name: 'Actions for answer' }).click();
    await page.getByRole('menuitem', { name: 'Labels' }).click();
    await page.locator('.label-item', { hasText: 'golden' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    await table.locator('.label-chip', { hasText: 'golden' }).waitFor();
    await page.getByRole('button', { name: 'Labels', exact: true }).click();
    await page.getByRole('checkbox', { name: 'golden' }).check();
    await page.keyboard.press('Escape');
    await table.getByRole('link', { name: 'hostile' }).waitFor({ state: 'detached' });

    // The prompt: template with variables, tools, parameters, latest versions.
    await table.getByRole('link', { name: 'answer' }).click();
    await page.getByRole('heading', { name: 'Version 3 latest' }).waitFor();
    await card(page, 'System').locator('.template-tag', { hasText: '{{language}}' }).waitFor();
    await card(page, 'Model and parameters').getByText('0.25').waitFor();
    await card(page, /^Tools/)
      .getByRole('rowheader', { name: '__proto__' })
      .waitFor();
    await card(page, 'Response format').getByRole('rowheader', { name: 'city' }).waitFor();
    await untilPasses(async () => {
      assert.equal(await page.locator('.latest-versions > li').count(), 3);
    });
    assert.deepEqual(await seriousViolations(page), []);

    // Versions, and the changes between any two, in the address.
    await page.getByRole('link', { name: /^Versions/ }).click();
    await page.getByRole('table', { name: 'Versions' }).getByRole('link', { name: 'Changes' }).first().click();
    await card(page, /^User, moved from position 2 to position 3/).waitFor();
    await page.getByRole('rowheader', { name: 'model_name' }).waitFor();
    await page.getByLabel('Changes from').selectOption(first);
    await card(page, 'System, changed').locator('ins', { hasText: 'very' }).waitFor();
    assert.equal(page.url(), `${url}${path(id, 'versions', third)}?view=changes&base=${encodeURIComponent(first)}`);

    // A section, an inverted section, and a tag that moves.
    await page.goto(url + path(id, 'versions', first));
    await page.locator('.template-tag[data-kind="inverted"]', { hasText: '{{^docs}}' }).waitFor();
    await page.goto(url + path(id, 'versions', second));
    await page.getByRole('button', { name: 'Tag' }).click();
    await page.getByRole('dialog').getByLabel('Tag', { exact: false }).first().fill('production');
    await page.getByText(/The tag moves from version 1 \(set .*\) to version 2\./).waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await page.getByRole('button', { name: 'Move tag' }).press('Enter');
    await page.getByText('Version 2 has the tag production.').waitFor();
    await page.goto(`${url}/redirects/prompts/${encodeURIComponent(id)}/tags/production`);
    await page.waitForURL(url + path(id, 'versions', second));
    await page.getByRole('button', { name: 'Remove the tag production' }).click();
    await page.getByRole('button', { name: 'Remove tag' }).click();
    await page.getByText('Tag production removed.').waitFor();
    await page.getByRole('link', { name: 'Config' }).click();
    const moves = page.locator('.tag-moves > li');
    await moves.first().waitFor();
    assert.deepEqual(
      (await moves.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').replace(/ (just now|\d+ \w+ ago)$/, '')),
      [
        'production removed from version 2',
        'production moved from version 1 to version 2',
        'production added to version 1',
      ],
    );

    // Calls, and a link to their spans.
    await page.getByRole('link', { name: 'Production' }).click();
    // Calls of the playground and of an experiment try the version. They do not use it.
    const client = dataClient(url);
    const experimentId = await client.createExperiment(await client.createDataset('cases'), 'trial');
    const { experiment } = await graphql<{ experiment: { projectName: string } }>(
      url,
      'query ($id: ID!) { experiment: node(id: $id) { ... on Experiment { projectName } } }',
      { id: experimentId },
    );
    for (const [index, project] of ['playground', experiment.projectName].entries()) {
      const ids = { traceId: hexId(50 + index, 16), spanId: hexId(50 + index, 8) };
      const attributes = { 'openinference.span.kind': 'LLM', 'llm.prompt_template.version': second };
      await seed(url, project, [{ ...ids, name: 'trial', start: now - 60_000, latencyMs: 9_000, attributes }]);
    }
    await page.reload();
    const row = page.getByRole('row', { name: /^Version 2/ });
    await row.getByText('1.5s').first().waitFor();
    assert.equal(await row.getByRole('cell').nth(0).textContent(), '1');
    await page.getByText('Without experiments and the playground').waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await row.getByRole('link', { name: 'default' }).click();
    await page.getByRole('table', { name: 'Spans' }).locator('.table-row').first().waitFor();
    await untilPasses(async () => {
      assert.equal(await page.getByRole('table', { name: 'Spans' }).locator('.table-row').count(), 1);
    });

    // Clone, edit and delete.
    await page.goto(url + path(id));
    await page.getByRole('button', { name: 'Actions for answer' }).click();
    await page.getByRole('menuitem', { name: 'Clone' }).click();
    await page.getByRole('dialog').getByRole('combobox').selectOption(first);
    await page.getByRole('button', { name: 'Clone prompt' }).click();
    await page.getByRole('heading', { name: 'answer-copy' }).waitFor();
    await page.getByRole('heading', { name: 'Version 1 latest' }).waitFor();
    await page.getByRole('button', { name: 'Actions for answer-copy' }).click();
    await page.getByRole('menuitem', { name: /^Edit/ }).click();
    await page.getByLabel('Metadata').fill('[]');
    await page.getByText('Expected a JSON object, received a list.').waitFor();
    await page.getByLabel('Metadata').fill('{"team": "support"}');
    await page.getByLabel('Description').fill('Changed');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('complementary').getByText('Changed').waitFor();
    await page.getByRole('complementary').getByText('support').waitFor();
    await page.getByRole('button', { name: 'Actions for answer-copy' }).click();
    await page.getByRole('menuitem', { name: 'Delete prompt' }).click();
    await page.getByRole('button', { name: 'Delete prompt' }).click();
    await page.getByText('answer-copy deleted.').waitFor();
    await untilPasses(async () => {
      assert.equal(page.url(), `${url}/prompts`);
    });

    // Hostile and long content is text.
    await page.goto(url + path(hostileId));
    await page.locator('.template-tag', { hasText: '{{__proto__}}' }).first().waitFor();
    await page.getByRole('button', { name: /more characters$/ }).click();
    await page.getByRole('button', { name: /more characters$/ }).waitFor({ state: 'detached' });
    assert.equal(await page.locator('.page-body img, .page-body script').count(), 0);
    assert.deepEqual(pageErrors, []);
  });
});
