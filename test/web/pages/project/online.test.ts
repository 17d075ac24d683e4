import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openOnlineJudge, spansToJudge } from '../../../api/graphql/online-judge.ts';
import { seriousViolations } from '../../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../../browser.ts';
import { openPageServer } from '../../page-server.ts';
import { graphql } from '../../seed.ts';

const hex = (index: number, length: number) => index.toString(16).padStart(length, '0');

/** Spans of one trace each; two of three say "refund". */
async function sendSpans(url: string, from: number, count: number): Promise<void> {
  const time = new Date().toISOString();
  const data = Array.from({ length: count }, (_, offset) => ({
    name: 'answer',
    context: { trace_id: hex(from + offset, 32), span_id: hex(from + offset, 16) },
    span_kind: 'LLM',
    start_time: time,
    end_time: time,
    status_code: 'OK',
    attributes: { 'input.value': 'question', 'output.value': offset % 3 === 0 ? 'no' : 'a refund is due' },
  }));
  const response = await fetch(`${url}/v1/projects/online/spans`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data }),
  });
  assert.equal(response.status, 202);
}

describe('online evaluators in the interface', { skip: NO_BROWSER }, () => {
  test('are added, counted, repaired and deleted', async (t) => {
    const server = await openPageServer(t);
    await sendSpans(server.url, 1, 3);
    let projectId = '';
    while (projectId === '') {
      const { getProjectByName: found } = await graphql<{
        getProjectByName: { id: string; traceCount: number } | null;
      }>(server.url, '{ getProjectByName(name: "online") { id traceCount } }', {});
      if (found?.traceCount === 3) projectId = found.id;
    }
    const { page, pageErrors } = await openPage(await openBrowser(t), server.url);
    const dialog = page.getByRole('dialog');
    const card = page.getByRole('article', { name: 'mentions-refund' });
    const counts = card.locator('.online-counts');
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'Actions for mentions-refund' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };

    await t.test('an evaluator is added, and an empty tab names the next step', async () => {
      await page.goto(`${server.url}/projects/${encodeURIComponent(projectId)}/evaluators`);
      await page.getByRole('heading', { name: 'No evaluator annotates this project' }).waitFor();
      await page.getByRole('button', { name: 'Add evaluator' }).click();
      await dialog.getByLabel('Name').fill('mentions-refund');
      await page.keyboard.press('Escape');
      const question = page.getByRole('dialog', { name: 'Discard your input?' });
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
      assert.equal(await dialog.getByLabel('Name').inputValue(), 'mentions-refund');
      await dialog.getByLabel('Value of words').fill('refund');
      await dialog.getByLabel('Path of text').fill('output.nothing');
      assert.deepEqual(await seriousViolations(page), []);
      await dialog.getByLabel('Sample, percent of traces').fill('0');
      await dialog.getByRole('button', { name: 'Add evaluator' }).click();
      await dialog.getByText('more than 0 and at most 100 percent').waitFor();
      await dialog.getByLabel('Sample, percent of traces').fill('100');
      await dialog.getByText('calls no model, so it needs no budget').waitFor();
      assert.equal(await dialog.getByLabel('Model calls a day').count(), 0);
      await dialog.getByRole('button', { name: 'Add evaluator' }).click();
      await card.getByText('All spans').waitFor();
      // The button of the empty tab is gone.
      await untilPasses(async () => {
        assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'mentions-refund');
      });
      // A built-in evaluator calls no model, so no budget applies.
      assert.equal(await card.getByText('Budget', { exact: true }).count(), 0);
    });

    await t.test('failures are grouped by error, and scored again after a repair', async () => {
      await sendSpans(server.url, 100, 3);
      await counts.getByText('3 failed').waitFor();
      await card.getByText('Why evaluations failed').click();
      await card.getByText("'output.nothing' for key 'text' did not match any values").waitFor();
      await card.getByText('each time').waitFor();
      // No evaluation has come to a result yet, but a built-in evaluator calls no model anyway.
      await choose('Score what has arrived before');
      await dialog.getByText('6 spans match. No model is called.').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await choose('Edit evaluator');
      await dialog.getByLabel('Path of text').fill('output');
      await dialog.getByRole('button', { name: 'Save evaluator' }).click();
      await dialog.waitFor({ state: 'detached' });
      await card.getByRole('button', { name: 'Score again' }).click();
      await counts.getByText('3 scored').waitFor();
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('a backfill shows an estimate, and scores what arrived before', async () => {
      await choose('Score what has arrived before');
      await dialog.getByText('6 spans match. No model is called.').waitFor();
      await dialog.getByText(/^It takes about \d+\S*\.$/).waitFor();
      await dialog.getByRole('button', { name: 'Start backfill' }).click();
      // Another version than the one that scored three of them.
      await counts.getByText('9 scored').waitFor();
      await card.getByText('The last backfill evaluated 6 spans.').waitFor();
    });

    await t.test('a switch turns it off, and it is deleted', async () => {
      await card.getByRole('checkbox', { name: 'On' }).click();
      await card.getByText('Off', { exact: true }).waitFor();
      await choose('Delete evaluator');
      await page.getByRole('button', { name: 'Delete evaluator' }).last().click();
      await page.getByRole('heading', { name: 'No evaluator annotates this project' }).waitFor();
    });
    assert.deepEqual(pageErrors, []);
  });

  test('a backfill shows how far it is and how much time is left, and is stopped', async (t) => {
    const { server, projectId, addEvaluator } = await openOnlineJudge(t);
    // Fewer slow calls than run at the same time, so that the others come to an end. The slow ones outlast the test.
    const outputs = [...Array(25).fill('[[label good]]'), ...Array(15).fill('[[latency 600000]]')];
    await server.append(...spansToJudge(outputs));
    await addEvaluator();
    const { page, pageErrors } = await openPage(await openBrowser(t), server.address);
    await page.goto(`${server.address}/projects/${encodeURIComponent(projectId)}/evaluators`);
    await page.getByRole('button', { name: 'Actions for quality' }).click();
    await page.getByRole('menuitem', { name: 'Score what has arrived before' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('40 spans match. Calls and cost are not known before the first evaluation.').waitFor();
    await dialog.getByText('How long it takes is not known before the first evaluation.').waitFor();
    await dialog.getByRole('button', { name: 'Start backfill' }).click();

    const backfill = page.getByRole('region', { name: 'Backfill' });
    await backfill.getByText(/Backfill: 25 of 40 spans evaluated, about \d+.* left/).waitFor();
    assert.deepEqual(
      [
        await backfill.getByRole('progressbar').getAttribute('value'),
        await backfill.getByRole('progressbar').getAttribute('max'),
      ],
      ['25', '40'],
    );
    assert.deepEqual(await seriousViolations(page), []);
    await backfill.getByRole('button', { name: 'Stop backfill' }).click();
    await page.getByText('The last backfill was stopped after 25 of 40 spans.').waitFor();
    await backfill.waitFor({ state: 'detached' });
    assert.deepEqual(pageErrors, []);
  });

  test('a backfill says on how many days the budget allows it, and what is over the budget is scored again', async (t) => {
    const { server, projectId, addEvaluator } = await openOnlineJudge(t);
    await server.append(...spansToJudge(Array(12).fill('[[label good]]')));
    const id = await addEvaluator();
    const limitTo = (dailyCallCountMax: number | null) =>
      server.ask('mutation ($input: PatchOnlineEvaluatorInput!) { patchOnlineEvaluator(input: $input) { id } }', {
        input: { id, dailyCallCountMax },
      });
    await limitTo(5);
    const { page, pageErrors } = await openPage(await openBrowser(t), server.address);
    const dialog = page.getByRole('dialog');
    const openDialog = async () => {
      await page.goto(`${server.address}/projects/${encodeURIComponent(projectId)}/evaluators`);
      await page.getByRole('button', { name: 'Actions for quality' }).click();
      await page.getByRole('menuitem', { name: 'Score what has arrived before' }).click();
    };

    await openDialog();
    await dialog
      .getByText(
        'The budget of today (UTC) is enough for about 5 spans. The others will be over the budget. All of them take about 3 days',
      )
      .waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await dialog.getByRole('button', { name: 'Start backfill' }).click();
    await page.getByText('The last backfill evaluated 12 spans; 7 were over the budget.').waitFor();

    await limitTo(8);
    await openDialog();
    await dialog.getByText(/enough for about 3 spans, which take about \d+\S*\. .* take about 3 days/).waitFor();
    await limitTo(5);
    await openDialog();
    await dialog.getByText(/^The budget of today \(UTC\) is used up\. .* take about 4 days/).waitFor();
    await limitTo(0);
    await openDialog();
    await dialog.getByText('The budget allows no evaluation. Edit the evaluator to raise it.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await limitTo(null);
    await page.getByRole('button', { name: 'Score again' }).click();
    await page.locator('.online-counts').getByText('12 scored').waitFor();
    await page.getByText(/^The last backfill evaluated 12 spans\./).waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    assert.deepEqual(pageErrors, []);
  });
});
