import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { agentTrace } from '../../agent-trace.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../../browser.ts';
import { openPageServer } from '../../page-server.ts';
import { graphql, hexId, projectId, type SeedSpan, seed } from '../../seed.ts';

const ODD: SeedSpan = {
  traceId: hexId(7, 16),
  spanId: hexId(7, 8),
  parentSpanId: hexId(99, 8),
  name: 'odd',
  start: Date.now() - 5_000,
  latencyMs: 12,
  attributes: {
    'openinference.span.kind': 'LLM',
    'input.value': '{"not": "closed"',
    'input.mime_type': 'application/json',
    'llm.input_messages': '[{"broken',
    'llm.invocation_parameters': '{"broken',
    'llm.prompts.0.prompt.text': 'Say hello.',
    'llm.output_messages.0.message.role': 'assistant',
    'llm.output_messages.0.message.function_call_name': 'greet',
    'llm.output_messages.0.message.function_call_arguments_json': '{"to": "you"}',
    'app.deep.er.value': 'nobody knows this',
  },
};

const STRUCTURED: SeedSpan = {
  traceId: hexId(8, 16),
  spanId: hexId(8, 8),
  name: 'structured',
  start: Date.now() - 5_000,
  latencyMs: 12,
  attributes: {
    'openinference.span.kind': 'TOOL',
    'input.value': '{"city": "Lisbon"}',
    'input.mime_type': 'application/json',
    'output.value': 'sunny',
  },
};

interface Found {
  readonly latencyMs: number;
  readonly rootSpan: { readonly name: string };
}

const card = (page: Page, name: RegExp | string) =>
  page.locator('.value-card', { has: page.getByRole('heading', { name }) });
const select = async (page: Page, name: string) => {
  await page.locator('.tree-row', { hasText: name }).first().click();
  await page.locator('.span-title', { hasText: name }).waitFor();
};

describe('the content of a span', { skip: NO_BROWSER }, () => {
  test('is shown by span kind', async (t) => {
    const server = await openPageServer(t);
    await seed(server.url, 'kinds', [...agentTrace(1, { start: Date.now() - 60_000 }), ODD, STRUCTURED]);
    const browser = await openBrowser(t);
    const place = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, 'kinds'))}`;
    const trace = `${place}/traces/${hexId(1, 16)}`;
    const { page, pageErrors } = await openPage(browser, server.url);
    await page.goto(trace);
    await page.getByRole('tree').waitFor();

    await t.test(
      'a model span shows messages, parts, reasoning, calls, tools, parameters, template, tokens and cost',
      async () => {
        await select(page, 'decide');
        const input = card(page, 'Input');
        await input.locator('.message[data-role=system]', { hasText: 'You plan short trips.' }).waitFor();
        await untilPasses(async () => {
          assert.match((await input.locator('.message img').getAttribute('src')) ?? '', /^data:image\/png/);
        });
        const output = card(page, 'Output');
        await output.locator('.reasoning', { hasText: 'Flights first' }).waitFor();
        await untilPasses(async () => {
          assert.deepEqual(await output.locator('.tool-call strong').allTextContents(), [
            'get_weather',
            'flight_agent',
          ]);
        });
        await input.getByRole('button', { name: 'Tools 1' }).click();
        await input.getByText('Weather of a day').waitFor();
        await page.locator('.parameters', { hasText: /gpt-4o-mini.*temperature0\.2/ }).waitFor();
        await page.getByRole('button', { name: 'Prompt template' }).click();
        await card(page, 'Prompt template').getByText('Plan {{days}} days in {{city}}.').waitFor();
        await card(page, 'Prompt template').getByText('Lisbon').waitFor();
        await page.locator('.span-facts', { hasText: '412 → 96' }).last().hover();
        const usage = page.getByRole('tooltip');
        await usage.getByText('prompt cache read').waitFor();
        await untilPasses(async () => {
          assert.match((await usage.textContent()) ?? '', /prompt cache read206.*completion reasoning24.*total508/);
        });
      },
    );

    await t.test('a result is matched with its call, and texts are shown as Markdown on demand', async () => {
      await select(page, 'answer');
      await card(page, 'Input').getByText('call_weather').waitFor();
      await card(page, 'Output').getByRole('button', { name: 'Markdown' }).click();
      await card(page, 'Output').locator('.markdown li', { hasText: 'Saturday: tram 28' }).waitFor();
      await card(page, 'Output').getByRole('button', { name: 'Markdown' }).click();
      await card(page, 'Output').locator('.markdown').first().waitFor({ state: 'detached' });
    });

    await t.test('JSON has no switch for Markdown', async () => {
      await page.goto(`${place}/traces/${hexId(8, 16)}`);
      await card(page, 'Input').locator('.json').first().waitFor();
      assert.equal(await card(page, 'Input').getByRole('button', { name: 'Markdown' }).count(), 0);
      await card(page, 'Output').getByRole('button', { name: 'Markdown' }).waitFor();
      await page.goto(trace);
    });

    await t.test(
      'retriever, reranker, embedding, tool, evaluator, guardrail and prompt have their own content',
      async () => {
        await select(page, 'search_guide');
        await untilPasses(async () => {
          assert.deepEqual(await page.locator('.document .score').allTextContents(), ['0.91', '0.74', '0.57']);
        });
        await card(page, /Documents, 3/)
          .getByText('lisbon.md')
          .first()
          .waitFor();
        await select(page, 'rerank');
        await card(page, 'Query').getByText('Lisbon on foot').waitFor();
        await untilPasses(async () => {
          assert.equal(
            await card(page, /Ranked documents, 2/)
              .locator('.document')
              .count(),
            2,
          );
        });
        await page.getByRole('button', { name: /Documents to rank, 3/ }).waitFor();
        await page.locator('.parameters', { hasText: /rerank-3.*top k2/ }).waitFor();
        await select(page, 'embed');
        await card(page, /Embedded texts, 1/)
          .getByText('Lisbon on foot')
          .waitFor();
        await select(page, 'search_flights');
        await card(page, 'Tool: search_flights').getByText('Flights of one airline').waitFor();
        await card(page, 'Input').getByText('TAP').waitFor();
        for (const name of ['rate_answer', 'check_request', 'render_prompt']) {
          await select(page, name);
          await card(page, 'Output').waitFor();
        }
      },
    );

    await t.test('JSON can be collapsed and copied, and an attribute links to spans with its value', async () => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await select(page, 'decide');
      await page.getByRole('tab', { name: 'Attributes' }).click();
      const row = page.locator('.json-row', { hasText: 'model_name' });
      await row.hover();
      await row.getByRole('button', { name: /Copy path llm.model_name/ }).click();
      await untilPasses(async () => {
        assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'llm.model_name');
      });
      await page.locator('.json-row', { hasText: /^llm/ }).getByRole('button', { name: 'llm', exact: true }).click();
      await row.waitFor({ state: 'detached' });
      await page.locator('.json-row', { hasText: /^llm/ }).getByRole('button', { name: 'llm', exact: true }).click();
      await row.hover();
      await row.getByRole('button', { name: 'Filter by model_name' }).click();
      await page.waitForURL(/spanFilterCondition=/);
      await page.locator('.table-row', { hasText: 'choose_flight' }).waitFor();
      await untilPasses(async () => {
        assert.equal(await page.locator('.table-row').count(), 3);
      });
    });

    await t.test('events show exceptions with their stacks', async () => {
      await page.goto(trace);
      await page.getByRole('tree').waitFor();
      await page.keyboard.press(']');
      await page.locator('.span-title', { hasText: 'get_weather' }).waitFor();
      await page.getByRole('tab', { name: 'Events 1' }).click();
      await page.getByText('TimeoutError: ').waitFor();
      await page.getByText('at ask (weather.ts:12)').waitFor();
      await page.getByRole('button', { name: 'Copy stack trace' }).waitFor();
    });

    await t.test('invalid data is shown as text, and a missing parent is marked', async () => {
      await page.goto(`${place}/traces/${hexId(7, 16)}`);
      await page.locator('.tree-row', { hasText: 'no parent' }).waitFor();
      const input = card(page, 'Input');
      await input.getByText('Say hello.').waitFor();
      await input.getByRole('button', { name: 'Raw' }).click();
      await input.getByText('{"not": "closed"').waitFor();
      await card(page, 'Output').locator('.tool-call', { hasText: 'greet' }).waitFor();
      await page.getByRole('tab', { name: 'Attributes' }).click();
      for (const key of ['app', 'deep']) {
        const fold = page.locator('.json-row').getByRole('button', { name: key, exact: true });
        if ((await fold.getAttribute('aria-expanded')) === 'false') await fold.click();
      }
      await page.getByText('nobody knows this').first().waitFor();
    });

    await t.test('a span and a trace are shown and saved as OTLP, which the server accepts again', async () => {
      await page.goto(trace);
      await page.getByRole('tab', { name: 'OTLP' }).click();
      await card(page, 'OTLP JSON').getByText('"resourceSpans"').waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download the trace as OTLP' }).click();
      const file = await download;
      const body = await readFile((await file.path())!, 'utf8');
      const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: object[] }[] }[] };
      assert.equal(resourceSpans[0]!.scopeSpans[0]!.spans.length, 16);
      assert.equal(file.suggestedFilename(), `trace-${hexId(1, 16)}.otlp.json`);

      const again = body.replaceAll(hexId(1, 16), hexId(900, 16));
      const response = await fetch(`${server.url}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-project-name': 'again' },
        body: again,
      });
      assert.equal(response.status, 200, await response.text());
      const query = `{ getTraceByOtelId(traceId: "${hexId(900, 16)}") { latencyMs rootSpan { name } } }`;
      const find = async () => (await graphql<{ getTraceByOtelId: Found | null }>(server.url, query)).getTraceByOtelId;
      let found = await find();
      for (let attempt = 0; attempt < 100 && !found; attempt++) {
        await page.waitForTimeout(100);
        found = await find();
      }
      assert.equal(found?.rootSpan.name, 'trip_planner');
      assert.equal(found?.latencyMs, 6_400);
    });

    assert.deepEqual(pageErrors, []);
  });

  test('content that cannot be read shows an error in its panel, and the rest of the page works', async (t) => {
    const server = await openPageServer(t);
    await seed(server.url, 'kinds', agentTrace(1, { start: Date.now() - 60_000 }));
    const browser = await openBrowser(t);
    const { page } = await openPage(browser, server.url);
    await page.route('**/graphql', (route) => {
      const { operationName } = route.request().postDataJSON() as { operationName: string };
      return ['spanDetails', 'traceEnds', 'annotationsOfTrace'].includes(operationName)
        ? route.abort()
        : route.continue();
    });
    await page.goto(
      `${server.url}/projects/${encodeURIComponent(await projectId(server.url, 'kinds'))}/traces/${hexId(1, 16)}`,
    );

    await page.getByRole('alert').getByText('The server cannot be reached').waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.locator('.tree-row', { hasText: 'decide' }).waitFor();
    await page.getByRole('button', { name: 'Conversation' }).click();
    // A single cause has a single message.
    await page.locator('.failure-again').waitFor();
    await page.getByRole('button', { name: 'Graph' }).click();
    await page.getByRole('button', { name: /^decide, LLM/ }).waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.span-title', { hasText: 'trip_planner' }).waitFor();
  });
});
