import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ATTACKS } from './attacks.ts';
import { NO_BROWSER, openBrowser, openPage } from './browser.ts';
import { openPageServer } from './page-server.ts';
import { hexId, projectId, type SeedSpan, seed } from './seed.ts';

function hostileSpans(attack: string, number: number): SeedSpan[] {
  const traceId = hexId(number + 1, 16);
  const root = hexId(number * 10 + 1, 8);
  const start = Date.now() - 60_000 * (number + 1);
  const common = { start, latencyMs: 40, traceId };
  const text = attack.replaceAll('\u0000', '');
  return [
    {
      ...common,
      spanId: root,
      name: text,
      isError: true,
      exception: { type: text, message: text, stack: text },
      attributes: {
        'openinference.span.kind': text,
        'session.id': text,
        'user.id': text,
        'input.value': text,
        'output.value': text,
        metadata: JSON.stringify({ [text]: text }),
        [text]: text,
      },
    },
    {
      ...common,
      spanId: hexId(number * 10 + 2, 8),
      parentSpanId: root,
      name: text,
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.model_name': text,
        'llm.invocation_parameters': JSON.stringify({ [text]: text }),
        'llm.input_messages.0.message.role': text,
        'llm.input_messages.0.message.content': text,
        'llm.input_messages.1.message.role': 'user',
        'llm.input_messages.1.message.contents.0.message_content.type': 'image',
        'llm.input_messages.1.message.contents.0.message_content.image.image.url': 'https://elsewhere.example/a.png',
        'llm.input_messages.1.message.contents.1.message_content.type': 'image',
        'llm.input_messages.1.message.contents.1.message_content.image.image.url': 'javascript:alert(7)',
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': text,
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': text,
        'retrieval.documents.0.document.content': text,
        'retrieval.documents.0.document.id': text,
        'tool.name': text,
        'tool.description': text,
      },
    },
  ];
}

describe('content of spans', { skip: NO_BROWSER }, () => {
  test('is shown as text, and never runs, loads or styles anything', async (t) => {
    const server = await openPageServer(t);
    await seed(server.url, 'hostile', ATTACKS.flatMap(hostileSpans));
    const id = encodeURIComponent(await projectId(server.url, 'hostile'));
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    await page.goto(`${server.url}/settings`);
    await page.evaluate(`localStorage.setItem('spandrel.preferences', '{"textView":"markdown"}')`);

    for (const path of ['spans?spans=all', 'traces', 'sessions']) {
      await page.goto(`${server.url}/projects/${id}/${path}`);
      await page.locator('.table-row').first().waitFor();
    }
    for (const number of ATTACKS.keys()) {
      await page.goto(`${server.url}/projects/${id}/traces/${hexId(number + 1, 16)}`);
      for (const row of [0, 1]) {
        await page.locator('.tree-row').nth(row).click();
        for (const tab of ['Content', 'Attributes', /Events/]) {
          await page.getByRole('tab', { name: tab }).click();
          await page.locator('.span-body').waitFor();
        }
        await page.getByRole('tab', { name: 'Content' }).click();
        await page.locator('.value-card').first().waitFor();
      }
    }

    const planted = await page.evaluate(
      'document.querySelectorAll("#root script, #root iframe, #root style, #root img:not([src^=\\"data:\\"]), a[href^=\\"javascript:\\"]").length',
    );
    assert.equal(planted, 0);
    assert.deepEqual(pageErrors, []);
  });

  test('may have 20 MB in one attribute, or unexpected types', async (t) => {
    const server = await openPageServer(t);
    const common = { start: Date.now() - 1_000, latencyMs: 5 };
    await seed(server.url, 'odd', [
      {
        ...common,
        traceId: hexId(1, 16),
        spanId: hexId(1, 8),
        name: 'huge',
        attributes: { 'input.value': 'All work and no play. '.repeat(1_000_000), 'openinference.span.kind': 'LLM' },
      },
      {
        ...common,
        traceId: hexId(2, 16),
        spanId: hexId(2, 8),
        name: 'odd',
        attributes: {
          'openinference.span.kind': 'LLM',
          'llm.input_messages': 'not a list',
          'llm.output_messages.0.message': 'no object',
          'llm.invocation_parameters': '{"broken',
          'input.value': '{"also": broken',
          'input.mime_type': 'application/json',
          'retrieval.documents': 3,
        },
      },
    ]);
    const id = encodeURIComponent(await projectId(server.url, 'odd'));
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);

    await page.goto(`${server.url}/projects/${id}/traces/${hexId(1, 16)}`);
    await page.getByText('All work and no play.').first().waitFor();
    await page.getByRole('button', { name: /more characters/ }).waitFor();
    await page.getByRole('tab', { name: 'Attributes' }).click();
    await page.getByText('input', { exact: true }).waitFor();
    await page.goto(`${server.url}/projects/${id}/traces/${hexId(2, 16)}`);
    await page.getByText('{"also": broken').waitFor();

    assert.deepEqual(pageErrors, []);
  });
});
