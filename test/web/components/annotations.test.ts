import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentTrace } from '../agent-trace.ts';
import { ATTACKS } from '../attacks.ts';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../browser.ts';
import { openPageServer } from '../page-server.ts';
import { graphql, hexId, projectId, seed } from '../seed.ts';

const ADD = `mutation ($input: CreateSpanAnnotationInput!) { createSpanAnnotations(input: [$input]) { __typename } }`;
const ADD_TO_DOCUMENT = `mutation ($input: CreateDocumentAnnotationInput!) {
  createDocumentAnnotations(input: [$input]) { __typename } }`;
const CREATE_CONFIG = `mutation ($input: CreateAnnotationConfigInput!) {
  createAnnotationConfig(input: $input) { annotationConfig { ... on Node { id } } } }`;
const ASSIGN = `mutation ($input: [AddAnnotationConfigToProjectInput!]!) {
  addAnnotationConfigToProject(input: $input) { __typename } }`;

async function start(t: Parameters<typeof openBrowser>[0], traceCount = 1) {
  const server = await openPageServer(t);
  const now = Date.now();
  const numbers = Array.from({ length: traceCount }, (_, index) => index + 1);
  await seed(
    server.url,
    'judged',
    numbers.flatMap((number) => agentTrace(number, { start: now - number * 20_000, session: `talk-${number}` })),
  );
  const project = await projectId(server.url, 'judged');
  const place = `${server.url}/projects/${encodeURIComponent(project)}`;
  return { server, project, place, tracePlace: `${place}/traces/${hexId(1, 16)}` };
}

const spanNode = async (url: string, spanId: string): Promise<string> =>
  (await graphql<{ getSpanByOtelId: { id: string } }>(url, `{ getSpanByOtelId(spanId: "${spanId}") { id } }`))
    .getSpanByOtelId.id;

/** A config with the labels good (1) and bad (0), assigned to the project where one is given. */
async function addConfig(url: string, project: string | undefined, name: string): Promise<void> {
  const values = [
    { label: 'good', score: 1 },
    { label: 'bad', score: 0 },
  ];
  const annotationConfig = { categorical: { name, optimizationDirection: 'MAXIMIZE', values } };
  const made = await graphql<{ createAnnotationConfig: { annotationConfig: { id: string } } }>(url, CREATE_CONFIG, {
    input: { annotationConfig },
  });
  const annotationConfigId = made.createAnnotationConfig.annotationConfig.id;
  if (project) await graphql(url, ASSIGN, { input: [{ projectId: project, annotationConfigId }] });
}

describe('annotations in the interface', { skip: NO_BROWSER }, () => {
  test('are saved automatically, and their authors edit and delete them and add notes', async (t) => {
    const { server, project, place, tracePlace } = await start(t);
    await addConfig(server.url, project, 'quality');
    const root = await spanNode(server.url, hexId(1_000, 8));
    const said = { spanId: root, name: 'quality', annotatorKind: 'LLM', source: 'API', metadata: {} };
    for (const [identifier, label, score] of [
      ['judge-1', 'good', 1],
      ['judge-2', 'bad', 0],
    ] as const) {
      await graphql(server.url, ADD, { input: { ...said, identifier, label, score, explanation: `by ${identifier}` } });
    }
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    await page.goto(tracePlace);
    await page.locator('.span-head .annotation-chip', { hasText: '×2' }).hover();
    const tip = page.getByRole('tooltip');
    await tip.getByText('2 annotations, mean 0.5, good 50 %, bad 50 %').waitFor();
    await tip.getByText('llm: by judge-1').waitFor();

    await page.keyboard.press('e');
    const row = page.getByRole('group', { name: 'quality' });
    await row.getByRole('button', { name: /bad/ }).waitFor();
    await page.keyboard.press('2');
    await row.getByText('Saved').waitFor();
    const list = page.getByRole('list', { name: 'Annotations' });
    await list.getByText('You, in the app').waitFor();
    await untilPasses(async () => {
      assert.equal(
        await list.getByRole('button', { name: /Edit|Delete/ }).count(),
        2,
        'of what others said there is none',
      );
    });
    assert.deepEqual(await seriousViolations(page), []);
    const content = await page.locator('.span-body').boundingBox();
    assert(content && content.width >= 480, `the content keeps its room: ${content?.width} px`);

    await list.getByRole('button', { name: 'Edit quality' }).click();
    await page.keyboard.press('1');
    await row.getByRole('button', { name: 'Add explanation' }).click();
    await row.getByLabel('Explanation of quality').fill('I was too strict');
    await list.getByText('I was too strict').waitFor();
    await untilPasses(async () => {
      assert.match((await list.textContent()) ?? '', /quality\s*good\s*1\s*You, in the app/);
    });

    await page.getByLabel('New note').fill('Look at this again');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.locator('.note', { hasText: 'Look at this again' }).waitFor();

    await page.goto(`${place}/spans?timeRangeKey=1h`);
    await page.locator('.table-row .annotation-chip', { hasText: /quality\s*good/ }).waitFor();
    assert.equal(await page.locator('.annotation-chip', { hasText: 'note' }).count(), 0);

    await page.goto(`${tracePlace}?aside=annotations`);
    await list.getByRole('button', { name: 'Delete quality' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await list.getByText('You, in the app').waitFor({ state: 'detached' });
    await untilPasses(async () => {
      assert.equal(await row.getByRole('button', { name: /good/ }).getAttribute('aria-pressed'), 'false');
    });
    await page.locator('.note', { hasText: 'Look at this again' }).waitFor();
    assert.deepEqual(pageErrors, []);
  });

  test('use configs that users create and add to the project in the pane', async (t) => {
    const { server, tracePlace } = await start(t);
    await addConfig(server.url, undefined, 'elsewhere');
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    await page.goto(tracePlace);
    await page.getByRole('button', { name: 'Annotate trace' }).waitFor();

    // Where there is nothing to judge by yet, keys go on from there too, and out again.
    await page.getByRole('tab', { name: 'Content' }).waitFor();
    await page.keyboard.press('e');
    await page.locator('.annotation-pane button:focus', { hasText: 'Add annotation config' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.annotation-pane').waitFor({ state: 'detached' });
    assert(page.url().startsWith(tracePlace));

    await page.keyboard.press('Shift+E');
    const pane = page.getByRole('complementary', { name: 'Annotations of the trace' });
    await pane.getByRole('button', { name: 'Add annotation config' }).click();
    await page.getByRole('menuitem', { name: 'elsewhere' }).click();
    await pane.getByRole('group', { name: 'elsewhere' }).waitFor();

    await pane.getByRole('button', { name: 'Add config' }).click();
    await page.getByRole('menuitem', { name: /Create config/ }).click();
    const form = page.getByRole('dialog', { name: 'Create annotation config' });
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Enter a name.').waitFor();
    await form.getByLabel('Name').fill('worth a look');
    await form.getByRole('button', { name: 'Score', exact: true }).click();
    await form.getByLabel('Lowest score').fill('0');
    await form.getByLabel('Highest score').fill('1');
    await form.getByRole('button', { name: 'Save' }).click();

    const score = pane.getByLabel('Score of worth a look', { exact: true });
    await score.fill('7');
    await pane.getByText('Not saved: The score must be from 0 to 1.').waitFor();
    await score.fill('0.75');
    await pane.getByRole('list', { name: 'Annotations' }).getByText('worth a look').waitFor();
    await pane.getByRole('button', { name: 'Add config' }).click();
    await page.getByRole('menuitem', { name: /Create config/ }).click();
    await form.getByLabel('Name').fill('remark');
    await form.getByRole('button', { name: 'Free text' }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    await pane.getByRole('textbox', { name: 'remark' }).fill('In words');
    await pane.getByRole('list', { name: 'Annotations' }).getByText('In words').waitFor();
    await pane.getByLabel('New note').fill('Of the whole trace');
    await pane.getByRole('button', { name: 'Add note' }).click();
    await pane.locator('.note', { hasText: 'Of the whole trace' }).waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await page.keyboard.press('Escape');

    await page.locator('.trace-facts .annotation-chip', { hasText: /worth a look\s*0.75/ }).waitFor();
    await page.locator('.trace-facts').getByRole('button', { name: '3 annotations' }).waitFor();
    assert.deepEqual(pageErrors, []);
  });

  test('are made for all unannotated rows of a table by keyboard', async (t) => {
    const { server, project, place } = await start(t, 4);
    await addConfig(server.url, project, 'quality');
    const mine = { annotatorKind: 'HUMAN', source: 'APP', metadata: {}, identifier: 'interface', name: 'quality' };
    const second = await spanNode(server.url, hexId(2_000, 8));
    await graphql(server.url, ADD, { input: { ...mine, spanId: second, label: 'good', score: 1 } });
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    await page.goto(`${place}/traces?timeRangeKey=1h`);
    await page.locator('.table-row').first().click();
    await page.getByRole('tree').waitFor();

    await page.keyboard.press('e');
    await page.getByRole('button', { name: 'Queue' }).click();
    await page.getByRole('group', { name: 'quality' }).getByRole('button', { name: /good/ }).focus();
    await page.keyboard.press('1');
    await page.waitForURL(new RegExp(hexId(3, 16)));
    await page.locator('.config-annotated [data-first]:focus').waitFor();
    await page.keyboard.press('2');
    await page.waitForURL(new RegExp(hexId(4, 16)));
    await page.locator('.config-annotated [data-first]:focus').waitFor();
    await page.keyboard.press('2');
    await page.getByText('This is the last row of its table').waitFor();

    const labels = await Promise.all(
      [1, 2, 3, 4].map(async (number) => {
        const id = await spanNode(server.url, hexId(number * 1_000, 8));
        const query = `{ node(id: "${id}") { ... on Span { spanAnnotations { label } } } }`;
        const { node } = await graphql<{ node: { spanAnnotations: { label: string }[] } }>(server.url, query);
        return node.spanAnnotations.map(({ label }) => label).join();
      }),
    );
    assert.deepEqual(labels, ['good', 'good', 'bad', 'bad']);
    assert.deepEqual(pageErrors, []);
  });

  test('of documents and sessions are made beside the document or session', async (t) => {
    const { server, project, place, tracePlace } = await start(t);
    await addConfig(server.url, project, 'relevance');
    const retriever = await spanNode(server.url, hexId(1_002, 8));
    for (const [documentPosition, score] of [1, 0, 1].entries()) {
      const input = { spanId: retriever, documentPosition, name: 'useful', score, annotatorKind: 'LLM', source: 'API' };
      await graphql(server.url, ADD_TO_DOCUMENT, { input: { ...input, metadata: {} } });
    }
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    await page.goto(tracePlace);
    await page.locator('.tree-row', { hasText: 'search_guide' }).click();
    await page.locator('.retrieval-metrics', { hasText: /useful.*nDCG0\.92.*precision0\.67.*hit1\.00/ }).waitFor();

    await page.getByRole('button', { name: 'Annotate document 2' }).click();
    const pane = page.getByRole('complementary', { name: 'Annotations of document 2' });
    await pane.getByRole('group', { name: 'relevance' }).getByRole('button', { name: /bad/ }).click();
    await pane.getByText('You, in the app').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.document', { hasText: 'guide-2' }).locator('.annotation-chip', { hasText: 'bad' }).waitFor();
    await page.getByRole('button', { name: 'Annotate document 2' }).click();
    await pane.getByRole('group', { name: 'relevance' }).getByRole('button', { name: /good/ }).click();
    await pane.locator('.annotation-row', { hasText: 'good' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.document', { hasText: 'guide-2' }).locator('.annotation-chip', { hasText: 'good' }).waitFor();
    await untilPasses(async () => {
      assert.equal(await page.locator('.annotation-chip', { hasText: 'good' }).count(), 1, 'of that document alone');
    });
    await page.getByRole('button', { name: 'Annotate document 2' }).click();
    await pane.getByRole('button', { name: 'Delete relevance' }).click();
    await page.getByRole('dialog', { name: 'Delete relevance?' }).getByRole('button', { name: 'Delete' }).click();
    await pane.getByText('You, in the app').waitFor({ state: 'detached' });

    await page.goto(`${place}/sessions?timeRangeKey=1h`);
    await page.getByRole('link', { name: 'talk-1' }).click();
    await page.locator('.turn').waitFor();
    await page.keyboard.press('e');
    await page.getByRole('group', { name: 'relevance' }).getByRole('button', { name: /good/ }).waitFor();
    await page.keyboard.press('1');
    await page.locator('.trace-facts .annotation-chip', { hasText: 'good' }).waitFor();
    await page.keyboard.press('2');
    await page.locator('.trace-facts .annotation-chip', { hasText: 'bad' }).waitFor();
    await page.getByLabel('New note').fill('Ask them');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.locator('.note', { hasText: 'Ask them' }).waitFor();
    assert.deepEqual(await seriousViolations(page), []);

    await page.getByRole('button', { name: 'Annotate turn 1' }).click();
    const turn = page.getByRole('complementary', { name: 'Annotations of turn 1' });
    await turn.getByRole('group', { name: 'relevance' }).getByRole('button', { name: /good/ }).click();
    await turn.getByText('You, in the app').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.turn .annotation-chip', { hasText: 'good' }).waitFor();
    assert.deepEqual(pageErrors, []);
  });

  test('contain texts that never run, load or style anything', async (t) => {
    const { server, project, place, tracePlace } = await start(t);
    const spanId = await spanNode(server.url, hexId(1_000, 8));
    for (const [index, attack] of ATTACKS.entries()) {
      const text = attack.replaceAll('\u0000', '');
      const input = { spanId, label: text, score: index, explanation: text, metadata: { [text]: text } };
      await graphql(server.url, ADD, {
        input: { ...input, name: `${index} ${text}`, annotatorKind: 'LLM', source: 'API', identifier: text },
      });
      await addConfig(server.url, project, `${index} ${text}`);
    }
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);

    await page.goto(`${place}/spans?timeRangeKey=1h`);
    await page.locator('.table-row .annotation-chip').first().waitFor();
    await page.goto(tracePlace);
    await page.locator('.span-head .annotation-chip').first().hover();
    await page.getByRole('tooltip').waitFor();
    await page.keyboard.press('e');
    await page.getByRole('list', { name: 'Annotations' }).waitFor();
    await untilPasses(async () => {
      assert.equal(await page.locator('.annotation-list > li').count(), ATTACKS.length);
      assert.equal(await page.locator('.config-annotated').count(), ATTACKS.length);
    });

    const planted = await page.evaluate(
      'document.querySelectorAll("#root script, #root iframe, #root style, #root img, a[href^=\\"javascript:\\"]").length',
    );
    assert.equal(planted, 0);
    assert.deepEqual(pageErrors, []);
  });
});
