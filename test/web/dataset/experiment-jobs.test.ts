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
    const { versionId } = await client.createPrompt('support-answer');
    await startSlowJob(url, datasetId, { name: 'of a stored prompt', promptVersionId: versionId });
    const { page, pageErrors } = await openPage(await openBrowser(t), url, { isSingleUse: true });
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

    await t.test('its page names the stored prompt that it ran', async () => {
      const list = page.url();
      await choose('of a stored prompt', 'Show details');
      const task = page.getByRole('region', { name: 'Task' });
      await task.getByRole('link', { name: 'support-answer, version 1' }).waitFor();
      await page.goto(list);
    });

    await t.test('a field that fails leaves the rest of its page, which names what is missing', async () => {
      const list = page.url();
      let isBroken = true;
      await page.route('**/graphql', async (route) => {
        const { operationName } = route.request().postDataJSON() as { operationName: string };
        if (!isBroken || operationName !== 'experimentDetails') return route.continue();
        const result = await (await route.fetch()).json();
        result.data.node.taskJob.taskConfig.prompt.prompt = null;
        const path = ['node', 'taskJob', 'taskConfig', 'prompt', 'prompt', 'name'];
        await route.fulfill({ json: { ...result, errors: [{ message: 'The prompt is broken', path }] } });
      });
      await choose('of a stored prompt', 'Show details');
      const message = page.getByRole('alert').filter({ hasText: 'Could not load prompt: The prompt is broken' });
      await message.waitFor();
      await page.getByRole('region', { name: 'Task' }).getByText('[[latency 60000]]').waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      isBroken = false;
      await message.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('link', { name: 'support-answer, version 1' }).waitFor();
      await message.waitFor({ state: 'detached' });
      await page.unrouteAll();
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
