import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EventSplitter } from '../../../src/llm/transport/event-splitter.ts';
import { proxyFor } from '../../../src/llm/transport/proxy-settings.ts';
import { readLimits } from '../../../src/llm/transport/read-limits.ts';
import { retryAfterMs } from '../../../src/llm/transport/retry-after.ts';
import { scrub } from '../../../src/llm/transport/scrub.ts';
import { toEventError, toResponseError } from '../../../src/llm/transport/vendor-error.ts';
import { SeededRandom } from '../../fixtures/seeded-random.ts';

describe('errors of vendors', () => {
  const messageOf = (bodyText: string, type = 'application/json', status = 400) =>
    toResponseError({ status, headers: new Headers({ 'content-type': type }), bodyText }, []).message;

  test('keep their words, whatever the form of the body', () => {
    for (const body of [
      ...['{"error":{"message":"No."}}', '{"message":"No."}', '{"error":"No."}', '{"detail":"No."}', 'No.'],
      ...['[{"error":{"code":400,"message":"No."}}]', '{"detail":[{"loc":["body"],"msg":"No."}]}', '{"Message":"No."}'],
    ]) {
      assert.equal(messageOf(body), 'No.', body);
    }
    assert.equal(
      messageOf('<html><title>502 Bad Gateway</title><script>x</script>', 'text/html', 502),
      '502 Bad Gateway',
    );
    assert.equal(messageOf(''), 'The model endpoint responded with status 400.');
  });

  test('are no rate limit when the budget is used up', () => {
    const headers = new Headers();
    const bodyText = '{"error":{"message":"You exceeded your quota.","code":"insufficient_quota"}}';

    assert.equal(toResponseError({ status: 429, headers, bodyText }, []).kind, 'rejected');
    assert.equal(toResponseError({ status: 429, headers, bodyText: '{}' }, []).kind, 'rateLimited');
    assert.equal(toEventError({ error: { type: 'rate_limit_exceeded' } }, []).kind, 'rateLimited');
    assert.equal(toEventError({ type: 'error', code: 'server_error', message: 'Oops' }, []).kind, 'unavailable');
    assert.equal(toEventError({ error: { code: 'invalid_prompt' } }, []).kind, 'rejected');
    assert.equal(toEventError({ error: { type: 'overloaded_error', message: 'Overloaded' } }, []).kind, 'unavailable');
  });

  test('name the wait of Google', () => {
    const bodyText = '{"error":{"status":"RESOURCE_EXHAUSTED","details":[{"@type":"x"},{"retryDelay":"34.5s"}]}}';

    assert.equal(toResponseError({ status: 429, headers: new Headers(), bodyText }, []).retryAfterMs, 34_500);
  });
});

describe('limits in headers', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const read = (headers: Record<string, string>) => readLimits(new Headers(headers), now);

  test('are read as vendors write them', () => {
    assert.deepEqual(
      read({
        ...{ 'x-ratelimit-limit-requests': '60', 'x-ratelimit-remaining-requests': '59' },
        ...{ 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-limit-tokens': '150000' },
        ...{ 'x-ratelimit-remaining-tokens': '149984', 'x-ratelimit-reset-tokens': '6m0s' },
      }),
      [
        { name: 'requests', unit: 'requests', limit: 60, remaining: 59, resetMs: 1_000 },
        { name: 'tokens', unit: 'tokens', limit: 150_000, remaining: 149_984, resetMs: 360_000 },
      ],
    );
    assert.deepEqual(
      read({
        ...{ 'anthropic-ratelimit-input-tokens-limit': '50000', 'anthropic-ratelimit-input-tokens-remaining': '0' },
        'anthropic-ratelimit-input-tokens-reset': '2026-01-01T00:00:30Z',
      }),
      [{ name: 'input-tokens', unit: 'tokens', limit: 50_000, remaining: 0, resetMs: 30_000 }],
    );
    assert.deepEqual(
      read({ 'ratelimit-limit': '100, 100;w=60', 'ratelimit-remaining': '7', 'ratelimit-reset': '50' }),
      [{ name: '', unit: 'requests', limit: 100, remaining: 7, resetMs: 50_000 }],
    );
  });

  test('are ignored when they are incomplete, impossible, or count something else', () => {
    const whole = { limit: '10', remaining: '5', reset: '10' };
    const headersOf = (parts: Record<string, string>, name = 'requests') =>
      Object.fromEntries(Object.entries(parts).map(([word, value]) => [`x-ratelimit-${word}-${name}`, value]));
    assert.equal(read(headersOf(whole)).length, 1);
    for (const changed of [
      ...[
        { limit: '' },
        { limit: '0' },
        { remaining: '11' },
        { remaining: '-1' },
        { remaining: '5e3' },
        { reset: '0' },
      ],
      ...[{ reset: 'soon' }, { limit: '1'.repeat(400) }],
    ]) {
      assert.deepEqual(read(headersOf({ ...whole, ...changed })), [], JSON.stringify(changed));
    }
    assert.deepEqual(read(headersOf(whole, 'images')), []);
    assert.deepEqual(read(headersOf({ remaining: '0' })), []);
    const many = Object.assign({}, ...Array.from({ length: 100 }, (_, index) => headersOf(whole, `requests-${index}`)));
    assert.equal(read(many).length, 20);
  });
});

describe('texts', () => {
  test('lose keys in all forms', () => {
    const key = 'k"e/y+0123 ä=';
    const forms = [key, encodeURIComponent(key), JSON.stringify(key), Buffer.from(key).toString('base64')];

    for (const form of forms) {
      assert.ok(!scrub(`The key ${form} is wrong`, [key]).includes(form.replaceAll('"', '')), form);
    }
    for (const text of [
      ...[
        'sk-proj-abcdefghij',
        'AKIAIOSFODNN7EXAMPLE',
        'AIzaSyA1234567890abcdef',
        'Bearer abcdefgh12',
        'sk-ant-api03-abc',
      ],
      ...[
        'https://user:secretpass@host/',
        'https://host/?key=abcdefghi',
        'x-api-key: abcdefgh',
        '"api_key":"abcdefgh"',
      ],
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc',
    ]) {
      assert.ok(scrub(`x ${text} y`, []).includes('[removed]'), text);
    }
  });

  test('keep words, and are bounded', () => {
    const sentence = 'The model gpt-4o-mini does not exist. Ask task-force-2 about basic key limits.';

    assert.equal(scrub(sentence, []), sentence);
    assert.equal(scrub('\u0000\u001b[31mred', []), '[31mred');
    assert.ok(scrub('x'.repeat(100_000), []).length <= 2_000);
  });

  test('take no long time, whatever they are', () => {
    for (const part of ['sk-', 'a:b@', 'Bearer ', '://:', '?key=', 'eyJ.', 'api-key: '])
      scrub(part.repeat(20_000), ['secret']);
  });
});

describe('the wait that a vendor requests', () => {
  const NOW = Date.parse('2026-11-23T12:00:00Z');
  const wait = (headers: Record<string, string>) => retryAfterMs(new Headers(headers), undefined, NOW);

  test('is read in all forms, and bounded', () => {
    assert.equal(wait({ 'retry-after': '2' }), 2_000);
    assert.equal(wait({ 'retry-after': '0.25' }), 250);
    assert.equal(wait({ 'retry-after': 'Mon, 23 Nov 2026 12:00:30 GMT' }), 30_000);
    assert.equal(wait({ 'retry-after': 'Mon, 23 Nov 2026 11:00:00 GMT' }), 0);
    assert.equal(wait({ 'retry-after': '99999999' }), 86_400_000);
    assert.equal(wait({ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6m0s' }), 360_000);
    assert.equal(wait({ 'x-ratelimit-remaining-requests': '3', 'x-ratelimit-reset-requests': '6m0s' }), undefined);
    assert.equal(
      wait({ 'anthropic-ratelimit-tokens-remaining': '0', 'anthropic-ratelimit-tokens-reset': '2026-11-23T12:00:05Z' }),
      5_000,
    );
    for (const text of ['soon', '-1', 'NaN', '1e999', '']) assert.equal(wait({ 'retry-after': text }), undefined, text);
  });
});

describe('proxies', () => {
  const http = 'http://proxy:1';
  const https = 'http://proxy:2';
  const of = (url: string, ...noProxy: string[]) => proxyFor(new URL(url), { http, https, noProxy });

  test('are chosen by scheme, and not for loopback or excepted hosts', () => {
    assert.equal(of('http://a.example/'), http);
    assert.equal(of('https://a.example/'), https);
    for (const url of ['http://localhost:1/', 'http://127.0.0.9/', 'http://[::1]/', 'http://x.localhost/']) {
      assert.equal(of(url), undefined, url);
    }
    assert.equal(of('https://a.example/', 'a.example'), undefined);
    assert.equal(of('https://a.b.example/', '.b.example'), undefined);
    assert.equal(of('https://a.example/', 'a.example:8080'), https);
    assert.equal(of('https://a.example:8080/', 'a.example:8080'), undefined);
    assert.equal(of('https://notb.example/', 'b.example'), https);
    assert.equal(of('https://a.example/', '*'), undefined);
  });
});

describe('events', () => {
  test('are the same however the stream is cut', () => {
    const stream = Buffer.from(
      '\n\ndata: a\n\nevent: x\r\ndata: é\r\n\r\n\r\n: ping\n\ndata: 1\ndata: 2\n\ndata: rest',
    );
    const whole = split([stream]);
    const random = new SeededRandom(7);

    assert.deepEqual(whole, [
      'data: a\n\n',
      'event: x\r\ndata: é\r\n\r\n',
      ': ping\n\n',
      'data: 1\ndata: 2\n\n',
      'data: rest',
    ]);
    for (let round = 0; round < 200; round++) {
      const chunks: Buffer[] = [];
      for (let at = 0; at < stream.length; ) {
        const end = Math.min(stream.length, at + 1 + random.below(6));
        chunks.push(stream.subarray(at, end));
        at = end;
      }
      assert.deepEqual(split(chunks), whole);
    }
  });

  function split(chunks: readonly Buffer[]): string[] {
    const events: string[] = [];
    const splitter = new EventSplitter();
    for (const chunk of chunks) splitter.push(chunk, (event) => events.push(event.toString()));
    const rest = splitter.end();
    return rest ? [...events, rest.toString()] : events;
  }
});
