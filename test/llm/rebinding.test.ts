import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ModelError } from '../../src/llm/contract/model-error.ts';
import { openChatModels } from '../../src/llm/open-chat-models.ts';
import { NO_PROXIES } from '../../src/llm/transport/proxy-settings.ts';
import type { TransportOptions } from '../../src/llm/transport/vendor-transport.ts';
import { VENDOR_PROTOCOLS } from '../vendor-endpoint/vendor-call.ts';
import { openVendorEndpoint } from '../vendor-endpoint/vendor-endpoint.ts';
import { MODEL_TARGETS } from './model-targets.ts';
import { requestOf } from './vendor-fixtures.ts';

const PARAMETERS = {
  'openai-chat': { type: 'openai', openai: {} },
  'openai-responses': { type: 'openai', openai: {} },
  'anthropic-messages': { type: 'anthropic', anthropic: { max_tokens: 100 } },
  'google-generate-content': { type: 'google', google: {} },
  'bedrock-converse': { type: 'aws', aws: {} },
} as const;

const OPTIONS = { key: 'test-key-0123456789', modelName: 'test-model' };

for (const protocol of VENDOR_PROTOCOLS) {
  test(`${protocol}: a name that leads to metadata from some time on is not followed there`, async (t) => {
    const endpoint = await openVendorEndpoint(t as { after(close: () => Promise<void>): void });
    let address = '127.0.0.1';
    const resolve = ((_name: string, _options: object, callback: (error: null, all: object[]) => void) =>
      callback(null, [{ address, family: 4 }])) as unknown as NonNullable<TransportOptions['resolve']>;
    const models = openChatModels({ proxies: NO_PROXIES, allowsPrivate: true, resolve });
    t.after(() => models.close());
    const model = models.open(MODEL_TARGETS[protocol](endpoint.url.replace('127.0.0.1', 'rebinding.example'), OPTIONS));
    const call = (isStreamed: boolean) =>
      model.call(requestOf('google', '[[say fine]] [[latency 20]]', { parameters: PARAMETERS[protocol], isStreamed }), {
        signal: new AbortController().signal,
        onPiece: () => {},
      });

    assert.equal((await call(true)).text, 'fine');
    address = '169.254.169.254';
    // One may use the open connection, which leads to the checked address; the others need new ones.
    const outcomes = await Promise.allSettled([call(true), call(false), call(true), call(false)]);

    const errors = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    assert.ok(errors.length >= 3, `${errors.length} of 4 calls failed`);
    for (const error of errors) assert.ok(error instanceof ModelError && error.kind === 'blocked', String(error));
    assert.equal(endpoint.calls.length, 1 + outcomes.length - errors.length);
  });

  test(`${protocol}: a redirect is not followed, wherever it leads`, async (t) => {
    const other = await openVendorEndpoint(t as { after(close: () => Promise<void>): void });
    const endpoint = await openVendorEndpoint(t as { after(close: () => Promise<void>): void });
    const models = openChatModels({ proxies: NO_PROXIES, allowsPrivate: true });
    t.after(() => models.close());
    const model = models.open(MODEL_TARGETS[protocol](endpoint.url, OPTIONS));

    for (const to of ['http://169.254.169.254/latest/meta-data', `${other.url}/v1/chat/completions`, '/elsewhere']) {
      for (const isStreamed of [true, false]) {
        const request = requestOf('google', `[[fault redirect ${to}]]`, {
          parameters: PARAMETERS[protocol],
          isStreamed,
        });
        const calling = model.call(request, { signal: new AbortController().signal, onPiece: () => {} });
        await assert.rejects(calling, { name: 'ModelError', kind: 'rejected' });
      }
    }
    assert.equal(other.calls.length + other.otherRequests.length, 0);
    assert.equal(endpoint.otherRequests.length, 0);
    assert.equal(endpoint.calls.length, 6);
  });
}
