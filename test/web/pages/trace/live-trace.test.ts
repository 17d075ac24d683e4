import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { seriousViolations } from '../../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses, untilQuiet } from '../../browser.ts';
import { openPageServer } from '../../page-server.ts';
import { graphql, hexId, projectId, type SeedSpan, seed } from '../../seed.ts';

const PROJECT = 'runs';
const START = Date.now() - 60_000;

interface Child {
  readonly trace: number;
  /** Number of the span, which also determines its span ID. */
  readonly number: number;
  readonly name: string;
  /** Number of the parent. The root is 1 and arrives last or never. */
  readonly parent?: number;
  readonly kind?: string;
  readonly attributes?: SeedSpan['attributes'];
  /** Offset from the start of the trace, in ms. */
  readonly after?: number;
}

function child({ trace, number, name, parent = 1, kind = 'TOOL', attributes, after }: Child): SeedSpan {
  return {
    traceId: hexId(trace, 16),
    spanId: hexId(trace * 100_000 + number, 8),
    parentSpanId: hexId(trace * 100_000 + parent, 8),
    name,
    start: START + (after ?? number),
    latencyMs: 5,
    attributes: { 'openinference.span.kind': kind, 'input.value': `in ${name}`, ...attributes },
  };
}

function root(trace: number, name: string, attributes: SeedSpan['attributes'] = {}): SeedSpan {
  return {
    traceId: hexId(trace, 16),
    spanId: hexId(trace * 100_000 + 1, 8),
    name,
    start: START,
    latencyMs: 30_000,
    attributes: { 'openinference.span.kind': 'AGENT', 'output.value': `done ${name}`, ...attributes },
  };
}

const line = (page: Page, name: string) => page.locator('.tree-row', { has: page.getByText(name, { exact: true }) });
const panelTitle = (page: Page) => page.locator('.span-panel h2').textContent();

async function annotateByRest(url: string, noun: 'span' | 'trace' | 'session', id: string, name: string) {
  const response = await fetch(`${url}/v1/${noun}_annotations?sync=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      data: [{ [`${noun}_id`]: id, name, annotator_kind: 'CODE', result: { label: `by ${noun}`, score: 1 } }],
    }),
  });
  assert.equal(response.status, 200, await response.text());
}

describe('an open trace', { skip: NO_BROWSER }, () => {
  test('follows new spans, and keeps the view of the user', async (t) => {
    const server = await openPageServer(t);
    const browser = await openBrowser(t);

    await t.test(
      'a late root and late children appear; selection, expanded spans and scroll position stay',
      async () => {
        const tools = Array.from({ length: 50 }, (_, index) =>
          child({ trace: 1, number: 100 + index, name: `tool ${index}`, after: 1_000 + index }),
        );
        await seed(server.url, PROJECT, [
          child({ trace: 1, number: 10, name: 'planner', kind: 'CHAIN' }),
          child({ trace: 1, number: 11, name: 'plan step', parent: 10 }),
          ...tools,
        ]);
        const place = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, PROJECT))}`;
        const { page, pageErrors } = await openPage(browser, server.url);
        await page.goto(`${place}/traces/${hexId(1, 16)}`);
        await line(page, 'tool 3').waitFor();
        await untilPasses(async () => {
          assert.match((await page.locator('.trace-facts').textContent()) ?? '', /Running/);
        });
        assert.deepEqual(await seriousViolations(page), []);
        await line(page, 'planner').locator('.tree-fold').click();
        await line(page, 'plan step').waitFor({ state: 'detached' });
        await page.locator('.tree-rows').evaluate((rows: { scrollTop: number }) => {
          rows.scrollTop = 400;
        });
        await line(page, 'tool 20').click();
        await page.locator('.span-panel h2', { hasText: 'tool 20' }).waitFor();
        const before = (await line(page, 'tool 20').boundingBox())!;

        // Both are above the visible lines.
        await seed(server.url, PROJECT, [
          child({ trace: 1, number: 12, name: 'early but late', after: 20 }),
          child({ trace: 1, number: 13, name: 'second plan step', parent: 10 }),
        ]);
        await page.locator('.trace-facts', { hasText: 'Spans54' }).waitFor();
        await seed(server.url, PROJECT, [root(1, 'the root')]);
        await page.locator('.trace-facts', { hasText: 'Spans55' }).waitFor();
        await page.locator('.trace-facts', { hasText: 'Running' }).waitFor({ state: 'detached' });
        assert.equal(await panelTitle(page), 'tool 20');
        const after = (await line(page, 'tool 20').boundingBox())!;
        assert(Math.abs(after.y - before.y) < 2, `moved by ${after.y - before.y}`);
        await page.locator('.tree-rows').evaluate((rows: { scrollTop: number }) => {
          rows.scrollTop = 0;
        });
        await line(page, 'the root').waitFor();
        await line(page, 'early but late').waitFor();
        assert.equal(await line(page, 'plan step').count(), 0, 'what was folded is folded');
        assert.deepEqual(pageErrors, []);
      },
    );

    const place = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, PROJECT))}`;

    await t.test('the span shown by default stays when the root arrives', async () => {
      await seed(server.url, PROJECT, [child({ trace: 2, number: 2, name: 'first of all' })]);
      const { page } = await openPage(browser, server.url);
      await page.goto(`${place}/traces/${hexId(2, 16)}`);
      await page.locator('.span-panel h2', { hasText: 'first of all' }).waitFor();
      await seed(server.url, PROJECT, [root(2, 'root of two')]);
      await line(page, 'root of two').waitFor();
      assert.equal(await panelTitle(page), 'first of all');
    });

    await t.test('siblings that become a group stay visible, and an open group stays open', async () => {
      const searches = (from: number, count: number) =>
        Array.from({ length: count }, (_, index) => child({ trace: 3, number: from + index, name: 'search' }));
      await seed(server.url, PROJECT, [
        ...searches(10, 7),
        ...Array.from({ length: 60 }, (_, index) =>
          child({ trace: 3, number: 100 + index, name: 'write', after: 5_000 + index }),
        ),
      ]);
      const { page } = await openPage(browser, server.url);
      await page.goto(`${place}/traces/${hexId(3, 16)}`);
      await line(page, 'write').first().click();
      await untilPasses(async () => {
        assert.equal(await line(page, 'search').count(), 7);
      });
      await seed(server.url, PROJECT, searches(20, 1));
      await page.locator('.tree-row', { hasText: '× 8' }).waitFor();
      await untilPasses(async () => {
        assert.equal(await line(page, 'search').count(), 9, 'the group, and its members');
      });
      await page.locator('.tree-rows').evaluate((rows: { scrollTop: number }) => {
        rows.scrollTop = 0;
      });
      const shown = await line(page, 'write').count();
      await seed(server.url, PROJECT, [root(3, 'root of three')]);
      await line(page, 'root of three').waitFor();
      await untilPasses(async () => {
        assert.equal(await line(page, 'search').count(), 9);
        assert(shown > 1 && (await line(page, 'write').count()) > 1);
      });
    });

    await t.test('annotations of the span and of the trace arrive from REST and from another browser', async () => {
      const { page } = await openPage(browser, server.url);
      await page.goto(`${place}/traces/${hexId(2, 16)}`);
      await page.locator('.span-panel h2', { hasText: 'root of two' }).waitFor();
      await annotateByRest(server.url, 'span', hexId(200_001, 8), 'of-span');
      await page.locator('.span-head').getByText('of-span').waitFor();
      await annotateByRest(server.url, 'trace', hexId(2, 16), 'of-trace');
      await page.locator('.trace-facts').getByText('of-trace').waitFor();
      await page.keyboard.press('e');
      await page.getByRole('complementary', { name: 'Annotations' }).waitFor();
      const { node } = await graphql<{ node: { trace: { rootSpan: { id: string } } } }>(
        server.url,
        'query ($id: ID!, $t: ID!) { node(id: $id) { ... on Project { trace(traceId: $t) { rootSpan { id } } } } }',
        { id: await projectId(server.url, PROJECT), t: hexId(2, 16) },
      );
      await graphql(
        server.url,
        'mutation ($input: CreateSpanNoteInput!) { createSpanNote(annotationInput: $input) { __typename } }',
        { input: { spanId: node.trace.rootSpan.id, note: 'seen elsewhere' } },
      );
      await page.getByText('seen elsewhere').waitFor();
    });

    await t.test('the conversation and the graph grow, and keep what is open', async () => {
      await seed(server.url, PROJECT, [
        root(4, 'talker'),
        child({ trace: 4, number: 2, name: 'look up', attributes: { 'output.value': 'found it' } }),
      ]);
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(`${place}/traces/${hexId(4, 16)}?traceView=conversation`);
      await page.locator('.step', { hasText: 'look up' }).getByRole('button', { expanded: false }).first().click();
      await page.locator('.step .step-body', { hasText: 'found it' }).waitFor();
      await seed(server.url, PROJECT, [child({ trace: 4, number: 3, name: 'earlier look', after: 1 })]);
      await page.locator('.step', { hasText: 'earlier look' }).waitFor();
      await page.locator('.step .step-body', { hasText: 'found it' }).waitFor();
      await page.getByRole('button', { name: 'Graph', exact: true }).click();
      const node = (name: string) => page.locator('.graph-node', { hasText: name });
      await node('look up').click();
      await page.getByRole('region', { name: 'Spans of look up' }).waitFor();
      await seed(server.url, PROJECT, [child({ trace: 4, number: 4, name: 'another', after: 0 })]);
      await node('another').waitFor();
      await page.getByRole('region', { name: 'Spans of look up' }).waitFor();
      assert.deepEqual(pageErrors, []);
    });

    await t.test('the drawer over a table and the table both continue', async () => {
      const { page } = await openPage(browser, server.url);
      await page.addInitScript(`localStorage.setItem('spandrel.preferences', '{"tracePlace":"drawer"}')`);
      await page.goto(`${place}/traces/${hexId(4, 16)}?timeRangeKey=1h`);
      const drawer = page.getByRole('complementary', { name: 'Trace' });
      await drawer.locator('.tree-row', { hasText: 'another' }).waitFor();
      await seed(server.url, PROJECT, [
        child({ trace: 4, number: 5, name: 'while in the drawer' }),
        root(5, 'another trace'),
      ]);
      await drawer.locator('.tree-row', { hasText: 'while in the drawer' }).waitFor();
      await page.locator('.table-row', { hasText: 'another trace' }).waitFor();
    });

    await t.test('nothing is read for other traces, and little for one that grows constantly', async () => {
      const { page, operations } = await openPage(browser, server.url);
      await page.goto(`${place}/traces/${hexId(4, 16)}`);
      await line(page, 'another').waitFor();
      const quiet = await untilQuiet(page, operations);
      for (let at = 0; at < 5; at++) await seed(server.url, PROJECT, [root(50 + at, `stranger ${at}`)]);
      await page.waitForTimeout(1_500);
      assert.deepEqual(operations.slice(quiet), []);

      const batches = 30;
      const many = (from: number, count: number) =>
        Array.from({ length: count }, (_, index) => child({ trace: 4, number: 1_000 + from + index, name: 'grow' }));
      for (let batch = 0; batch < batches; batch++) await seed(server.url, PROJECT, many(batch * 100, 100));
      await page.locator('.trace-facts', { hasText: `Spans${(5 + batches * 100).toLocaleString('en-US')}` }).waitFor();
      const reads = operations.slice(quiet).filter((name) => name === 'traceHead').length;
      assert(reads > 0 && reads < batches, `${reads} reads after ${batches} batches`);
    });

    await t.test('a trace that has not arrived yet appears', async () => {
      const { page } = await openPage(browser, server.url);
      await page.goto(`${place}/traces/${hexId(77, 16)}`);
      await page.getByText('Not found').waitFor();
      await seed(server.url, PROJECT, [root(77, 'there at last')]);
      await line(page, 'there at last').waitFor();
    });
  });
});

describe('an open session', { skip: NO_BROWSER }, () => {
  test('gets new turns, late spans of a turn, and annotations', async (t) => {
    const server = await openPageServer(t);
    const inSession = { 'session.id': 'talk', 'input.value': 'hello' };
    await seed(server.url, PROJECT, [
      root(1, 'turn one', { ...inSession, 'output.value': 'answer one' }),
      child({ trace: 2, number: 2, name: 'begun', attributes: inSession }),
    ]);
    const browser = await openBrowser(t);
    const place = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, PROJECT))}`;
    const { page, pageErrors } = await openPage(browser, server.url);
    const { session } = await graphql<{ session: { id: string } }>(
      server.url,
      '{ session: getProjectSessionById(sessionId: "talk") { id } }',
    );
    await page.goto(`${place}/sessions/${encodeURIComponent(session.id)}`);
    const turn = (number: number) => page.locator('.turn').nth(number - 1);
    await turn(2).getByText('Running').waitFor();
    assert.deepEqual(await seriousViolations(page), []);

    await seed(server.url, PROJECT, [root(2, 'turn two', { ...inSession, 'output.value': 'answer two' })]);
    await page.getByText('answer two').waitFor();
    await untilPasses(async () => {
      assert.equal(await page.locator('.turn', { hasText: 'Running' }).count(), 0);
    });
    await turn(1).getByRole('button', { name: '1 span' }).click();
    const beside = page.getByRole('complementary', { name: 'Trace' });
    await beside.locator('.tree-row', { hasText: 'turn one' }).waitFor();

    await seed(server.url, PROJECT, [
      child({ trace: 1, number: 7, name: 'late', attributes: inSession }),
      root(3, 'turn three', { ...inSession, 'output.value': 'answer three' }),
    ]);
    await page.getByText('answer three').waitFor();
    await turn(1).getByRole('button', { name: '2 spans' }).waitFor();
    await beside.locator('.tree-row', { hasText: 'late' }).waitFor();
    await page.locator('.trace-facts', { hasText: 'Turns3' }).first().waitFor();

    await annotateByRest(server.url, 'session', 'talk', 'of-session');
    await page.locator('.trace-facts').first().getByText('of-session').waitFor();
    await annotateByRest(server.url, 'trace', hexId(1, 16), 'of-turn');
    await turn(1).getByText('of-turn').waitFor();
    await annotateByRest(server.url, 'span', hexId(200_001, 8), 'of-root');
    await turn(2).getByText('of-root').waitFor();
    assert.deepEqual(pageErrors, []);
  });
});
