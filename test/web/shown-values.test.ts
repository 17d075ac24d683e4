import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_BROWSER, openBrowser, openPage, untilPasses, untilRows } from './browser.ts';
import { openPageServer } from './page-server.ts';
import { hexId, projectId, type SeedSpan, seed } from './seed.ts';

const LONG = `project-${'x'.repeat(100)}`;
const ARABIC = 'مرحبا، كيف يمكنني مساعدتك اليوم؟';
const MESSAGES = {
  'llm.input_messages.0.message.role': 'system',
  'llm.input_messages.0.message.content': 'Be brief.',
  'llm.input_messages.1.message.role': 'user',
  'llm.input_messages.1.message.content': 'Where is the castle?',
  'llm.output_messages.0.message.role': 'assistant',
  'llm.output_messages.0.message.content': 'On the hill.',
};

function spansAt(now: number): SeedSpan[] {
  const at = (trace: number, span: number, start: number) => ({
    traceId: hexId(trace, 16),
    spanId: hexId(trace * 10 + span, 8),
    start,
    latencyMs: 20,
  });
  const exception = { type: 'Timeout', message: 'the model did not answer', stack: '' };
  return [
    // The root succeeds, but the tool below it fails.
    { ...at(1, 1, now - 60_000), name: 'half', attributes: { 'session.id': 'talk', 'input.value': 'half?' } },
    { ...at(1, 2, now - 60_000), parentSpanId: hexId(11, 8), name: 'tool', isError: true },
    // A failed turn whose status has no message.
    {
      ...at(2, 1, now - 50_000),
      name: 'broken',
      isError: true,
      exception,
      attributes: { 'session.id': 'talk', 'input.value': 'broken?' },
    },
    // A span with messages but without input or output.
    {
      ...at(3, 1, now - 40_000),
      name: 'bare messages',
      attributes: { ...MESSAGES, 'openinference.span.kind': 'LLM', 'session.id': 'bare' },
    },
    // A message that only calls a tool.
    {
      ...at(4, 1, now - 30_000),
      name: 'bare call',
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'find_castle',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"city":"Lisbon"}',
      },
    },
    { ...at(5, 1, now - 20_000), name: '  ', latencyMs: 0.004 },
    // Documents without an output.
    {
      ...at(7, 1, now - 5_000),
      name: 'bare documents',
      attributes: {
        'openinference.span.kind': 'RETRIEVER',
        'input.value': 'castle?',
        'retrieval.documents.0.document.content': 'Summer party',
        'retrieval.documents.0.document.score': 0.0625,
        'retrieval.documents.1.document.content': 'Parking permits',
      },
    },
    { ...at(6, 1, now - 10_000), name: 'arabic', attributes: { 'input.value': ARABIC, 'output.value': ARABIC } },
  ];
}

/** A call of a model whose count of tokens is as wide as counts get. */
const LARGE_CALL = {
  'openinference.span.kind': 'LLM',
  'llm.model_name': 'gpt-4',
  'llm.token_count.prompt': 310_000,
  'llm.token_count.completion': 507,
  'llm.token_count.total': 310_507,
  metadata: '{"tenant": {"plan": "pro"}}',
};

/** Texts of numbers and of heads of columns that are wider than their places. */
const CUT_OFF = `[...document.querySelectorAll('.table-row .at-end, .sort .clip, .tree-figure')]
  .filter((each) => each.scrollWidth > each.clientWidth && each.clientWidth > 0)
  .map((each) => each.textContent)`;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const areOver = (a: Box, b: Box): boolean =>
  a.x + a.width > b.x + 1 && b.x + b.width > a.x + 1 && a.y + a.height > b.y + 1 && b.y + b.height > a.y + 1;

describe('shown values', { skip: NO_BROWSER }, () => {
  test('are the same in each table, on the page of a trace and in a session, and are readable', async (t) => {
    const server = await openPageServer(t);
    await seed(server.url, LONG, spansAt(Date.now()));
    const id = await projectId(server.url, LONG);
    const place = `${server.url}/projects/${encodeURIComponent(id)}`;
    const browser = await openBrowser(t);
    const watched = await openPage(browser, server.url);
    const { page, pageErrors } = watched;
    const row = (text: string) => page.locator('.table-row', { hasText: text });
    const cells = async (text: string) => (await row(text).textContent()) ?? '';

    for (const tab of ['traces', 'spans']) {
      await t.test(`a trace with an error below its root shows an error among ${tab}`, async () => {
        await page.goto(`${place}/${tab}?timeRangeKey=1d`);
        await untilRows(watched);
        await untilPasses(async () => {
          assert.match(await cells('half'), /Error/);
        });
      });

      await t.test(`messages are shown when ${tab} have neither input nor output`, async () => {
        await untilPasses(async () => {
          assert.match(await cells('bare messages'), /Where is the castle\?.*On the hill\./);
          assert.match(await cells('bare call'), /find_castle\(\{"city":"Lisbon"\}\)/);
          assert.match(await cells('bare documents'), /castle\?0\.06 Summer party · Parking permits/);
        });
      });

      await t.test(`a blank name is visible among ${tab}, and 4 µs is not 0`, async () => {
        await untilPasses(async () => {
          assert.match(await cells('(no name)'), /4µs/);
        });
        await page.getByRole('link', { name: '(no name)' }).waitFor();
      });
    }

    await t.test('the number of further annotations is never cut off', async () => {
      const data = Array.from({ length: 275 }, (_, index) => ({
        span_id: hexId(61, 8),
        name: `a judgement with a long name ${index}`,
        annotator_kind: 'CODE',
        result: { label: 'a label of some length', score: 0.5 },
      }));
      const response = await fetch(`${server.url}/v1/span_annotations?sync=true`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ data }),
      });
      assert.equal(response.status, 200, await response.text());
      await page.goto(`${place}/spans?timeRangeKey=1d`);
      const more = row('arabic').getByRole('button', { name: '+274' });
      await more.waitFor();
      await untilPasses(async () => {
        const cell = await row('arabic')
          .locator('[role=cell]', { has: page.locator('.chips-more') })
          .boundingBox();
        const box = await more.boundingBox();
        assert(box!.x + box!.width <= cell!.x + cell!.width, `${JSON.stringify(box)} in ${JSON.stringify(cell)}`);
        assert.equal(
          await page.evaluate(
            "(() => { const more = document.querySelector('.chips-more'); return more.scrollWidth > more.clientWidth; })()",
          ),
          false,
        );
      });
    });

    await t.test('right-to-left text starts at the right', async () => {
      const directionOf = (selector: string) =>
        page.evaluate(
          `getComputedStyle([...document.querySelectorAll('${selector}')].findLast((each) => each.textContent === '${ARABIC}')).direction`,
        );
      await untilPasses(async () => {
        assert.equal(await directionOf('.table-row [role=cell]'), 'rtl');
      });
      await page.goto(`${place}/traces/${hexId(6, 16)}`);
      await page.locator('.text-value', { hasText: ARABIC }).first().waitFor();
      assert.equal(await directionOf('.text-value'), 'rtl');
    });

    await t.test('the OTLP view says that resource and scope are not stored', async () => {
      await page.getByRole('tab', { name: 'OTLP' }).click();
      await page.getByText(/resource and the scope are empty, because/).waitFor();
    });

    await t.test('a turn shows its error, and a trace with messages shows their texts', async () => {
      await page.goto(`${place}/sessions?timeRangeKey=1d`);
      await untilRows(watched);
      await untilPasses(async () => {
        assert.match(await cells('bare'), /Where is the castle\?.*On the hill\./);
      });
      await page.getByRole('link', { name: 'talk' }).click();
      await page.locator('.bubble.answered', { hasText: 'the model did not answer' }).waitFor();
      await page.locator('.bubble.answered', { hasText: '1 error below its root' }).waitFor();
      assert.equal(await page.getByText(/(nothing|no output) recorded/i).count(), 0);
    });

    await t.test('an invalid ID is reported, with a link back', async () => {
      for (const path of ['projects/nonsense', `projects/${btoa('Project:x')}/traces`, `projects/${btoa('Span:1')}`]) {
        await page.goto(`${server.url}/${path}`);
        await page.getByRole('alert').first().waitFor();
        const text = (await page.locator('main').textContent()) ?? '';
        assert.doesNotMatch(text, /did not work|\(no name\)/, path);
        assert.match(text, /The project does not exist|contains an invalid ID|Not found/, path);
        await page.getByRole('link', { name: 'All projects' }).first().waitFor();
      }
    });

    await t.test('an invalid filter is reported once', async () => {
      for (const filter of ['name === 1', 'name === ', 'nothing.like(this)']) {
        for (const tab of ['spans', 'traces']) {
          await page.goto(`${place}/${tab}?timeRangeKey=1d&spanFilterCondition=${encodeURIComponent(filter)}`);
          await page.getByRole('alert').first().waitFor();
          await page.waitForLoadState('networkidle');
          const alerts = await page.getByRole('alert').allTextContents();
          assert.equal(alerts.length, 1, alerts.join(' | '));
          assert.match(alerts[0]!, /^The filter cannot be applied/);
          assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
        }
      }
      await page.getByText('Correct the filter above, or clear it to see all rows.').waitFor();
      await page.getByRole('alert').getByRole('button', { name: 'Clear filter' }).click();
      await page.locator('.table-row').first().waitFor();
    });

    await t.test('the REST and GraphQL pages link back', async () => {
      for (const path of ['docs', 'graphql']) {
        await page.goto(`${server.url}/${path}`);
        await page.getByRole('link', { name: /← Spandrel/ }).click();
        await page.getByRole('heading', { name: 'Projects' }).waitFor();
      }
    });

    await t.test(
      'a name of 108 characters makes no page wider than the window, and is complete in a tooltip',
      async () => {
        for (const width of [1440, 420]) {
          await page.setViewportSize({ width, height: 800 });
          for (const path of [place, `${place}/config`, `${server.url}/projects`, `${server.url}/settings/about`]) {
            await page.goto(path);
            await page.getByTitle(LONG).first().waitFor();
            const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
            assert.equal(wide, false, `${path} at ${width} px`);
          }
        }
        await page.setViewportSize({ width: 1440, height: 900 });
        await page.keyboard.press('Control+k');
        const item = page.getByRole('option', { name: LONG }).first();
        await item.waitFor();
        const box = await item.boundingBox();
        const dialog = await page.locator('.palette').boundingBox();
        assert(box!.x + box!.width <= dialog!.x + dialog!.width + 1);
        assert.equal(await item.locator('.clip').getAttribute('title'), LONG);
        await page.keyboard.press('Escape');
        await page.goto(`${server.url}/projects`);
        await page.getByRole('button', { name: `Actions for ${LONG}` }).click();
        await page.getByRole('menuitem', { name: 'Delete project' }).click();
        const question = page.getByRole('dialog');
        await question.getByText(LONG).waitFor();
        assert.equal(
          await page.evaluate(
            "document.querySelector('.dialog').scrollWidth > document.querySelector('.dialog').clientWidth",
          ),
          false,
        );
        const cancel = await question.getByRole('button', { name: 'Cancel' }).boundingBox();
        assert(cancel!.x > (await question.boundingBox())!.x);
      },
    );

    await t.test('numbers and column headers are not cut off', async () => {
      const start = Date.now() - 60_000;
      await seed(server.url, 'room', [
        {
          traceId: hexId(900, 16),
          spanId: hexId(900, 8),
          name: 'answer',
          start,
          latencyMs: 25_500,
          attributes: { ...LARGE_CALL, 'session.id': 'dear' },
        },
      ]);
      const room = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, 'room'))}`;
      for (const [tab, count] of [
        ['spans', 4],
        ['traces', 4],
        ['sessions', 5],
      ] as const) {
        await page.goto(`${room}/${tab}?timeRangeKey=1d`);
        await page.locator('.table-row', { hasText: '310,507' }).waitFor();
        const heads = page.locator('.table-head .sort');
        assert((await heads.count()) >= count, `heads of ${tab}`);
        for (const head of await heads.all()) {
          await head.click();
          await page.locator('.table[aria-busy=false] .table-row').waitFor();
          assert.deepEqual(await page.evaluate(CUT_OFF), [], `of ${tab}, sorted by ${await head.textContent()}`);
        }
      }
      await page.goto(`${room}/traces/${hexId(900, 16)}`);
      await page.locator('.tree-row', { hasText: '310,507' }).waitFor();
      assert.deepEqual(await page.evaluate(CUT_OFF), [], 'of the waterfall');
    });

    await t.test('a suggested metadata key finds the spans that have it', async () => {
      await page.goto(
        `${server.url}/projects/${encodeURIComponent(await projectId(server.url, 'room'))}/spans?timeRangeKey=1d`,
      );
      const field = page.getByRole('combobox', { name: 'Filter' });
      for (const typed of ["metadata['ten", "metadata['tenant']['pl"]) {
        await field.fill(typed);
        await page.getByRole('option', { name: /^metadata/ }).click();
        await untilPasses(async () => {
          assert.equal(await field.inputValue(), "metadata['tenant']['plan']");
        });
      }
      await page.keyboard.type(" != 'pro'");
      await page.getByText('No root spans in this range match the filter').waitFor();
      await field.fill("metadata['tenant']['plan'] == 'pro'");
      await page.locator('.table-row').waitFor();
    });

    await t.test('a small window shows a fixed range and the controls beside it', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      for (const range of [
        'timeRangeStart=2026-11-21T12:30:00Z&timeRangeEnd=2026-11-21T15:00:00Z',
        'timeRangeStart=2026-11-15T19:01:49Z&timeRangeEnd=2026-11-22T19:01:49Z',
      ]) {
        await page.goto(`${place}/metrics?${range}`);
        const copy = page.getByRole('button', { name: 'Copy link to this view' });
        await copy.waitFor();
        await page.locator('.crumbs h1', { hasText: LONG }).waitFor();
        const boxes = await page.locator('.crumbs li, .range > *').evaluateAll((all) =>
          all
            .map((each) => (each as unknown as { getBoundingClientRect(): Box }).getBoundingClientRect())
            .map(({ x, y, width, height }) => ({ x, y, width, height }))
            .filter(({ width }) => width > 0),
        );
        for (const [index, box] of boxes.entries()) {
          assert(box.x >= 0 && box.x + box.width <= 390, `${range}: ${JSON.stringify(box)} is in the window`);
          const under = boxes.slice(index + 1).filter((other) => areOver(box, other));
          assert.deepEqual(under, [], `${range}: nothing lies over ${JSON.stringify(box)}`);
        }
        assert((await copy.boundingBox())!.width >= 20);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    });

    await t.test('yesterday is available as a range', async () => {
      await page.goto(`${place}/spans?timeRangeKey=7d`);
      await page.getByRole('button', { name: 'Last 7 days' }).click();
      await page.getByRole('button', { name: 'Yesterday' }).click();
      await page.waitForURL(/timeRangeStart/);
      const { searchParams } = new URL(page.url());
      const today = new Date().toISOString().slice(0, 10);
      assert.equal(searchParams.get('timeRangeEnd'), `${today}T00:00:00.000Z`);
      assert.equal(Date.parse(today) - Date.parse(searchParams.get('timeRangeStart')!), 86_400_000);
      await page.locator('.range-choice').click();
      assert.equal(await page.getByRole('button', { name: 'Yesterday' }).getAttribute('aria-pressed'), 'true');
      await page.keyboard.press('Escape');
      await page.goBack();
      await page.getByRole('button', { name: 'Last 7 days' }).waitFor();
    });

    await t.test('the chart of a range in the past ends with the range', async () => {
      // The page before may still refresh its own chart.
      const asked = page.waitForRequest((request) => {
        const body = request.postData() ?? '';
        return body.includes('"operationName":"projectSeries"') && body.includes('"2026-11-21T14:30:00.000Z"');
      });
      await page.goto(`${place}/spans?timeRangeStart=2026-11-21T14:30:00Z&timeRangeEnd=2026-11-21T14:35:00Z`);
      const { variables } = (await asked).postDataJSON() as { variables: { timeRange: { end: string } } };
      assert.equal(variables.timeRange.end, '2026-11-21T14:35:00.000Z');
    });

    // The browser also logs rejected requests on its console.
    assert.deepEqual(
      pageErrors.filter((pageError) => !/status of 4\d\d/.test(pageError)),
      [],
    );
  });
});
