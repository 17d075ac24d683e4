import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { shareTestServer } from '../test-server.ts';

const openServer = shareTestServer();

const CALLS = [
  { spanKind: 'LLM', provider: 'openai', modelName: 'gpt-4o' },
  { spanKind: 'LLM', provider: 'azure', modelName: 'o3-mini' },
  { spanKind: 'LLM', modelName: 'claude-sonnet-4-5' },
  { spanKind: 'LLM', provider: 'google', modelName: 'gemini-2.5-pro' },
  { spanKind: 'LLM' },
  { spanKind: 'CHAIN', provider: 'openai', modelName: 'gpt-4o' },
] as const;

describe('Invocation parameters of a span', () => {
  test('are those that its model can be called with', async () => {
    const server = await openServer();
    await server.append(
      ...CALLS.map((call, i) => ({ traceId: 'a'.repeat(32), spanId: `${i + 1}`.padStart(16, '0'), ...call })),
    );

    const names: string[] = [];
    for (const index of CALLS.keys()) {
      const { node } = await server.ask(`{node(id:"${toGlobalId('Span', index + 1)}"){...on Span{
        invocationParameters{...on InvocationParameterBase{invocationName}}}}}`);
      names.push(node.invocationParameters.map((one: { invocationName: string }) => one.invocationName).join(' '));
    }

    const ofOpenAi =
      'temperature max_tokens max_completion_tokens frequency_penalty presence_penalty stop top_p seed extra_body';
    assert.deepEqual(names, [
      ofOpenAi,
      'reasoning_effort max_completion_tokens seed extra_body',
      'max_tokens temperature stop_sequences top_p thinking extra_body',
      'temperature max_output_tokens stop_sequences top_p top_k thinking_config',
      ofOpenAi,
      '',
    ]);
  });

  test('state their type, bounds and names', async () => {
    const server = await openServer();
    await server.append({ traceId: 'a'.repeat(32), spanId: '1'.padStart(16, '0'), ...CALLS[2] });

    const { node } =
      await server.ask(`{node(id:"${toGlobalId('Span', await server.store.newestSpanRowId())}"){...on Span{invocationParameters{__typename
      ...on InvocationParameterBase{invocationName canonicalName label required}
      ...on IntInvocationParameter{invocationInputField defaultInt:defaultValue}
      ...on BoundedFloatInvocationParameter{invocationInputField minValue maxValue defaultFloat:defaultValue}}}}}`);

    assert.deepEqual(node.invocationParameters.slice(0, 2), [
      {
        __typename: 'IntInvocationParameter',
        invocationName: 'max_tokens',
        canonicalName: 'MAX_COMPLETION_TOKENS',
        label: 'Max tokens',
        required: true,
        invocationInputField: 'value_int',
        defaultInt: 1024,
      },
      {
        __typename: 'BoundedFloatInvocationParameter',
        invocationName: 'temperature',
        canonicalName: 'TEMPERATURE',
        label: 'Temperature',
        required: false,
        invocationInputField: 'value_float',
        minValue: 0,
        maxValue: 1,
        defaultFloat: 1,
      },
    ]);
  });
});
