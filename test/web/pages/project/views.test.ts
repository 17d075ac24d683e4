import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ATTACKS } from '../../attacks.ts';
import { seriousViolations } from '../../axe.ts';
import { closePage, NO_BROWSER, openBrowser, openPage, untilPasses } from '../../browser.ts';
import { openPageServer } from '../../page-server.ts';
import { hexId, projectId, seed } from '../../seed.ts';

describe('the view of a table', { skip: NO_BROWSER }, () => {
  test('is changed by pointer and by keyboard, saved under a name, and opened from its address', async (t) => {
    const server = await openPageServer(t);
    const spans = Array.from({ length: 30 }, (_, index) => ({
      traceId: hexId(index + 1, 16),
      spanId: hexId(index + 1, 8),
      name: `span ${index}`,
      start: Date.now() - 1_000 * (index + 1),
      latencyMs: 5,
      isError: index % 3 === 0,
      attributes: { 'input.value': `line one of ${index}\nline two\nline three` },
    }));
    await seed(server.url, 'views', spans);
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    const place = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, 'views'))}/spans`;
    const heads = async () =>
      (await page.getByRole('columnheader').allTextContents()).map((text) => text.trim()).filter((text) => text !== '');
    const head = (name: string) => page.getByRole('columnheader', { name });
    await page.goto(`${place}?timeRangeKey=1h`);
    await page.locator('.table-row').first().waitFor();

    await t.test('a column is moved by dragging, or by Alt and the arrow keys', async () => {
      await untilPasses(async () => {
        assert.deepEqual((await heads()).slice(0, 5), ['Status', 'Kind', 'Name', 'Input', 'Output']);
      });
      await head('Input').dragTo(head('Kind'), { targetPosition: { x: 10, y: 10 } });
      await untilPasses(async () => {
        assert.deepEqual((await heads()).slice(0, 5), ['Status', 'Input', 'Kind', 'Name', 'Output']);
      });
      await page.getByRole('button', { name: 'Started' }).focus();
      await page.keyboard.press('Alt+ArrowLeft');
      await untilPasses(async () => {
        assert.deepEqual((await heads()).slice(-2), ['Started', 'Cost']);
      });
    });

    await t.test('the edge of a column resizes it by keyboard', async () => {
      const before = (await head('Latency').boundingBox())!.width;
      await page.getByRole('separator', { name: 'Width of Latency' }).focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await untilPasses(async () => {
        assert.equal(Math.round((await head('Latency').boundingBox())!.width - before), 32);
      });
    });

    await t.test('rows can have three lines', async () => {
      const before = (await page.locator('.table-row').first().boundingBox())!.height;
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('checkbox', { name: 'Wrap text to three lines' }).click();
      await page.keyboard.press('Escape');
      await untilPasses(async () => {
        assert.equal((await page.locator('.table-row').first().boundingBox())!.height, before + 36);
      });
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('Shift selects a range of rows by pointer and by keyboard', async () => {
      await page.getByLabel('Select row').nth(1).click();
      await page
        .getByLabel('Select row')
        .nth(4)
        .click({ modifiers: ['Shift'] });
      await page.getByText('4 spans selected').waitFor();
      await page.locator('.table').focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('x');
      await page.getByText('5 spans selected').waitFor();
      await page.getByLabel('Select all loaded rows').click();
      await page.getByText('30 spans selected').waitFor();
      await page.getByRole('button', { name: 'Clear', exact: true }).click();
    });

    await t.test('a saved view opens from its address alone in another browser', async () => {
      await page.getByRole('combobox', { name: 'Filter' }).fill("status_code == 'ERROR'");
      await page.waitForURL(/ERROR/);
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('textbox', { name: 'View name' }).fill('What failed');
      assert.deepEqual(await seriousViolations(page), []);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('What failed saved.').waitFor();

      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('button', { name: 'What failed', exact: true }).click();
      await page.waitForURL(/view=/);
      const id = new URL(page.url()).searchParams.get('view') ?? '';
      const other = await openPage(browser, server.url);
      await other.page.goto(`${place}?view=${encodeURIComponent(id)}`);
      await other.page.waitForURL(/ERROR/);
      // Rows without the filter may have come first.
      await other.page.locator('.table-row').nth(10).waitFor({ state: 'detached' });
      await other.page.locator('.table-row').nth(9).waitFor();
      await untilPasses(async () => {
        assert.equal(await other.page.locator('.table-row').count(), 10);
        assert.deepEqual(
          (await other.page.getByRole('columnheader').allTextContents()).map((text) => text.trim()).slice(1, 4),
          ['Status', 'Input', 'Kind'],
        );
        assert.equal((await other.page.locator('.table-row').first().boundingBox())!.height, 62);
      });
      assert.deepEqual(other.pageErrors, []);
      await closePage(other.page);
    });

    await t.test('a name may be any text; a view is replaced and deleted', async () => {
      for (const attack of ATTACKS.slice(0, 3)) {
        await page.getByRole('button', { name: 'What failed' }).click();
        await page.getByRole('textbox', { name: 'View name' }).fill(attack);
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText(`${attack} saved.`).waitFor();
      }
      await page.getByRole('button', { name: 'What failed' }).click();
      await page.getByRole('button', { name: 'Replace' }).waitFor();
      await page.getByRole('button', { name: 'Delete What failed' }).click();
      await page
        .getByRole('dialog', { name: 'Delete What failed?' })
        .getByRole('button', { name: 'Delete view' })
        .click();
      await page.getByText('What failed deleted.').waitFor();
      await page.getByRole('button', { name: 'Views' }).click();
      const views = page.getByRole('list', { name: 'Saved views' }).getByRole('listitem');
      await views.nth(2).waitFor();
      await untilPasses(async () => {
        assert.equal(await views.count(), 3);
      });
    });

    await t.test('a filter that was used is suggested again', async () => {
      await page.goto(`${place}?timeRangeKey=1h&spanFilterCondition=${encodeURIComponent("name == 'span 3'")}`);
      // A filter is stored when it has been applied for some seconds.
      await untilPasses(async () => {
        const stored = (await page.evaluate(
          "Object.entries(localStorage).filter(([key]) => key.startsWith('spandrel.filters.')).join()",
        )) as string;
        assert.match(stored, /span 3/);
      });
      await page.getByRole('button', { name: 'Clear filter' }).click();
      await page.locator('.table-row').nth(5).waitFor();
      await page.getByRole('combobox', { name: 'Filter' }).click();
      await page.getByRole('option', { name: /name == 'span 3'/ }).click();
      await page.waitForURL(/span\+3/);
      await page.locator('.table-row').nth(1).waitFor({ state: 'detached' });
    });

    assert.deepEqual(pageErrors, []);
  });
});
