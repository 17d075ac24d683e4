import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ChatPiece } from '../../../src/llm/contract/chat-model.ts';
import { ModelError } from '../../../src/llm/contract/model-error.ts';
import { ChunkReader } from '../../../src/llm/openai/chat/chunk-reader.ts';
import { readCompletion } from '../../../src/llm/openai/chat/read-completion.ts';
import { EventReader } from '../../../src/llm/openai/responses/event-reader.ts';
import { readResponse } from '../../../src/llm/openai/responses/read-response.ts';
import { OutputCollector } from '../../../src/llm/output-collector.ts';
import { asObject } from '../../../src/llm/read-values.ts';
import type { VendorCall } from '../../../src/llm/transport/vendor-transport.ts';

const call: VendorCall = {
  fetch,
  secrets: [],
  hold: () => {},
  hide: () => {},
  scrub: (text) => text,
};
const delta = (content: object, more: object = {}) => ({ choices: [{ index: 0, delta: content, ...more }] });
const toolDelta = (fields: object) => delta({ tool_calls: [fields] });

describe('chunks of chat completions', () => {
  test('join calls by the index of the vendor, in any order', () => {
    const { output } = readChunks([
      toolDelta({ index: 1, id: 'b', function: { name: 'second', arguments: '{"b"' } }),
      toolDelta({ index: 0, id: 'a', function: { name: 'first', arguments: '{' } }),
      toolDelta({ index: 1, function: { arguments: ':2}' } }),
      toolDelta({ index: 0, function: { arguments: '}' } }),
    ]);

    assert.deepEqual(output.toolCalls, [
      { id: 'b', name: 'second', arguments: '{"b":2}' },
      { id: 'a', name: 'first', arguments: '{}' },
    ]);
  });

  test('distinguish whole calls that all have the index 0', () => {
    const { output } = readChunks([
      toolDelta({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":1}' } }),
      toolDelta({ index: 0, id: 'b', function: { name: 'f', arguments: '{"x":2}' } }),
    ]);

    assert.deepEqual(
      output.toolCalls.map(({ arguments: args }) => args),
      ['{"x":1}', '{"x":2}'],
    );
  });

  test('accept calls without index or id, and arguments that are an object', () => {
    const { output } = readChunks([
      delta({ tool_calls: [{ function: { name: 'f', arguments: { x: 1 } } }, { function: { name: 'g' } }] }),
    ]);

    assert.deepEqual(
      output.toolCalls.map(({ name, arguments: args }) => [name, args]),
      [
        ['f', '{"x":1}'],
        ['g', ''],
      ],
    );
    for (const { id } of output.toolCalls) assert.match(id, /^call_/);
  });

  test('have the text of the first choice, reasoning under both names, and declined requests', () => {
    const { output, reader } = readChunks([
      {},
      { choices: [] },
      delta({ reasoning_content: 'a' }),
      delta({ reasoning: 'b' }),
      delta({ content: [{ type: 'text', text: 'c' }] }),
      { choices: [{ index: 1, delta: { content: 'other' } }] },
      delta({ refusal: 'd' }, { finish_reason: 'stop' }),
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: Number.NaN, total_tokens: '3' } },
    ]);

    assert.deepEqual([output.reasoning, output.text, reader.finishReason], ['ab', 'cd', 'stop']);
    assert.deepEqual(reader.usage, { prompt: 1 });
  });
});

describe('whatever a vendor sends', () => {
  const names = [
    ...[
      'choices',
      'delta',
      'message',
      'content',
      'tool_calls',
      'function',
      'arguments',
      'index',
      'id',
      'usage',
      'type',
    ],
    ...['output', 'item', 'output_index', 'response', 'error', 'text', 'summary', '__proto__', 'constructor', 'status'],
  ];
  const types = ['response.output_text.delta', 'response.output_item.added', 'response.completed', 'function_call'];
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<unknown>(null, 0, -1, Number.POSITIVE_INFINITY, Number.NaN, '', 'text', true, ...types),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names), tie('value'), { noNullPrototype: true, maxKeys: 6 }),
    ),
  }));
  const readers: Readonly<Record<string, (received: unknown, output: OutputCollector) => void>> = {
    'a completion': (received, output) => readCompletion(asObject(received), output, call),
    'a chunk': (received, output) => new ChunkReader(output).read(asObject(received)),
    'a response': (received, output) => readResponse(asObject(received), output, call),
    'an event': (received, output) => {
      const reader = new EventReader(output, call);
      reader.read(asObject(received));
      reader.end();
    },
  };

  for (const [name, read] of Object.entries(readers)) {
    test(`${name} is read, or rejected by an error of the contract`, () => {
      fc.assert(
        fc.property(value, (received) => {
          const output = new OutputCollector(() => {});
          try {
            read(received, output);
          } catch (error) {
            assert.ok(error instanceof ModelError, String(error));
          }
          assert.equal(typeof output.text, 'string');
          for (const { id, name: tool, arguments: args } of output.toolCalls) {
            for (const text of [id, tool, args]) assert.equal(typeof text, 'string');
          }
          assert.deepEqual(Object.keys(Object.prototype), []);
        }),
        { numRuns: 300 },
      );
    });
  }

  test('is bounded in its characters and its tool calls', () => {
    const output = new OutputCollector(() => {});
    const text = 'x'.repeat(100_000);

    assert.throws(() => {
      for (;;) output.addText(text);
    }, isTooLarge);
    assert.throws(() => {
      for (;;) output.addToolCall('', '', '');
    }, isTooLarge);
    assert.ok(output.text.length < 3_000_000);
  });
});

const isTooLarge = { kind: 'unreadable', message: 'The response of the model is too large.' };

function readChunks(chunks: readonly object[]) {
  const pieces: ChatPiece[] = [];
  const output = new OutputCollector((piece) => pieces.push(piece));
  const reader = new ChunkReader(output);
  for (const chunk of chunks) reader.read(asObject(chunk));
  return { output, reader, pieces };
}
