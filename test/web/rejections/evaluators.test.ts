import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_BROWSER } from '../browser.ts';
import { otherClient } from '../other-client.ts';
import { openPageServer } from '../page-server.ts';
import { hexId, projectId, seed } from '../seed.ts';
import { choose, fill, inOrder, press, pressInDialog } from './acts.ts';
import { dataClient } from './data-client.ts';
import { checkRejections } from './rejections.ts';

const CREATE = `mutation ($input: CreateDatasetBuiltinEvaluatorInput!) {
  createDatasetBuiltinEvaluator(input: $input) { evaluator { id } } }`;
const CREATE_ONLINE = 'mutation ($input: CreateOnlineEvaluatorInput!) { createOnlineEvaluator(input: $input) { id } }';
const MAPPING = { pathMapping: { text: 'output' }, literalMapping: { words: 'yes' } };

const cardOf = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
/** A backfill of few spans ends before the page shows it, so the page gets a response of before. */
const showRunningBackfill = async (page: Page) => {
  await page.route('**/graphql', async (route) => {
    if (route.request().postDataJSON().operationName !== 'onlineEvaluators') return route.continue();
    const response = await route.fetch();
    const body = (await response.json()) as { data: { node: { onlineEvaluators: { backfills: object[] }[] } } };
    const counts = { targetCount: 1, settledCount: 0, failedCount: 0, overBudgetCount: 0 };
    const running = { ...counts, state: 'RUNNING', isSelecting: false, remainingSeconds: null, endedAt: null };
    for (const evaluator of body.data.node.onlineEvaluators) {
      evaluator.backfills = [running];
    }
    await route.fulfill({ response, json: body });
  });
  await page.reload();
};

describe('a rejected change of an evaluator', { skip: NO_BROWSER }, () => {
  test('is reported, and the page continues to work', async (t) => {
    const { url } = await openPageServer(t);
    const other = dataClient(url);
    const { builtInEvaluators } = await other.ask<{ builtInEvaluators: { id: string; name: string }[] }>(
      '{ builtInEvaluators { id name } }',
    );
    const evaluatorId = builtInEvaluators.find(({ name }) => name === 'contains')!.id;
    const datasetId = await other.createDataset('gamma');
    await other.ask(CREATE, { input: { datasetId, evaluatorId, name: 'says-gamma', inputMapping: MAPPING } });
    const start = Date.now() - 5_000;
    const online = new Map<string, string>();
    const goneProject = (name: string) => () => otherClient(url).deleteProject(name);
    for (const [index, name] of ['one', 'two', 'three', 'four', 'five', 'six'].entries()) {
      const [traceId, spanId] = [hexId(index + 1, 16), hexId(index + 1, 8)];
      await seed(url, name, [{ traceId, spanId, name: 'answer', start, latencyMs: 1 }]);
      const id = await projectId(url, name);
      online.set(name, `/projects/${encodeURIComponent(id)}/evaluators`);
      const inputMapping = name === 'six' ? { ...MAPPING, pathMapping: { text: 'output.nothing' } } : MAPPING;
      const input = { projectId: id, evaluatorId, name: 'watch', inputMapping };
      if (name !== 'one') await other.ask(CREATE_ONLINE, { input });
    }
    // A span that fails, which the page can score again.
    const [traceId, spanId] = [hexId(7, 16), hexId(7, 8)];
    await seed(url, 'six', [{ traceId, spanId, name: 'answer', start: Date.now(), latencyMs: 1 }]);

    await checkRejections(t, url, [
      {
        mutation: 'deleteDatasetEvaluators',
        at: `/datasets/${encodeURIComponent(datasetId)}/evaluators`,
        open: choose('Actions for says-gamma', 'Delete evaluator'),
        beforeSubmit: () => other.deleteDataset(datasetId),
        submit: pressInDialog('Delete evaluator'),
      },
      {
        mutation: 'createOnlineEvaluator',
        at: online.get('one')!,
        open: inOrder(
          press('Add evaluator'),
          fill('Name', 'watch'),
          fill('Value of words', 'yes'),
          fill('Path of text', 'output'),
        ),
        beforeSubmit: goneProject('one'),
        submit: pressInDialog('Add evaluator'),
      },
      {
        mutation: 'patchOnlineEvaluator',
        at: online.get('two')!,
        open: (page) => cardOf(page, 'watch').waitFor(),
        beforeSubmit: goneProject('two'),
        submit: (page) => cardOf(page, 'watch').getByRole('checkbox', { name: 'On' }).click(),
      },
      {
        mutation: 'deleteOnlineEvaluator',
        at: online.get('three')!,
        open: choose('Actions for watch', 'Delete evaluator'),
        beforeSubmit: goneProject('three'),
        submit: pressInDialog('Delete evaluator'),
      },
      {
        mutation: 'startOnlineBackfill',
        at: online.get('four')!,
        open: inOrder(choose('Actions for watch', 'Score what has arrived before'), (page) =>
          page.getByRole('dialog').getByText('1 span matches').waitFor(),
        ),
        beforeSubmit: goneProject('four'),
        submit: pressInDialog('Start backfill'),
      },
      {
        mutation: 'stopOnlineBackfill',
        at: online.get('five')!,
        open: async (page) => {
          await showRunningBackfill(page);
          await page.getByRole('button', { name: 'Stop backfill' }).waitFor();
        },
        beforeSubmit: goneProject('five'),
        submit: press('Stop backfill'),
      },
      {
        mutation: 'retryOnlineItems',
        at: online.get('six')!,
        open: async (page) => {
          await cardOf(page, 'watch').locator('.online-counts').getByText('1 failed').waitFor();
          await cardOf(page, 'watch').getByText('Why evaluations failed').click();
          await cardOf(page, 'watch').getByRole('button', { name: 'Score again' }).waitFor();
        },
        beforeSubmit: goneProject('six'),
        submit: (page) => cardOf(page, 'watch').getByRole('button', { name: 'Score again' }).click(),
      },
    ]);
  });
});
