import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentTrace } from '../../agent-trace.ts';
import { seriousViolations } from '../../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../../browser.ts';
import { openPageServer } from '../../page-server.ts';
import { hexId, projectId, seed } from '../../seed.ts';

const TURN_COUNT = 56;

describe('a session', { skip: NO_BROWSER }, () => {
  test('is shown as a conversation with the trace of a turn beside it, or as a list of traces', async (t) => {
    const server = await openPageServer(t);
    const now = Date.now();
    const turns = Array.from({ length: TURN_COUNT }, (_, index) =>
      agentTrace(index + 1, {
        start: now - (TURN_COUNT - index) * 20_000,
        session: 'long',
        answer: `answer ${index + 1}`,
      }),
    );
    await seed(server.url, 'talks', [
      ...turns.flat(),
      ...agentTrace(900, { start: now - 9_000_000, session: 'short' }),
    ]);
    const browser = await openBrowser(t);
    const place = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, 'talks'))}`;
    const { page, pageErrors } = await openPage(browser, server.url);
    await page.goto(`${place}/sessions?timeRangeKey=1d`);
    const filter = page.getByRole('combobox', { name: 'Filter' });
    await filter.fill('num_tr');
    await page.getByRole('option', { name: /^num_traces_with_error/ }).waitFor();
    await filter.fill('any(t.lat');
    await page.getByRole('option', { name: /^t\.latency_ms/ }).click();
    await untilPasses(async () => {
      assert.equal(await filter.inputValue(), 'any(t.latency_ms');
    });
    await filter.fill('num_traces == 1');
    await page.locator('.table-row', { hasText: 'long' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await page.getByRole('link', { name: 'long' }).click();
    await page.locator('.turn').first().waitFor();
    const session = page.url();

    await t.test('turns show their aggregates in order, and the header shows the totals', async () => {
      await untilPasses(async () => {
        assert.match(
          (await page.locator('.turn > header').first().textContent()) ?? '',
          /^1.*6\.4s1,738 tokens<\$0\.01.*1 error/,
        );
        assert.match(
          (await page.locator('.trace-facts').textContent()) ?? '',
          /Turns56.*P506\.4s.*Tokens97,328.*Cost\$0\.0/,
        );
        assert.deepEqual((await page.locator('.bubble.answered').allTextContents()).slice(0, 3), [
          'answer 1',
          'answer 2',
          'answer 3',
        ]);
      });
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('more turns are loaded on demand, and the list links to each turn', async () => {
      await untilPasses(async () => {
        assert.equal(await page.locator('.turn').count(), 50);
      });
      await page.getByRole('button', { name: '6 more turns' }).click();
      await page.locator('.turn').nth(55).waitFor();
      await page.getByRole('navigation', { name: 'Turns' }).getByRole('button').nth(39).click();
      await page.locator('.bubble.answered', { hasText: 'answer 40' }).waitFor();
      const top = (await page.locator('.turn').nth(39).boundingBox())!.y;
      assert(top < 400, `the turn is in sight, ${top} px below the top`);
    });

    await t.test('the trace of a turn opens beside it, is in the address, and Escape closes it alone', async () => {
      await page
        .locator('.turn')
        .nth(1)
        .getByRole('button', { name: /16 spans/ })
        .click();
      const beside = page.getByRole('complementary', { name: 'Trace' });
      await beside.locator('.tree-row', { hasText: 'decide' }).waitFor();
      assert.match(page.url(), new RegExp(`selectedTraceId=${hexId(2, 16)}`));
      await beside.getByText('answer 2').waitFor();
      await page.reload();
      await beside.locator('.tree-row', { hasText: 'decide' }).waitFor();
      await page.locator('.turn > header').nth(1).getByText('<$0.01').waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await page.keyboard.press('Escape');
      await beside.waitFor({ state: 'detached' });
      assert.equal((await page.locator('.turn').count()) > 0, true);
    });

    await t.test('a trace links to its turn, even if that is not loaded yet', async () => {
      await page.goto(`${place}/traces/${hexId(56, 16)}`);
      await page.getByRole('link', { name: 'long' }).click();
      await page.locator('.bubble.answered', { hasText: 'answer 56' }).waitFor();
    });

    await t.test('traces are listed with the selected one beside the list', async () => {
      await page.goto(session);
      await page.getByRole('button', { name: 'Traces' }).click();
      const list = page.getByRole('navigation', { name: 'Traces of the session' });
      await list.getByRole('button').nth(3).click();
      await page.getByRole('complementary', { name: 'Trace' }).getByText('answer 4').waitFor();
      assert.match(page.url(), /sessionView=traces/);
      await untilPasses(async () => {
        assert.match((await list.getByRole('button').nth(3).textContent()) ?? '', /<\$0\.01.*16 spans6\.4s$/);
      });
    });

    await t.test('J and K step between sessions', async () => {
      await page.goto(`${place}/sessions?timeRangeKey=1d`);
      await page.locator('.table-row', { hasText: 'long' }).locator('span').nth(2).click();
      await page.getByRole('heading', { name: 'long' }).waitFor();
      await page.getByRole('button', { name: 'Next', exact: true }).waitFor();
      await page.keyboard.press('j');
      await page.getByRole('heading', { name: 'short' }).waitFor();
      await page.keyboard.press('k');
      await page.getByRole('heading', { name: 'long' }).waitFor();
    });

    assert.deepEqual(pageErrors, []);
  });
});
