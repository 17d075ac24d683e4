import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { openTestServer } from '../../api/test-server.ts';
import { openVendorEndpoint } from '../../vendor-endpoint/vendor-endpoint.ts';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, openPage } from '../browser.ts';
import { dataClient } from '../rejections/data-client.ts';
import { startSlowJob } from '../rejections/slow-job.ts';

describe('an experiment that the server runs, in the interface', { skip: NO_BROWSER }, () => {
  test('shows its progress and its task, is stopped and resumed, and is downloaded', async (t) => {
    const vendor = await openVendorEndpoint({ after: (close) => t.after(close) });
    const server = await openTestServer(t, {
      variables: { OPENAI_API_KEY: 'sk-server', OPENAI_BASE_URL: `${vendor.url}/v1` },
    });
    const url = server.address;
    const client = dataClient(url);
    const datasetId = await client.createDataset('cases', 3);
    await client.createExperiment(datasetId, 'sent by a client');
    await startSlowJob(url, datasetId);
    const { page, pageErrors } = await openPage(await openBrowser(t), url);
    await page.goto(`${url}/datasets/${encodeURIComponent(datasetId)}/experiments`);
    const row = page.locator('.table-row', { hasText: 'slow' });
    const choose = async (name: string, item: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: item, exact: true }).click();
    };

    await t.test('a running one is stopped and resumed from its menu', async () => {
      const progress = row.getByRole('progressbar', { name: '0 of 3 runs' });
      await progress.and(page.locator('[title*="running"]')).waitFor();
      await choose('slow', 'Stop');
      await page.getByText('slow stops.').waitFor();
      await progress.and(page.locator('[title*="stopped"]')).waitFor();
      // The server rejects a second change of a job for some seconds, in which the page waits and reports nothing.
      await choose('slow', 'Resume');
      await page.getByText('slow runs again.').or(page.locator('.toast.bad')).first().waitFor();
      assert.equal(await page.locator('.toast.bad').count(), 0);
      await page.getByText('slow runs again.').waitFor();
      await progress.and(page.locator('[title*="running"]')).waitFor();
    });

    await t.test('its page shows the task that the server runs', async () => {
      const list = page.url();
      await choose('slow', 'Show details');
      const task = page.getByRole('region', { name: 'Task' });
      await task.getByText('gpt-4o', { exact: true }).waitFor();
      await task.getByText('[[latency 60000]]').waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await page.goto(list);
    });

    await t.test('runs are downloaded as CSV and JSON', async () => {
      for (const [item, pattern] of [
        ['Download CSV', /sent by a client/],
        ['Download JSON', /"output":\s*"sent by a client"/],
      ] as const) {
        const download = page.waitForEvent('download');
        await choose('sent by a client', item);
        assert.match(await readFile(await (await download).path(), 'utf8'), pattern);
      }
    });
    assert.deepEqual(pageErrors, []);
  });
});
