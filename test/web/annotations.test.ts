import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startServer } from '../e2e/server-process.ts';
import { ATTACKS } from './attacks.ts';
import { seriousFaults } from './axe.ts';
import { NO_BROWSER, openBrowser, openPage } from './browser.ts';
import { graphql, hexId, projectId, seed } from './seed.ts';

const ADD = `mutation ($input: CreateSpanAnnotationInput!) { createSpanAnnotations(input: [$input]) { __typename } }`;
const CREATE_CONFIG = `mutation ($input: CreateAnnotationConfigInput!) {
  createAnnotationConfig(input: $input) { annotationConfig { ... on Node { id } } } }`;
const ASSIGN = `mutation ($input: [AddAnnotationConfigToProjectInput!]!) {
  addAnnotationConfigToProject(input: $input) { __typename } }`;

async function start(t: Parameters<typeof openBrowser>[0]) {
  const server = await startServer();
  t.after(() => server.stop());
  const span = { traceId: hexId(1, 16), spanId: hexId(1, 8), name: 'answer', start: Date.now() - 5_000, latencyMs: 20 };
  await seed(server.url, 'judged', [span]);
  const project = await projectId(server.url, 'judged');
  const { getSpanByOtelId } = await graphql<{ getSpanByOtelId: { id: string } }>(
    server.url,
    `{ getSpanByOtelId(spanId: "${span.spanId}") { id } }`,
  );
  const place = `${server.url}/projects/${encodeURIComponent(project)}`;
  return { server, project, place, tracePlace: `${place}/traces/${span.traceId}`, spanNodeId: getSpanByOtelId.id };
}

/** A config with the labels good (1) and bad (0), assigned to the project. */
async function addConfig(url: string, project: string, name: string): Promise<void> {
  const values = [
    { label: 'good', score: 1 },
    { label: 'bad', score: 0 },
  ];
  const annotationConfig = { categorical: { name, optimizationDirection: 'MAXIMIZE', values } };
  const made = await graphql<{ createAnnotationConfig: { annotationConfig: { id: string } } }>(url, CREATE_CONFIG, {
    input: { annotationConfig },
  });
  const annotationConfigId = made.createAnnotationConfig.annotationConfig.id;
  await graphql(url, ASSIGN, { input: [{ projectId: project, annotationConfigId }] });
}

describe('annotations in the interface', { skip: NO_BROWSER }, () => {
  test('are made by keys, changed and deleted, with notes beside them', async (t) => {
    const { server, project, place, tracePlace } = await start(t);
    await addConfig(server.url, project, 'quality');
    const browser = await openBrowser(t);
    const { page, faults } = await openPage(browser, server.url);
    await page.goto(tracePlace);
    await page.getByRole('tab', { name: /Annotations/ }).waitFor();

    await page.keyboard.press('e');
    await page.getByRole('button', { name: /bad/ }).waitFor();
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
    const list = page.getByRole('list', { name: 'Annotations' });
    await list.getByText('bad').waitFor();
    assert.match((await list.textContent()) ?? '', /quality\s*bad\s*0\s*Person/);

    await list.getByRole('button', { name: 'Change quality' }).click();
    await page.keyboard.press('1');
    await page.getByLabel('Explanation').fill('I was too strict');
    await page.getByRole('button', { name: 'Save' }).click();
    await list.getByText('I was too strict').waitFor();
    assert.match((await list.textContent()) ?? '', /quality\s*good\s*1/);

    await page.getByLabel('New note').fill('Look at this again');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.locator('.note', { hasText: 'Look at this again' }).waitFor();
    assert.deepEqual(await seriousFaults(page), []);

    await page.goto(`${place}/spans?timeRangeKey=1h`);
    await page.locator('.table-row .annotation-chip', { hasText: /quality\s*good/ }).waitFor();
    assert.equal(await page.locator('.annotation-chip', { hasText: 'note' }).count(), 0);

    await page.goto(`${tracePlace}?spanView=annotations`);
    await list.getByRole('button', { name: 'Delete quality' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nobody has judged this span yet').waitFor();
    await page.locator('.note', { hasText: 'Look at this again' }).waitFor();
    assert.deepEqual(faults, []);
  });

  test("of a trace are made in a dialog, in words of one's own where there is no config", async (t) => {
    const { server, tracePlace } = await start(t);
    const browser = await openBrowser(t);
    const { page, faults } = await openPage(browser, server.url);
    await page.goto(tracePlace);
    await page.getByRole('button', { name: 'Annotate trace' }).waitFor();

    await page.keyboard.press('Shift+E');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Give it a name.').waitFor();
    await dialog.getByLabel('Name').fill('worth a look');
    await dialog.getByLabel('Score').fill('much');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('The score is a number.').waitFor();
    await dialog.getByLabel('Score').fill('0.75');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('list', { name: 'Annotations' }).getByText('worth a look').waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await page.keyboard.press('Escape');

    await page.locator('.trace-facts .annotation-chip', { hasText: /worth a look\s*0.75/ }).waitFor();
    assert.deepEqual(faults, []);
  });

  test('hold texts that never run, load or restyle anything', async (t) => {
    const { server, project, place, tracePlace, spanNodeId } = await start(t);
    for (const [index, attack] of ATTACKS.entries()) {
      const text = attack.replaceAll('\u0000', '');
      const input = { spanId: spanNodeId, label: text, score: index, explanation: text, metadata: { [text]: text } };
      await graphql(server.url, ADD, {
        input: { ...input, name: `${index} ${text}`, annotatorKind: 'LLM', source: 'API', identifier: text },
      });
      await addConfig(server.url, project, `${index} ${text}`);
    }
    const browser = await openBrowser(t);
    const { page, faults } = await openPage(browser, server.url);

    await page.goto(`${place}/spans?timeRangeKey=1h`);
    await page.locator('.table-row .annotation-chip').first().waitFor();
    await page.goto(`${tracePlace}?spanView=annotations`);
    await page.getByRole('list', { name: 'Annotations' }).waitFor();
    assert.equal(await page.locator('.annotation-list > li').count(), ATTACKS.length);
    await page.keyboard.press('e');
    await page.getByRole('group', { name: 'What to judge' }).waitFor();

    const planted = await page.evaluate(
      'document.querySelectorAll("#root script, #root iframe, #root style, #root img, a[href^=\\"javascript:\\"]").length',
    );
    assert.equal(planted, 0);
    assert.deepEqual(faults, []);
  });
});
