import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { ATTACKS } from '../attacks.ts';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses, untilRows } from '../browser.ts';
import { openPageServer } from '../page-server.ts';
import { type SeedExample, type SeededDataset, seedExperiments } from './seed-experiments.ts';

const COUNT = 24;
const attackAt = (index: number): string => ATTACKS[index % ATTACKS.length]!.replaceAll('\u0000', '');

const examples: readonly SeedExample[] = Array.from({ length: COUNT }, (_, index) => ({
  id: `case-${index + 1}`,
  input: { question: `Question ${index + 1} ${attackAt(index)}` },
  output: { answer: 'Yes, within 30 days.' },
  metadata: { topic: index % 2 === 0 ? 'returns' : 'billing', note: attackAt(index) },
  ...(index % 3 === 0 ? { split: 'hard' } : {}),
}));

/** The second experiment is worse on returns, has two repetitions, an error and no run of the last example. */
const seedComparison = (url: string): Promise<SeededDataset> =>
  seedExperiments(url, 'Support questions', examples, [
    {
      name: 'baseline',
      run: (index) => ({
        output: { answer: `Yes, within 30 days. ${attackAt(index)}` },
        latencyMs: 1_000,
        scores: [{ name: 'correctness', score: 1, label: 'correct' }],
      }),
    },
    {
      name: `short ${ATTACKS[0]}`,
      repetitions: 2,
      run: (index, repetition) =>
        index === COUNT - 1
          ? undefined
          : index === 1
            ? { error: `RateLimitError ${ATTACKS[1]}`, latencyMs: 20_000 }
            : {
                output: { answer: `Yes, within 14 days. Answer ${repetition}.` },
                latencyMs: 400,
                scores: [
                  {
                    name: 'correctness',
                    score: index % 2 === 0 ? 0 : 1,
                    label: index % 2 === 0 ? 'wrong' : 'correct',
                    explanation: `Because ${ATTACKS[4]}`,
                    traceId: '0af7651916cd43dd8448eb211c80319c',
                  },
                ],
                traceId: '0af7651916cd43dd8448eb211c80319d',
              },
    },
    { name: 'third', run: () => ({ output: 'Yes.', latencyMs: 900, scores: [{ name: 'correctness', score: 1 }] }) },
  ]);

const rowTexts = (page: Page): Promise<string[]> => page.locator('.table-row:not(.waiting)').allTextContents();

/** The first row, once the table shows the rows of the current address. */
async function firstRow(page: Page, pattern: RegExp): Promise<void> {
  await page.locator('.table-row').first().filter({ hasText: pattern }).waitFor();
}

describe('the comparison of experiments', { skip: NO_BROWSER }, () => {
  test('shows measures, rows and whole outputs, and keeps its state in the address', async (t) => {
    const server = await openPageServer(t);
    const { datasetId, experimentIds } = await seedComparison(server.url);
    const [baseline, short, third] = experimentIds as [string, string, string];
    const path = `${server.url}/datasets/${encodeURIComponent(datasetId)}/compare`;
    const browser = await openBrowser(t);
    const watched = await openPage(browser, server.url);
    const { page, pageErrors } = watched;
    const search = () => new URL(page.url()).searchParams;

    await t.test('prompts for experiments while there are none', async () => {
      await page.goto(path);
      await page.getByRole('heading', { name: 'Choose experiments to compare' }).waitFor();
      await page.getByRole('group', { name: 'Compared experiments' }).getByRole('button').click();
      await page.getByRole('dialog', { name: 'Add experiment' }).getByText('baseline').click();
      await page.getByRole('heading', { name: 'Choose another experiment' }).waitFor();
      assert.deepEqual(search().getAll('experiment'), [baseline]);
    });

    await t.test('takes the links of clients and sorts by the largest regression', async () => {
      await page.goto(`${path}?experimentId=${baseline}&experimentId=${short}&experimentId=${third}`);
      await untilRows(watched);

      assert.deepEqual(search().getAll('experiment'), [baseline, short, third]);
      assert.equal(search().has('experimentId'), false);
      await untilPasses(async () => {
        const rows = await rowTexts(page);
        assert.match(rows[0]!, /wrong▼/);
        assert.match(
          (await page.locator('.sort-choice option:checked').textContent()) ?? '',
          /Largest regression on correctness/,
        );
      });
    });

    await t.test('shows repetitions, errors, missing runs and differences in cells', async () => {
      const first = page.locator('.table-row').first();
      await first.getByText('Answer 1.').waitFor();
      await first.getByRole('button', { name: 'Next repetition' }).click();
      await first.getByText('Answer 2.').waitFor();
      await page.getByRole('button', { name: 'JSON' }).click();
      await first.getByText('"answer": "Yes, within 14 days.').waitFor();
      await page.getByRole('button', { name: 'Diff' }).click();
      await untilPasses(async () => {
        assert.equal(await first.locator('del').first().textContent(), '30');
        assert.equal(await first.locator('ins').first().textContent(), '14');
      });
      assert.equal(search().get('cells'), 'diff');
      await page.getByRole('button', { name: 'Missing runs' }).click();
      await firstRow(page, /case-24.*No run/);
      await page.getByRole('button', { name: 'Missing runs' }).click();
      await page.getByRole('button', { name: 'Errors' }).click();
      await firstRow(page, /case-2Question.*RateLimitError/);
      await page.getByRole('button', { name: 'Clear all' }).click();
    });

    await t.test('filters by quick filters, conditions and texts, and Back removes a filter', async () => {
      await page.getByLabel('Regressed on').selectOption({ label: 'correctness' });
      await page.getByText('12 examples').waitFor();
      await page.getByLabel('Split').selectOption({ label: 'hard' });
      await page.getByText('4 examples').waitFor();
      await page.goBack();
      await page.getByText('12 examples').waitFor();
      await page.getByRole('combobox', { name: 'Filter' }).fill("metadata['topic'] == 'billing'");
      await page.getByRole('heading', { name: 'No example matches the filters' }).waitFor();
      await page.getByRole('button', { name: 'Clear the filters' }).click();
      await page.getByRole('searchbox', { name: /Search inputs/ }).fill('question 7 ');
      await firstRow(page, /case-7/);
      await page.getByText('1 examples').waitFor();
      await page.goto(
        `${path}?${new URLSearchParams([...experimentIds.map((id) => ['experiment', id] as [string, string]), ['sort', 'position']])}`,
      );
      await firstRow(page, /case-1/);
    });

    await t.test('exports the rows of the filter, and a report', async () => {
      await page.getByRole('button', { name: 'Missing runs' }).click();
      await firstRow(page, /case-24/);
      const download = async (item: string) => {
        const started = page.waitForEvent('download');
        await page.getByRole('button', { name: 'Export' }).click();
        await page.getByRole('menuitem', { name: item }).click();
        const file = await started;
        return readFileSync(await file.path(), 'utf8');
      };
      const lines = (await download('Rows of the grid as CSV')).trim().split('\n');
      assert.equal(lines.filter((line) => line.includes('Question ')).length, 1, 'only the row of the filter');
      assert.match(await download('Report as one HTML file'), /<html/);
      await page.getByRole('button', { name: 'Clear all' }).click();
      await firstRow(page, /case-1/);
    });

    await t.test('is used by keyboard: rows, experiments, an example, and back', async () => {
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.keyboard.press('l');
      await page.keyboard.press('Enter');
      const panel = page.getByRole('region', { name: 'Runs side by side' });
      await panel.getByRole('heading', { name: 'case-2' }).waitFor();
      await panel.locator('.run-column[aria-current=true]', { hasText: 'short' }).waitFor();
      await untilPasses(async () => {
        assert.match((await panel.locator('.run-column').nth(1).textContent()) ?? '', /RateLimitError/);
      });
      await page.keyboard.press('j');
      await panel.getByRole('heading', { name: 'case-3' }).waitFor();
      await panel.getByText('Yes, within 14 days. Answer 1.').waitFor();
      const links = await panel
        .locator('.run-column')
        .nth(1)
        .getByRole('link')
        .evaluateAll((all) => all.map((each) => each.getAttribute('href')));
      assert.deepEqual(
        links.map((href) => href?.split('/').at(-1)),
        ['0af7651916cd43dd8448eb211c80319d', '0af7651916cd43dd8448eb211c80319c'],
      );
      await panel
        .getByRole('combobox', { name: 'Order of the columns' })
        .selectOption({ label: 'Best correctness first' });
      await panel.locator('.run-column').nth(2).filter({ hasText: 'short' }).waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await panel.getByRole('group', { name: 'Shown experiments' }).getByRole('button').last().click();
      await panel.locator('.run-column', { hasText: 'short' }).getByRole('button', { name: 'Next repetition' }).click();
      await panel.getByText('Yes, within 14 days. Answer 2.').waitFor();
      assert.deepEqual([search().get('hidden'), search().get('repetitions')], [third, `${short}:2`]);
      await page.reload();
      await panel.getByText('Yes, within 14 days. Answer 2.').waitFor();
      await untilPasses(async () => {
        assert.equal(await panel.locator('.run-column').count(), 2);
      });
      await panel.getByRole('group', { name: 'Shown experiments' }).getByRole('button').last().click();
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'detached' });
      assert.equal(search().has('exampleId'), false);
    });

    await t.test('summarizes measures, shows where it got worse, and links there', async () => {
      await page.getByRole('link', { name: 'Summary' }).click();
      const card = page.getByRole('region', { name: 'correctness', exact: true });
      await card.waitFor();
      // Improved, equal and regressed examples: the second experiment is wrong on 12, and has no answer on two.
      await untilPasses(async () => {
        assert.match((await card.textContent()) ?? '', /▲0\s*=10\s*▼12/);
        assert.match((await page.locator('.verdict-card').first().textContent()) ?? '', /worse on correctness/i);
      });
      await page.getByRole('combobox', { name: 'Metadata key' }).selectOption('topic');
      const heat = page.getByRole('region', { name: 'By metadata', exact: true });
      const field = heat
        .getByRole('row', { name: /returns/ })
        .locator('a.is-worse')
        .first();
      await field.waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await field.click();
      await page.getByText('12 examples').waitFor();
      assert.equal(search().get('runFilterCondition'), "metadata['topic'] == 'returns'");
      assert.equal(search().get('of'), short);
    });

    await t.test('changes the baseline, and removes an experiment', async () => {
      await page.getByRole('button', { name: /^B short/ }).click();
      await page.getByRole('menuitem', { name: 'Make the baseline' }).click();
      await page.getByRole('button', { name: /^A short.* baseline$/ }).waitFor();
      await page.getByRole('button', { name: /^C third/ }).click();
      await page.getByRole('menuitem', { name: 'Remove from the comparison' }).click();
      await page.getByRole('button', { name: 'Swap the baseline' }).click();
      await page.getByRole('button', { name: /^A baseline ?baseline$/ }).waitFor();
      assert.deepEqual(search().getAll('experiment'), [baseline, short]);
    });

    await t.test('lists the runs of one experiment with sortable scores and their means', async () => {
      await page.goto(`${path}?experiment=${short}&view=list`);
      await untilRows(watched);
      await page
        .getByRole('columnheader', { name: /correctness ⌀ 0\.\d+/ })
        .getByRole('button')
        .click();
      await firstRow(page, /correct 1/);
      assert.equal(search().get('listSort'), 'desc:score:correctness');
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('explains an unknown view, and an experiment that is deleted while it is shown', async () => {
      await page.goto(`${path}?experiment=${baseline}&experiment=${short}&view=pie`);
      await page.getByRole('heading', { name: 'There is no view with this name' }).waitFor();
      await page.getByRole('link', { name: 'Show the summary' }).click();
      await page.getByRole('region', { name: 'correctness', exact: true }).waitFor();
      await page.goto(`${path}?experiment=${baseline}&experiment=${third}&experiment=${short}`);
      await untilRows(watched);
      const deleted = await fetch(`${server.url}/v1/experiments/${third}`, { method: 'DELETE' });
      assert.equal(deleted.status, 204);
      await page.getByRole('button', { name: 'Errors' }).click();
      await page.getByRole('heading', { name: 'An experiment does not exist' }).waitFor();
      await page.getByRole('button', { name: 'Remove it from the comparison' }).click();
      await untilRows(watched);
      assert.deepEqual(search().getAll('experiment'), [baseline, short]);
    });

    await t.test('annotates runs by keys without naming the experiments, then reveals them', async () => {
      const labels = { type: 'CATEGORICAL', name: 'quality', optimization_direction: 'MAXIMIZE' };
      const values = [
        { label: 'good', score: 1 },
        { label: 'bad', score: 0 },
      ];
      const created = await fetch(`${server.url}/v1/annotation_configs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...labels, values }),
      });
      assert.equal(created.status, 200, await created.text());
      await page.goto(`${path}?experiment=${baseline}&experiment=${short}&sort=position`);
      await firstRow(page, /case-1/);
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      const panel = page.getByRole('region', { name: 'Runs side by side' });
      await panel.getByRole('button', { name: 'Blind' }).click();
      await panel.locator('.run-column').nth(1).filter({ hasText: 'Answer 2' }).waitFor();
      const shown = await panel.locator('.side-columns').textContent();
      assert.doesNotMatch(shown ?? '', /baseline|correctness|short </, 'names and scores are hidden');
      const quality = panel.getByRole('group', { name: 'quality' });
      await quality.getByRole('button', { name: /good/ }).focus();
      await page.keyboard.press('1');
      await quality.getByText('Saved').waitFor();
      await page.keyboard.press('r');
      await panel.locator('.run-scores').getByText('you').first().waitFor();
      await panel.locator('.run-column', { hasText: 'baseline' }).waitFor();
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('collects preferences between two outputs and shows the win rate at the end', async () => {
      await page.goto(`${path}?experiment=${baseline}&experiment=${short}&sort=position&search=question 2`);
      await firstRow(page, /case-2/);
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      const panel = page.getByRole('region', { name: 'Runs side by side' });
      await panel.getByRole('button', { name: 'Prefer' }).click();
      for (const [at, key] of ['1', 'b', 't', '2'].entries()) {
        await panel.getByRole('button', { name: 'Left is better' }).and(page.locator(':enabled')).waitFor();
        await page.keyboard.press(key);
        await panel.getByText(`${at + 1} of 6 pairs`).waitFor();
      }
      await page.keyboard.press('k');
      await panel.getByText('Your preference is stored.').waitFor();
      await untilPasses(async () => {
        assert.equal(await panel.getByRole('button', { name: 'Right is better' }).getAttribute('aria-pressed'), 'true');
      });
      assert.deepEqual(await seriousViolations(page), []);
      await page.keyboard.press('x');
      await panel.getByText('3 of 6 pairs').waitFor();
      await panel.getByText('Your preference is stored.').waitFor({ state: 'detached' });
      await page.keyboard.press('2');
      await panel.getByText('4 of 6 pairs').waitFor();
      await panel.getByRole('button', { name: 'Finish and show the result' }).click();
      await panel.getByText(/3 decided preferences/).waitFor();
      await page.getByRole('link', { name: 'Summary' }).click();
      await page.getByRole('region', { name: 'Preferences of people' }).waitFor();
      await page.getByRole('region', { name: 'quality (people)' }).waitFor();
    });

    await t.test('fits small windows and both themes', async () => {
      for (const [view, width, theme] of [
        ['metrics', 420, 'dark'],
        ['grid', 1024, 'dark'],
        ['grid', 420, 'light'],
      ] as const) {
        await page.setViewportSize({ width, height: 860 });
        await page.emulateMedia({ colorScheme: theme });
        await page.goto(`${path}?experiment=${baseline}&experiment=${short}&view=${view}`);
        await page
          .locator(view === 'grid' ? '.table-row:not(.waiting)' : '.measure-card')
          .first()
          .waitFor();
        assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
        assert.deepEqual(await seriousViolations(page), [], `${view} ${theme} ${width}`);
      }
    });
    assert.deepEqual(pageErrors, []);
  });
});
