import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { seriousViolations } from '../../axe.ts';
import { NO_BROWSER, openBrowser, openPage } from '../../browser.ts';
import { openPageServer } from '../../page-server.ts';
import { graphql, hexId, projectId, seed } from '../../seed.ts';

describe('bulk actions', { skip: NO_BROWSER }, () => {
  test('annotate, export, move and delete', async (t) => {
    const server = await openPageServer(t);
    const spans = Array.from({ length: 20 }, (_, index) => ({
      traceId: hexId((index >> 1) + 1, 16),
      spanId: hexId(index + 1, 8),
      ...(index % 2 === 1 ? { parentSpanId: hexId(index, 8) } : {}),
      name: `span ${index}`,
      start: Date.now() - 1_000 * (index + 1),
      latencyMs: 5,
      attributes: { 'input.value': '=1+1, "quoted"', 'llm.token_count.prompt': 7 },
    }));
    await seed(server.url, 'many', spans);
    await seed(server.url, 'elsewhere', [{ ...spans[0]!, traceId: hexId(99, 16), spanId: hexId(99, 8) }]);
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    const id = await projectId(server.url, 'many');
    const place = `${server.url}/projects/${encodeURIComponent(id)}`;
    const bar = page.getByRole('region', { name: 'Selected rows' });
    const dialog = page.getByRole('dialog');
    const select = async (...rows: number[]) => {
      for (const row of rows) await page.getByLabel('Select row').nth(row).click();
    };
    const fileOf = async (label: string) => {
      await dialog.getByRole('radio', { name: label }).check();
      const waiting = page.waitForEvent('download');
      await dialog.getByRole('button', { name: 'Export' }).click();
      const download = await waiting;
      await dialog.waitFor({ state: 'detached' });
      return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
    };
    await page.goto(`${place}/traces?timeRangeKey=1h`);
    await page.locator('.table-row').nth(9).waitFor();

    await t.test('annotates all rows with the same annotation', async () => {
      await select(0, 1);
      await bar.getByRole('button', { name: 'Annotate' }).click();
      await dialog.getByLabel('Name').fill('verdict');
      await dialog.getByRole('button', { name: 'Annotate 2 traces' }).click();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByLabel('Label').fill('good');
      await dialog.getByLabel('Score').fill('0.75');
      assert.deepEqual(await seriousViolations(page), []);
      await dialog.getByRole('button', { name: 'Annotate 2 traces' }).click();
      await page.getByText('Annotated 2 traces.').waitFor();
      await page.locator('.annotation-chip', { hasText: 'good' }).nth(1).waitFor();
    });

    await t.test('annotates by a config of the project, with its own labels', async () => {
      const created = await graphql<{ createAnnotationConfig: { annotationConfig: { id: string } } }>(
        server.url,
        `mutation ($input: CreateAnnotationConfigInput!) {
           createAnnotationConfig(input: $input) { annotationConfig { ... on CategoricalAnnotationConfig { id } } } }`,
        {
          input: {
            annotationConfig: {
              categorical: { name: 'tone', optimizationDirection: 'NONE', values: [{ label: 'warm', score: 1 }] },
            },
          },
        },
      );
      await graphql(
        server.url,
        `mutation ($input: [AddAnnotationConfigToProjectInput!]!) {
           addAnnotationConfigToProject(input: $input) { __typename } }`,
        { input: [{ projectId: id, annotationConfigId: created.createAnnotationConfig.annotationConfig.id }] },
      );
      await page.reload();
      await select(2, 3, 4);
      await bar.getByRole('button', { name: 'Annotate' }).click();
      await dialog.getByRole('button', { name: 'warm' }).waitFor();
      await dialog.getByRole('button', { name: 'Annotate 3 traces' }).click();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByRole('button', { name: 'warm' }).click();
      assert.deepEqual(await seriousViolations(page), []);
      await dialog.getByRole('button', { name: 'Annotate 3 traces' }).click();
      await page.getByText('Annotated 3 traces.').waitFor();
      await page.locator('.annotation-chip', { hasText: 'warm' }).nth(2).waitFor();
    });

    await t.test('exports the selected spans in each format, and can be stopped', async () => {
      await select(0, 1, 2);
      const open = () => bar.getByRole('button', { name: 'Export' }).click();
      await open();
      assert.deepEqual(await seriousViolations(page), []);
      const lines = await fileOf('JSON lines');
      assert.equal(lines.name, 'many.jsonl');
      const rows = lines.bytes.toString().trim().split('\n');
      assert.equal(rows.length, 6);
      assert.equal(JSON.parse(rows[0]!).attributes['llm.token_count.prompt'], 7);
      await open();
      const csv = await fileOf('CSV');
      assert.match(csv.bytes.toString(), /^trace_id,span_id,/);
      await open();
      const parquet = await fileOf('Parquet');
      assert.equal(parquet.bytes.subarray(0, 4).toString(), 'PAR1');
      await open();
      const otlp = await fileOf('OTLP JSON');
      assert.equal(otlp.name, 'many.otlp.json');
      const again = await fetch(`${server.url}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: otlp.bytes.toString(),
      });
      assert.equal(await again.text(), '{}');
      assert.equal(JSON.parse(otlp.bytes.toString()).resourceSpans[0].scopeSpans[0].spans.length, 6);

      let release = () => {};
      await page.route('**/spans/export', async (route) => {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        await route.abort().catch(() => {});
      });
      await open();
      await dialog.getByRole('button', { name: 'Export' }).click();
      await dialog.getByText('Preparing the file…').waitFor();
      const failed = page.waitForEvent('requestfailed');
      await dialog.getByRole('button', { name: 'Stop' }).click();
      assert.match((await failed).url(), /spans\/export/);
      release();
      await page.unroute('**/spans/export');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Clear', exact: true }).click();
    });

    await t.test('exports all spans that the filter selects', async () => {
      await page.goto(
        `${place}/spans?timeRangeKey=1h&spans=all&spanFilterCondition=${encodeURIComponent("name == 'span 3'")}`,
      );
      await page.locator('.table-row').first().waitFor();
      await page.getByRole('button', { name: 'Export spans' }).click();
      const { bytes } = await fileOf('JSON lines');
      assert.equal(JSON.parse(bytes.toString()).name, 'span 3');
    });

    await t.test('exports more traces than an address can contain', async () => {
      const start = Date.now() - 60_000;
      const crowd = Array.from({ length: 1_700 }, (_, index) => ({
        traceId: hexId(100_000 + index, 16),
        spanId: hexId(100_000 + index, 8),
        name: `one of many ${index}`,
        start: start + index,
        latencyMs: 5,
      }));
      await seed(server.url, 'crowd', crowd);
      const crowdId = encodeURIComponent(await projectId(server.url, 'crowd'));
      await page.goto(`${server.url}/projects/${crowdId}/traces?timeRangeKey=1h`);
      const table = page.getByRole('table', { name: 'Traces' });
      await table.focus();
      for (let attempt = 0; attempt < 100; attempt++) {
        if (Number(await table.getAttribute('aria-rowcount')) > crowd.length) break;
        await page.keyboard.press('End');
        await page.waitForTimeout(50);
      }
      await page.getByLabel('Select all loaded rows').click();
      await bar.getByText('1,700 traces selected').waitFor();
      await bar.getByRole('button', { name: 'Export' }).click();
      const { bytes } = await fileOf('JSON lines');
      assert.equal(bytes.toString().trim().split('\n').length, 1_700);
    });

    await t.test('moves traces to another project', async () => {
      await page.goto(`${place}/traces?timeRangeKey=1h`);
      await select(0, 1);
      await bar.getByRole('button', { name: 'Move' }).click();
      await dialog.getByLabel('Search projects').fill('else');
      await dialog.getByRole('radio', { name: 'elsewhere' }).check();
      assert.deepEqual(await seriousViolations(page), []);
      await dialog.getByRole('button', { name: 'Move 2 traces' }).click();
      await page.getByText('Moved 2 traces to elsewhere.').waitFor();
      await page.locator('.table-row').nth(8).waitFor({ state: 'detached' });
      assert.equal(await countTraces(server.url, 'elsewhere'), 3);
    });

    await t.test('deletes traces after a confirmation with their number', async () => {
      await select(0, 1, 2);
      await bar.getByRole('button', { name: 'Delete' }).click();
      await dialog.getByText('Delete 3 traces?').waitFor();
      await dialog.getByRole('button', { name: 'Delete 3 traces' }).click();
      await page.getByText('Deleted 3 traces.').waitFor();
      await page.locator('.table-row').nth(5).waitFor({ state: 'detached' });
      assert.equal(await countTraces(server.url, 'many'), 5);
    });

    await t.test('shows the error of the server if it rejects an action', async () => {
      await page.getByRole('button', { name: 'Live' }).click();
      await select(0);
      const { traces } = await graphql<{ traces: { spans: { edges: { node: { trace: { id: string } } }[] } } }>(
        server.url,
        'query ($id: ID!) { traces: node(id: $id) { ... on Project { spans(first: 1, rootSpansOnly: true, sort: { col: startTime, dir: desc }) { edges { node { trace { id } } } } } } }',
        { id },
      );
      await graphql(server.url, 'mutation ($ids: [ID!]!) { deleteTraces(traceIds: $ids) { __typename } }', {
        ids: [traces.spans.edges[0]!.node.trace.id],
      });
      await bar.getByRole('button', { name: 'Move' }).click();
      await dialog.getByRole('radio', { name: 'elsewhere' }).check();
      await dialog.getByRole('button', { name: 'Move 1 trace' }).click();
      await dialog.getByRole('alert').getByText('Invalid trace IDs provided').waitFor();
    });

    assert.deepEqual(
      pageErrors.filter((pageError) => !pageError.includes('net::ERR_FAILED')),
      [],
    );
  });
});

async function countTraces(url: string, name: string): Promise<number> {
  const { getProjectByName } = await graphql<{ getProjectByName: { traceCount: number } }>(
    url,
    'query ($name: String!) { getProjectByName(name: $name) { traceCount } }',
    { name },
  );
  return getProjectByName.traceCount;
}
