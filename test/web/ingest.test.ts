import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ATTACKS } from './attacks.ts';
import { seriousViolations } from './axe.ts';
import { NO_BROWSER, openBrowser, openPage } from './browser.ts';
import { openPageServer } from './page-server.ts';
import { hexId, seed } from './seed.ts';

describe('the ingest page', { skip: NO_BROWSER }, () => {
  test('shows arriving spans, rejections with reasons, differing repeated spans and clients, and updates them', async (t) => {
    const server = await openPageServer(t);
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    await page.goto(`${server.url}/settings/ingest`);
    await page.getByText('No request was rejected since the server started.').waitFor();
    const figure = (label: string) =>
      page.locator('.ingest-figures > div', { has: page.getByText(label, { exact: true }) });
    const clients = page.getByRole('region', { name: 'Clients' });
    const refused = page.getByRole('region', { name: 'Rejected' });

    const span = { traceId: hexId(1, 16), spanId: hexId(1, 8), name: 'first', start: Date.now(), latencyMs: 5 };
    await seed(server.url, 'p', [span]);
    await figure('Ingested spans').getByText('1', { exact: true }).waitFor();
    await clients.getByRole('row', { name: /node HTTP 127\.0\.0\.1 1 0 1/ }).waitFor();

    const send = (body: string, agent: string) =>
      fetch(`${server.url}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': agent },
        body,
      });
    const [attack = ''] = ATTACKS;
    assert.equal((await send('no JSON', attack)).status, 422);
    await refused.getByText('OTLP_MALFORMED').waitFor();
    await refused.getByRole('row', { name: /HTTP 127\.0\.0\.1/ }).waitFor();
    await figure('Rejected requests').getByText('1', { exact: true }).waitFor();
    await clients.getByText(attack).waitFor();

    const otherSpan = { resourceSpans: [{ scopeSpans: [{ spans: [{ ...ids(span), name: 'second' }] }] }] };
    assert.equal((await send(JSON.stringify(otherSpan), 'exporter/2')).status, 200);
    await figure('Repeated spans').getByText('1 of them differed').waitFor();
    await refused
      .getByText(/Spans with the ID of a stored span but a different name, kind, status or time: 1/)
      .waitFor();
    await clients.getByText('exporter/2').waitFor();

    assert.deepEqual(await seriousViolations(page), []);
    assert.deepEqual(pageErrors, []);
  });
});

const ids = ({ traceId, spanId }: { readonly traceId: string; readonly spanId: string }) => ({
  traceId,
  spanId,
  startTimeUnixNano: '1',
  endTimeUnixNano: '2',
});
