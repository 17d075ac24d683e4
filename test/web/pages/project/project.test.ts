import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seriousViolations } from '../../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../../browser.ts';
import { openPageServer } from '../../page-server.ts';
import { graphql, hexId, projectId, seed } from '../../seed.ts';

const TRACES = Array.from({ length: 3 }, (_, index) => {
  const ids = { traceId: hexId(index + 1, 16), start: Date.now() - 60_000 * (index + 1) };
  const spanId = (number: number) => hexId(index * 10 + number, 8);
  return [
    { ...ids, spanId: spanId(1), name: `question ${index}`, latencyMs: 100 },
    { ...ids, spanId: spanId(2), parentSpanId: spanId(1), name: `look up ${index}`, latencyMs: 40 },
    {
      ...ids,
      spanId: spanId(3),
      parentSpanId: spanId(2),
      name: `answer ${index}`,
      latencyMs: 30,
      attributes: { 'openinference.span.kind': 'LLM', 'llm.token_count.prompt': [5, 20, 10][index]! },
    },
  ];
}).flat();

describe('the page of a project', { skip: NO_BROWSER }, () => {
  test('expands one trace or all traces into their spans, and links to each span', async (t) => {
    const server = await openPageServer(t);
    await seed(server.url, 'expansion', TRACES);
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    const place = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, 'expansion'))}`;
    await page.goto(`${place}/traces?timeRangeKey=1h`);
    const rows = page.locator('.table-row');
    await rows.nth(2).waitFor();

    await page.getByRole('button', { name: 'Spans of question 1' }).click();
    await rows.nth(4).waitFor();
    const names = async () =>
      (await rows.locator('a').allTextContents()).map((text) => text.trim()).filter((text) => text !== '');
    await untilPasses(async () => {
      assert.deepEqual(await names(), ['question 0', 'question 1', 'look up 1', 'answer 1', 'question 2']);
      assert.match((await rows.nth(2).textContent()) ?? '', /40ms/);
    });
    assert.deepEqual(await seriousViolations(page), []);
    await page.getByRole('button', { name: 'Expand all traces' }).click();
    await rows.nth(8).waitFor();
    await page.getByRole('button', { name: 'Expand all traces' }).click();
    await rows.nth(3).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Spans of question 1' }).click();
    await page.getByRole('link', { name: 'answer 1' }).click();
    await page.locator('.tree-row[aria-selected=true]', { hasText: 'answer 1' }).waitFor();

    await t.test('root spans are sorted by their tokens including descendants', async () => {
      for (const [tab, sort] of [
        ['spans', 'cumulativeTokenCountTotal'],
        ['traces', 'traceTokenCountTotal'],
      ]) {
        await page.goto(`${place}/${tab}?timeRangeKey=1h&sort=${sort}:desc`);
        await rows.nth(2).waitFor();
        await page.locator('[aria-sort=descending]', { hasText: 'Tokens' }).waitFor();
        await untilPasses(async () => {
          assert.deepEqual(
            (await rows.getByRole('link').allTextContents()).filter((text) => text !== ''),
            ['question 1', 'question 2', 'question 0'],
          );
        });
        await page.getByRole('button', { name: 'Tokens', exact: true }).click();
        await rows.first().getByRole('link', { name: 'question 0' }).waitFor();
      }
    });

    await t.test('a column sorts by the values of its cells, also for traces with several roots', async () => {
      const start = Date.now() - 60_000;
      const root = (number: number, trace: number, name: string, at: number, latencyMs: number, tokens: number) => ({
        traceId: hexId(500 + trace, 16),
        spanId: hexId(500 + number, 8),
        name,
        start: start + at,
        latencyMs,
        attributes: { 'openinference.span.kind': 'LLM', 'llm.token_count.prompt': tokens },
      });
      await seed(server.url, 'twins', [
        root(1, 1, 'first of two', 0, 100, 5),
        root(2, 1, 'second of two', 4_000, 1_000, 90),
        root(3, 2, 'alone', 0, 2_000, 50),
      ]);
      const twins = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, 'twins'))}`;
      const table = async (tab: string, label: string) => {
        await page.goto(`${twins}/${tab}?timeRangeKey=1h`);
        await rows.nth(1).waitFor();
        await page.getByRole('button', { name: label, exact: true }).click();
        await page.locator('[aria-sort=descending]', { hasText: label }).waitFor();
        await page.locator('.table[aria-busy=false]').waitFor();
        const at = (await page.getByRole('columnheader').allTextContents()).indexOf(label);
        return Promise.all(
          [0, 1].map(async (index) => {
            const name = await rows.nth(index).getByRole('link').first().textContent();
            return [name, await rows.nth(index).getByRole('cell').nth(at).textContent()];
          }),
        );
      };
      const [alone, two] = ['alone', 'first of two'];
      assert.deepEqual(await table('spans', 'Tokens'), [
        [alone, '50'],
        [two, '5'],
      ]);
      assert.deepEqual(await table('spans', 'Latency'), [
        [alone, '2s'],
        [two, '100ms'],
      ]);
      assert.deepEqual(await table('traces', 'Tokens'), [
        [two, '95'],
        [alone, '50'],
      ]);
      assert.deepEqual(await table('traces', 'Latency'), [
        [two, '5s'],
        [alone, '2s'],
      ]);
    });

    await t.test(
      'the page contains only the visible rows of thousands of traces, and the last can be reached',
      async () => {
        const start = Date.now() - 600_000;
        const traces = Array.from({ length: 2_500 }, (_, index) => ({
          traceId: hexId(10_000 + index, 16),
          spanId: hexId(10_000 + index, 8),
          name: `row ${index}`,
          start: start + index * 10,
          latencyMs: 5,
        }));
        await seed(server.url, 'long', traces);
        await page.goto(
          `${server.url}/projects/${encodeURIComponent(await projectId(server.url, 'long'))}/traces?timeRangeKey=1h`,
        );
        await rows.nth(20).waitFor();
        const last = rows.filter({ has: page.getByRole('link', { name: 'row 0', exact: true }) });
        for (let attempt = 0; attempt < 200 && (await last.count()) === 0; attempt++) {
          await page
            .getByRole('table', { name: 'Traces' })
            .evaluate((table: { scrollTop: number; scrollHeight: number }) => {
              table.scrollTop = table.scrollHeight;
            });
          await page.waitForTimeout(50);
          assert((await rows.count()) < 200, 'rows out of sight are taken off the page');
        }
        await last.waitFor();
      },
    );
    assert.deepEqual(pageErrors, []);
  });

  test('annotations of spans are summarized: shares of labels, the mean, and whether it is good', async (t) => {
    const server = await openPageServer(t);
    await seed(server.url, 'judged', TRACES);
    const project = await projectId(server.url, 'judged');
    const { node } = await graphql<{ node: { spans: { edges: { node: { id: string } }[] } } }>(
      server.url,
      'query ($id: ID!) { node(id: $id) { ... on Project { spans(first: 4) { edges { node { id } } } } } }',
      { id: project },
    );
    await graphql(
      server.url,
      'mutation ($input: [CreateSpanAnnotationInput!]!) { createSpanAnnotations(input: $input) { __typename } }',
      {
        input: node.spans.edges.map(({ node: { id } }, index) => ({
          spanId: id,
          name: 'truth',
          label: index === 0 ? 'wrong' : 'right',
          score: index === 0 ? 0 : 1,
          annotatorKind: 'HUMAN',
          source: 'APP',
          metadata: {},
        })),
      },
    );
    const values = [
      { label: 'right', score: 1 },
      { label: 'wrong', score: 0 },
    ];
    const made = await graphql<{ createAnnotationConfig: { annotationConfig: { id: string } } }>(
      server.url,
      `mutation ($input: CreateAnnotationConfigInput!) {
         createAnnotationConfig(input: $input) { annotationConfig { ... on Node { id } } } }`,
      { input: { annotationConfig: { categorical: { name: 'truth', optimizationDirection: 'MAXIMIZE', values } } } },
    );
    await graphql(
      server.url,
      'mutation ($input: [AddAnnotationConfigToProjectInput!]!) { addAnnotationConfigToProject(input: $input) { __typename } }',
      { input: [{ projectId: project, annotationConfigId: made.createAnnotationConfig.annotationConfig.id }] },
    );
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    await page.goto(`${server.url}/projects/${encodeURIComponent(project)}/spans?timeRangeKey=1h&spans=all`);

    const figure = page.locator('.annotation-figure', { hasText: 'truth' });
    await figure.locator('.is-good', { hasText: '0.75' }).waitFor();
    await figure.getByRole('img', { name: 'right 75 %, wrong 25 %' }).waitFor();
    await page.getByRole('combobox', { name: 'Filter' }).fill("annotations['truth'].label == 'wrong'");
    await figure.locator('.is-bad', { hasText: '0.00' }).waitFor();
    assert.deepEqual(await seriousViolations(page), []);

    await page.getByRole('button', { name: 'Clear filter' }).click();
    await page.locator('.table-row').nth(8).waitFor();
    const filter = () => new URL(page.url()).searchParams.get('spanFilterCondition');
    const chips = page.locator('.table-row').getByTitle('Filter by truth');
    await chips.filter({ hasText: 'wrong' }).click();
    await page.getByRole('menuitem', { name: /label == 'wrong'/ }).click();
    await page.locator('.table-row').nth(1).waitFor({ state: 'detached' });
    assert.equal(filter(), "annotations['truth'].label == 'wrong'");
    const statistic = page.locator('.figures > div', { has: page.getByText('Spans', { exact: true }) });
    await statistic.getByText('1', { exact: true }).waitFor();
    await figure.getByTitle('Filter by truth').focus();
    await page.keyboard.press('Enter');
    await page.locator('[role=menuitem]:focus', { hasText: 'label' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('[role=menuitem]:focus', { hasText: 'score >= 0' }).waitFor();
    await page.keyboard.press('Enter');
    await untilPasses(async () => {
      assert.equal(filter(), "annotations['truth'].label == 'wrong' and annotations['truth'].score >= 0");
    });

    const field = page.getByRole('combobox', { name: 'Filter' });
    await field.fill('docu');
    await page.getByRole('option', { name: /^retrieval\.documents\[0\]\.document\.score/ }).waitFor();
    await page.locator('.filter-box[data-wrong=true]').waitFor();
    assert.equal(await page.locator('.filter-problem').count(), 0, 'nothing lies below the suggestions');
    await page.keyboard.press('Escape');
    await page.locator('.filter-problem').waitFor();
    await field.fill('annotations');
    await page.getByRole('option', { name: /truth.*score/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await untilPasses(async () => {
      assert.equal(await field.inputValue(), "annotations['truth'].score");
    });
    await page.keyboard.type(' >= 1');
    await page.locator('.table-row').nth(2).waitFor();
    await untilPasses(async () => {
      assert.equal(filter(), "annotations['truth'].score >= 1");
    });
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await page.locator('.table-row').nth(8).waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'truth' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'truth', exact: true }).click();
    await page.waitForURL(/annotation%3Ascore%3Atruth%3Adesc/);
    await page.locator('.table-row').nth(4).waitFor({ state: 'detached' });
    const shown = async () =>
      (await page.locator('.table-row').allTextContents()).map((text) => /right|wrong/.exec(text)?.[0]);
    await untilPasses(async () => {
      assert.deepEqual(await shown(), ['right', 'right', 'right', 'wrong']);
    });
    await page.getByRole('button', { name: 'truth', exact: true }).click();
    await page.locator('.table-row').first().getByText('wrong 0.00').waitFor();
    await untilPasses(async () => {
      assert.deepEqual(await shown(), ['wrong', 'right', 'right', 'right']);
    });

    await t.test('a cell shows one of several annotations, and the others on demand', async () => {
      await graphql(
        server.url,
        'mutation ($input: [CreateSpanAnnotationInput!]!) { createSpanAnnotations(input: $input) { __typename } }',
        {
          input: ['wit', 'zest'].map((name) => ({
            spanId: node.spans.edges[0]!.node.id,
            name,
            label: `${name} is fine`,
            annotatorKind: 'HUMAN',
            source: 'APP',
            metadata: {},
          })),
        },
      );
      await page.goto(`${server.url}/projects/${encodeURIComponent(project)}/spans?timeRangeKey=1h&spans=all`);
      await page.getByRole('button', { name: '+2' }).click();
      const others = page.getByRole('dialog', { name: 'Other annotations' });
      await untilPasses(async () => {
        assert.deepEqual(await others.locator('.annotation-chip strong').allTextContents(), [
          'wit is fine',
          'zest is fine',
        ]);
      });
      assert.deepEqual(await seriousViolations(page), []);
      await others.getByTitle('Filter by wit').click();
      await page.getByRole('menuitem', { name: /label == 'wit is fine'/ }).click();
      await page.locator('.table-row').nth(1).waitFor({ state: 'detached' });
      assert.equal(filter(), "annotations['wit'].label == 'wit is fine'");
    });
    assert.deepEqual(pageErrors, []);
  });
});
