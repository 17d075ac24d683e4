import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { agentTrace } from '../agent-trace.ts';
import { seriousViolations } from '../axe.ts';
import { closePage, NO_BROWSER, openBrowser, openPage, untilPasses } from '../browser.ts';
import { otherClient } from '../other-client.ts';
import { openPageServer, type PageServer } from '../page-server.ts';
import { graphql, hexId, projectId, seed } from '../seed.ts';

const HOUR = 'timeRangeKey=1h';

/** A project with numbered traces, newest first, each with its own session. */
async function makeProject(url: string, name: string, first: number, count: number, configs: readonly string[] = []) {
  const now = Date.now();
  const numbers = Array.from({ length: count }, (_, index) => first + index);
  await seed(
    url,
    name,
    numbers.flatMap((number) => agentTrace(number, { start: now - number * 1_000, session: `talk-${number}` })),
  );
  const other = otherClient(url);
  for (const config of configs) await other.createConfig(config, name);
  const project = await projectId(url, name);
  const place = `${url}/projects/${encodeURIComponent(project)}`;
  return { project, place, tracePlace: `${place}/traces/${hexId(first, 16)}` };
}

type Kind = 'spans' | 'traces' | 'sessions';

const LABELS: Readonly<Record<Kind, string>> = {
  spans: `spans(first: 1000, rootSpansOnly: true) { edges { node { key: spanId, said: spanAnnotations { name label } } } }`,
  traces: `spans(first: 1000, rootSpansOnly: true) { edges { node { key: spanId, trace { said: traceAnnotations { name label } } } } }`,
  sessions: `sessions(first: 1000) { edges { node { key: sessionId, said: sessionAnnotations { name label } } } }`,
};

interface Said {
  readonly said: readonly { readonly label: string | null }[];
}

/** Labels of the root spans, traces or sessions of a project, by the row's OpenTelemetry id. */
async function labelsOf(url: string, project: string, kind: Kind): Promise<ReadonlyMap<string, string>> {
  const query = `query ($id: ID!) { node(id: $id) { ... on Project { rows: ${LABELS[kind]} } } }`;
  const { node } = await graphql<{
    node: { rows: { edges: { node: { key: string; trace?: Said } & Partial<Said> }[] } };
  }>(url, query, { id: project });
  return new Map(
    node.rows.edges.map(({ node: row }) => [
      row.key,
      (row.trace ?? (row as Said)).said.map(({ label }) => String(label)).join(),
    ]),
  );
}

const pane = (page: Page) => page.locator('.annotation-pane');
const paneOf = (page: Page, what: string) => page.getByRole('complementary', { name: `Annotations of ${what}` });
const label = (page: Page, config: string, name: RegExp) =>
  pane(page).getByRole('group', { name: config, exact: true }).getByRole('button', { name });
const isChosen = (page: Page, config: string, name: RegExp) =>
  label(page, config, name).and(page.locator('[aria-pressed=true]')).waitFor();
const isSaved = (page: Page, config: string) =>
  pane(page).getByRole('group', { name: config, exact: true }).getByText('Saved').waitFor();

describe('keys of the annotation pane', { skip: NO_BROWSER }, () => {
  const cleanUp = cleanUpAfter(after);
  let server: PageServer;
  before(async () => {
    server = await openPageServer({ after: cleanUp });
  });

  test('choose labels after a click on Queue, and wherever the focus is', async (t) => {
    const { place } = await makeProject(server.url, 'focus', 101, 3, ['quality']);
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    await page.goto(`${place}/spans?${HOUR}`);
    await page.locator('.table-row').first().click();
    await page.getByRole('tree').waitFor();
    await page.keyboard.press('e');
    await label(page, 'quality', /good/).waitFor();

    await t.test('continue the queue after a mouse click on its button', async () => {
      await pane(page).getByRole('button', { name: 'Queue' }).click();
      await page.keyboard.press('1');
      await page.waitForURL(new RegExp(hexId(102, 16)));
      await pane(page).getByText('2 of 3').waitFor();
      await pane(page).getByRole('button', { name: 'Queue' }).click();
      await label(page, 'quality', /bad/).waitFor();
    });

    for (const [where, focus] of [
      ['a tab of the span', () => page.getByRole('tab', { name: 'Attributes' }).click()],
      ['the content of the span', () => page.locator('.span-body').click()],
      ['the tree', () => page.getByRole('tree').focus()],
      ['nothing', () => page.evaluate('document.activeElement.blur()')],
      ['the navigation', () => page.getByRole('button', { name: 'Theme' }).focus()],
      ['a button of the pane', () => pane(page).getByRole('button', { name: 'Add config' }).focus()],
      ['the whole page', () => page.locator('main').focus()],
    ] as const) {
      await t.test(`the focus is on ${where}`, async () => {
        await focus();
        await page.keyboard.press('2');
        await isChosen(page, 'quality', /bad/);
        await page.keyboard.press('1');
        await isChosen(page, 'quality', /good/);
        await isSaved(page, 'quality');
      });
    }

    await t.test('have no effect while the user types', async () => {
      await pane(page).getByRole('button', { name: 'Add explanation' }).click();
      const texts = [
        pane(page).getByLabel('Explanation of quality'),
        pane(page).getByLabel('New note'),
        page.getByLabel('Search spans by name'),
      ];
      const url = page.url();
      for (const text of texts) {
        await text.click();
        await page.keyboard.type('2 equal jokes');
        assert.equal(await text.inputValue(), '2 equal jokes');
      }
      await isChosen(page, 'quality', /good/);
      assert.equal(page.url(), url);
      // Escape leaves the text, then the pane, then the trace.
      await texts[0]!.click();
      await page.keyboard.press('Escape');
      await page.keyboard.press('2');
      await isChosen(page, 'quality', /bad/);
      assert.equal(await texts[0]!.inputValue(), '2 equal jokes');
      await page.keyboard.press('Escape');
      await pane(page).waitFor({ state: 'detached' });
      assert.match(page.url(), new RegExp(hexId(102, 16)));
      await page.keyboard.press('Escape');
      await page.getByRole('table', { name: 'Spans' }).waitFor();
    });
    assert.deepEqual(pageErrors, []);
  });

  test('wait for the next row when the user is faster than it loads', async (t) => {
    const rowCount = 8;
    const { project, place } = await makeProject(server.url, 'fast', 901, rowCount, ['speed']);
    const { page, pageErrors } = await openPage(await openBrowser(t), server.url);
    await page.goto(`${place}/spans?${HOUR}`);
    await page
      .locator('.table-row')
      .nth(rowCount - 1)
      .waitFor();
    await page.locator('.table-row').first().click();
    await page.keyboard.press('e');
    await pane(page).getByRole('button', { name: 'Queue' }).click();
    await label(page, 'speed', /good/).waitFor();
    const keys = Array.from({ length: rowCount }, (_, index) => (index % 3 === 0 ? '2' : '1'));
    for (const key of keys) await page.keyboard.press(key);
    await page.getByText('This is the last row of its table.').waitFor();
    const labels = await labelsOf(server.url, project, 'spans');
    assert.deepEqual(
      keys.map((_, index) => labels.get(hexId((901 + index) * 1_000, 8))),
      keys.map((key) => (key === '1' ? 'good' : 'bad')),
    );
    assert.deepEqual(pageErrors, []);
  });

  test('work at once with a config that was just created, the second one too', async (t) => {
    const { tracePlace } = await makeProject(server.url, 'new', 201, 1);
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    await page.goto(tracePlace);
    await page.getByRole('tree').waitFor();
    await page.keyboard.press('e');
    for (const [opener, name, key, chosen] of [
      ['Add annotation config', 'tone', '2', /rude/],
      ['Add config', 'truth', '1', /kind/],
    ] as const) {
      await page.getByRole('button', { name: opener }).click();
      await page.getByRole('menuitem', { name: /Create config/ }).click();
      const form = page.getByRole('dialog', { name: 'Create annotation config' });
      await form.getByLabel('Name').fill(name);
      await form.getByLabel('Labels').fill('kind = 1\nrude = 0');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.waitFor({ state: 'detached' });
      await label(page, name, /kind/).waitFor();
      await page.keyboard.press(key);
      await isChosen(page, name, chosen);
      await isSaved(page, name);
    }
    await isChosen(page, 'tone', /rude/);
    // The new config also applies to the trace, without a reload.
    await page.keyboard.press('Shift+E');
    await label(page, 'tone', /kind/).waitFor();
    await page.keyboard.press('1');
    await isChosen(page, 'tone', /kind/);
    await page.keyboard.press('2');
    await isChosen(page, 'truth', /rude/);
    assert.deepEqual(pageErrors, []);
  });

  test('give scores and continue through several configs, back to skipped ones, then to the next row', async (t) => {
    const { project, place } = await makeProject(server.url, 'several', 301, 2, ['correctness']);
    const addConfig = async (annotationConfig: object) => {
      const { made } = await graphql<{ made: { annotationConfig: { id: string } } }>(
        server.url,
        `mutation ($input: CreateAnnotationConfigInput!) {
           made: createAnnotationConfig(input: $input) { annotationConfig { ... on Node { id } } } }`,
        { input: { annotationConfig } },
      );
      await graphql(
        server.url,
        `mutation ($input: [AddAnnotationConfigToProjectInput!]!) {
           addAnnotationConfigToProject(input: $input) { __typename } }`,
        { input: [{ projectId: project, annotationConfigId: made.annotationConfig.id }] },
      );
    };
    await addConfig({
      continuous: { name: 'depth', optimizationDirection: 'MAXIMIZE', lowerBound: 0, upperBound: 10 },
    });
    await addConfig({ freeform: { name: 'remark', optimizationDirection: 'NONE' } });
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    await page.goto(`${place}/spans?${HOUR}`);
    await page.locator('.table-row').first().click();
    await page.getByRole('tree').waitFor();
    await page.keyboard.press('e');
    await pane(page).getByRole('button', { name: 'Queue' }).click();
    const active = (name: string) =>
      page.getByRole('group', { name, exact: true }).and(page.locator('[data-active=true]')).waitFor();
    // Keys have an effect as soon as the configs are read.
    await active('correctness');
    await page.getByRole('tree').focus();
    await page.keyboard.press('2');
    await active('depth');
    await page.getByRole('tree').focus();
    await page.keyboard.press('7');
    await page.keyboard.type('.5');
    await untilPasses(async () => {
      assert.equal(await pane(page).getByLabel('Score of depth', { exact: true }).inputValue(), '7.5');
    });
    await page.keyboard.press('Enter');
    await active('remark');
    await page.keyboard.type('12 words');
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(new RegExp(hexId(302, 16)));

    // The pane leaves the row when all configs have an annotation, including the skipped one.
    await label(page, 'correctness', /good/).waitFor();
    await pane(page).getByLabel('Score of depth', { exact: true }).fill('3');
    await page.keyboard.press('Enter');
    await active('remark');
    await page.keyboard.type('more words');
    await page.keyboard.press('Control+Enter');
    await active('correctness');
    await page.keyboard.press('1');
    await page.getByText('This is the last row of its table.').waitFor();
    const labels = await labelsOf(server.url, project, 'spans');
    assert.deepEqual(
      [301, 302].map((number) => labels.get(hexId(number * 1_000, 8))),
      ['bad,null,null', 'good,null,null'],
    );
    assert.deepEqual(pageErrors, []);
  });

  for (const [kind, first, rowCount] of [
    ['spans', 401, 24],
    // Fewer, because each row takes a quarter of a second of processor time.
    ['traces', 501, 11],
    ['sessions', 601, 11],
  ] as const) {
    // All rows except the first and three in the middle.
    const left = new Set([0, 5, 6, 9]);
    const selectedCount = rowCount - left.size;
    test(`annotate ${selectedCount} selected ${kind} by keys alone, and no other`, async (t) => {
      const name = `verdict of ${kind}`;
      const { project, place } = await makeProject(server.url, `many ${kind}`, first, rowCount, [name]);
      const browser = await openBrowser(t);
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(`${place}/${kind}?${HOUR}`);
      const table = page.getByRole('table');
      await page.locator('.table-row').nth(5).waitFor();
      await table.focus();
      for (let row = 0; row < rowCount; row++) {
        await page.keyboard.press('ArrowDown');
        if (!left.has(row)) await page.keyboard.press('x');
      }
      await page
        .getByRole('region', { name: 'Selected rows' })
        .getByText(`${selectedCount} ${kind} selected`)
        .waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await page.keyboard.press('e');
      for (let at = 1; at <= selectedCount; at++) {
        await pane(page).getByText(`${at} of ${selectedCount}`).waitFor();
        await label(page, name, /good/).waitFor();
        if (at === 3) {
          assert.deepEqual(await seriousViolations(page), []);
          assert.equal(await page.getByRole('dialog').count(), 0);
        }
        await page.keyboard.press(at % 2 === 0 ? '2' : '1');
      }
      await page.getByText(`You have annotated all ${selectedCount} selected rows.`).waitFor();
      const labels = await labelsOf(server.url, project, kind);
      const expected = Array.from({ length: rowCount }, (_, row) => row)
        .filter((row) => !left.has(row))
        .map((row, at) => [
          kind === 'sessions' ? `talk-${first + row}` : hexId((first + row) * 1_000, 8),
          at % 2 === 0 ? 'good' : 'bad',
        ]);
      assert.deepEqual(
        [...labels].filter(([, said]) => said !== '').sort(),
        expected.map(([key, said]) => [key!, said!] as [string, string]).sort(),
      );
      assert.deepEqual(pageErrors, []);
    });
  }

  test('step through the selection beside the table, and new rows do not change it', async (t) => {
    const { place } = await makeProject(server.url, 'beside', 701, 5, ['honesty']);
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    await page.addInitScript(`localStorage.setItem('spandrel.preferences', '{"tracePlace":"drawer"}')`);
    await page.goto(`${place}/spans?${HOUR}`);
    await page.locator('.table-row').nth(4).waitFor();
    for (const row of [1, 3]) await page.getByLabel('Select row').nth(row).click();
    await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Queue' }).click();
    await pane(page).getByText('1 of 2').waitFor();
    await seed(server.url, 'beside', agentTrace(790, { start: Date.now() - 1_000 }));
    await label(page, 'honesty', /good/).waitFor();
    await page.keyboard.press('1');
    await page.waitForURL(new RegExp(hexId(704, 16)));
    await pane(page).getByText('2 of 2').waitFor();
    await label(page, 'honesty', /good/).waitFor();
    await page.keyboard.press('1');
    await page.getByText('You have annotated all 2 selected rows.').waitFor();
    assert.deepEqual(pageErrors, []);
  });

  test('annotate a trace, a turn and a document in the pane, which does not cover them', async (t) => {
    const { place, tracePlace } = await makeProject(server.url, 'parts', 801, 1);
    const browser = await openBrowser(t);
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      const name = `fit at ${width}`;
      const other = otherClient(server.url);
      await other.createConfig(name, 'parts');
      const chip = (value: string) => ({ hasText: new RegExp(`${name}\\s*${value}`) });
      const { page, pageErrors } = await openPage(browser, server.url, { width, height });
      await page.goto(tracePlace);
      await page.getByRole('tree').waitFor();
      await page.keyboard.press('Shift+E');
      await paneOf(page, 'the trace').waitFor();
      await label(page, name, /good/).waitFor();
      await apart(page, '.span-body');
      await page.keyboard.press('1');
      await page.locator('.trace-facts .annotation-chip', chip('good')).waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await page.keyboard.press('e');
      await paneOf(page, 'the span').waitFor();
      await page.keyboard.press('Escape');

      await page.locator('.tree-row', { hasText: 'search_guide' }).click();
      await page.getByRole('button', { name: 'Annotate document 2' }).click();
      await paneOf(page, 'document 2').waitFor();
      await label(page, name, /bad/).waitFor();
      await apart(page, '.span-body');
      await page.keyboard.press('2');
      await page.locator('.document', { hasText: 'guide-2' }).locator('.annotation-chip', chip('bad')).waitFor();
      assert.deepEqual(await seriousViolations(page), []);

      await page.goto(`${place}/sessions?${HOUR}`);
      await page.getByRole('link', { name: 'talk-801' }).click();
      await page.getByRole('button', { name: 'Annotate turn 1' }).click();
      await paneOf(page, 'turn 1').waitFor();
      await label(page, name, /bad/).waitFor();
      await apart(page, '.conversation');
      await page.keyboard.press('2');
      await page.locator('.turn .annotation-chip', chip('bad')).waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await page.keyboard.press('e');
      await paneOf(page, 'the session').waitFor();
      assert.equal(await page.getByRole('dialog').count(), 0);
      assert.deepEqual(pageErrors, []);
      await closePage(page);
      await other.deleteConfig(name);
    }
  });
});

/** The pane does not cover the annotated object, and part of the object is visible. */
async function apart(page: Page, content: string): Promise<void> {
  const [ofPane, ofContent] = await Promise.all([pane(page).boundingBox(), page.locator(content).boundingBox()]);
  assert(ofPane && ofContent);
  const width = Math.min(ofPane.x + ofPane.width, ofContent.x + ofContent.width) - Math.max(ofPane.x, ofContent.x);
  const height = Math.min(ofPane.y + ofPane.height, ofContent.y + ofContent.height) - Math.max(ofPane.y, ofContent.y);
  assert(width <= 0 || height <= 0, `the pane covers ${width} × ${height} pixels of ${content}`);
  assert(ofContent.height >= 150 && ofContent.width >= 350, `${ofContent.width} × ${ofContent.height} px are left`);
}
