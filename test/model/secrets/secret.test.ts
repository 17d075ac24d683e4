import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowsHost, findSecretHostsProblem, normalizeSecretHost } from '../../../src/model/secrets/secret.ts';

test('a host is written as URLs write it', () => {
  assert.equal(normalizeSecretHost(' API.OpenAI.com. '), 'api.openai.com');
  assert.equal(normalizeSecretHost('bücher.example'), 'xn--bcher-kva.example');
  assert.equal(normalizeSecretHost('[::0001]'), '[::1]');
  assert.equal(normalizeSecretHost('0x7f.1'), '127.0.0.1');
  assert.equal(normalizeSecretHost('*.Example.com'), '*.example.com');
  for (const wrong of [
    '',
    '*',
    'a b',
    'a:80',
    'https://a',
    'a/b',
    'user@a',
    'a?b',
    'a#b',
    '*.*.a',
    'a\\b',
    '%41',
    '.',
  ]) {
    assert.equal(normalizeSecretHost(wrong), undefined, wrong);
  }
});

test('a secret goes only to its hosts', () => {
  const hosts = ['api.openai.com', '*.example.com'];

  for (const host of ['api.openai.com', 'API.OPENAI.COM.', 'a.example.com', 'b.a.example.com']) {
    assert.ok(allowsHost(hosts, host), host);
  }
  for (const host of [
    'openai.com',
    'example.com',
    'evilexample.com',
    'api.openai.com.evil.org',
    'x@api.openai.com',
    '',
  ]) {
    assert.ok(!allowsHost(hosts, host), host);
  }
  assert.ok(allowsHost(null, 'anything.example'));
});

test('a list of hosts has at least one host and no other text', () => {
  assert.equal(findSecretHostsProblem(['a.example']), undefined);
  assert.match(findSecretHostsProblem([]) ?? '', /at least one/);
  assert.match(findSecretHostsProblem(['a.example:443']) ?? '', /without a port/);
  assert.match(findSecretHostsProblem(Array(101).fill('a')) ?? '', /at most 100/);
});
