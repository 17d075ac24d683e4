import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shareTestServer } from '../test-server.ts';

const openServer = shareTestServer();

const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';

describe('the GraphQL console', () => {
  test('is what a browser gets that opens the address without a query', async () => {
    const { address } = await openServer();

    const page = await fetch(`${address}/graphql`, { headers: { accept } });
    const response = await fetch(`${address}/graphql?query={promptCount:__typename}`, { headers: { accept } });

    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(await page.text(), /<title>GraphQL · Spandrel<\/title>/);
    const anything = await fetch(`${address}/graphql`, { headers: { accept: '*/*' } });
    assert.deepEqual([anything.status, anything.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
    assert.equal((await fetch(`${address}/graphql`, { headers: { accept: 'application/json' } })).status, 400);
    assert.deepEqual(await response.json(), { data: { promptCount: 'Query' } });
  });

  test('loads and asks this server alone', async () => {
    const { address } = await openServer();

    const page = await fetch(`${address}/graphql`, { headers: { accept } });

    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /);
    assert.match(policy, /; connect-src 'self';/);
    assert.doesNotMatch(await page.text(), /(?:src|href)="(?!\.\/|\/")|url\(|@import|https?:\/\//);
  });
});
