import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ModelError } from '../../src/llm/contract/model-error.ts';
import type { ModelTarget } from '../../src/llm/contract/model-target.ts';
import { callOnce, OWN_VENDORS, type OwnVendor, openVendorTest, requestOf } from './vendor-fixtures.ts';

describe('a response of a vendor', () => {
  test('is recorded whole, or as text where the stream has no whole response', async (t) => {
    const vendors = await openVendorTest(t, { answer: () => ({ text: ['a ', 'b'] }) });
    const output = async (vendor: OwnVendor, isStreamed: boolean) =>
      (await callOnce(vendors, vendors.open(vendor), requestOf(vendor, 'Hi', { isStreamed }))).response.output;

    const [whole, streamed] = [await output('anthropic', false), await output('anthropic', true)];
    assert.deepEqual(JSON.parse(streamed.text).content, [{ type: 'text', text: 'a b' }]);
    assert.deepEqual(Object.keys(JSON.parse(whole.text)).sort(), Object.keys(JSON.parse(streamed.text)).sort());
    assert.deepEqual(await output('google', true), { text: 'a b', isJson: false });
    assert.deepEqual(await output('bedrock', true), { text: 'a b', isJson: false });
    assert.equal(JSON.parse((await output('bedrock', false)).text).output.message.content[0].text, 'a b');
  });

  test('keeps the digits of arguments', async (t) => {
    const text = '{"n":9007199254740993,"share":1.0}';
    for (const vendor of OWN_VENDORS) {
      for (const isStreamed of [false, true]) {
        const vendors = await openVendorTest(t, {
          answer: () => ({ toolCalls: [{ name: 'f', arguments: '@' }] }),
          rewrite: (bytes) => bytes.replaceAll('"@"', text),
        });
        // Streams of Anthropic and Bedrock have arguments as text.
        if (isStreamed && vendor !== 'google')
          vendors.endpoint.configure({ answer: () => ({ toolCalls: [{ name: 'f', arguments: text }] }) });

        const { response } = await callOnce(vendors, vendors.open(vendor), requestOf(vendor, 'Hi', { isStreamed }));

        assert.equal(response.toolCalls[0]?.arguments, text, `${vendor} ${isStreamed}`);
      }
    }
  });
});

describe('a call that fails', () => {
  test('reports the message of the vendor, without the key', async (t) => {
    const vendors = await openVendorTest(t, {
      answer: () => ({ fault: { type: 'status', status: 400, message: 'Bad key test-key-0123456789 in request' } }),
    });
    for (const vendor of OWN_VENDORS) {
      await assert.rejects(callOnce(vendors, vendors.open(vendor), requestOf(vendor, 'Hi')), {
        message: 'Bad key [removed] in request',
      });
    }
  });

  test('is an error for a response that is nested too deeply, and pollutes nothing', async (t) => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    for (const vendor of ['anthropic', 'google'] as const) {
      for (const isStreamed of [false, true]) {
        const vendors = await openVendorTest(t, {
          answer: () => ({ text: 'x', toolCalls: [{ name: 'f', arguments: { a: '@' } }] }),
          rewrite: (text) =>
            text.replaceAll('"@"', deep).replace('{"id":', `{"__proto__":{"isPolluted":true},"x":${deep},"id":`),
        });

        const calling = callOnce(vendors, vendors.open(vendor), requestOf(vendor, 'Hi', { isStreamed }));
        const result = await calling.then(
          ({ response }) => response.toolCalls.length,
          (error: unknown) => error,
        );

        // Arguments arrive as text in the streams of Anthropic, of which nothing is parsed.
        assert.ok(result instanceof ModelError ? result.kind === 'unreadable' : result === 1, String(result));
        assert.equal(({} as Record<string, unknown>).isPolluted, undefined);
      }
    }
  });

  test('reports a prompt that Google blocks', async (t) => {
    const vendors = await openVendorTest(t, {
      answer: () => ({ text: 'x' }),
      rewrite: () => '{"promptFeedback":{"blockReason":"SAFETY"}}',
    });

    await assert.rejects(callOnce(vendors, vendors.open('google'), requestOf('google', 'Hi')), {
      kind: 'rejected',
      message: 'The vendor blocked the prompt: SAFETY.',
    });
  });
});

describe('credentials of the cloud', () => {
  const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] as const;
  const target = (url: string, region: string): ModelTarget => ({
    ...{ modelName: 'm', modelProvider: 'AWS', providerWord: 'aws' },
    connection: { ...{ type: 'aws_bedrock', region, endpointUrl: url, headers: {} }, credential: { type: 'default' } },
  });

  test('come from the default chain, and do not appear in errors', async (t) => {
    const values = ['of-chain-id-01234', 'of-chain-secret-01234', 'of-chain-token-01234'];
    for (const [index, name] of names.entries()) process.env[name] = values[index];
    t.after(() => {
      for (const name of names) delete process.env[name];
    });
    const message = `Canonical string: x-amz-security-token:${values[2]} ${values[0]}`;
    const vendors = await openVendorTest(t, { answer: () => ({ fault: { type: 'status', status: 403, message } }) });
    const model = vendors.models.open(target(vendors.endpoint.url, 'eu-north-1'));

    await assert.rejects(callOnce(vendors, model, requestOf('bedrock', 'Hi')), {
      message: 'Canonical string: x-amz-security-token:[removed] [removed]',
    });

    const { headers } = vendors.endpoint.calls[0]!;
    assert.match(headers.authorization!, /Credential=of-chain-id-01234\/\d+\/eu-north-1\/bedrock\//);
    assert.equal(headers['x-amz-security-token'], values[2]);
  });
});
