import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatInput, openScriptedServer, result, text } from './scripted-chat.ts';
import { readPayloads } from './stream-readers.ts';

const TEXTS = ['a"\n', '$& $1 \\', '', '\u2028\ud800', 'null', '--graphql', '"data":{"content":"', '😀'];

test('texts have the form that the operation selects: aliases, fragments, directives, the text twice or not at all', async (t) => {
  const server = await openScriptedServer(t, async function* () {
    for (const [index, one] of TEXTS.entries()) yield text(one, 1 + (index % 2));
    yield result(1);
  });
  const ask = async (fields: string, isShort: boolean) => {
    const query = `subscription ($input: ChatCompletionInput!, $isShort: Boolean!) {
      chat: chatCompletion(input: $input) { type: __typename ...Text } }
      fragment Text on TextChunk { ${fields} }`;
    const response = await server.subscribe('sse', { query, variables: { input: chatInput(), isShort } });
    return (await readPayloads(response)).map(({ data }) => data.chat);
  };
  const textOf = (repetition: number) => TEXTS.filter((_, index) => 1 + (index % 2) === repetition).join('');

  const fields = 'content again: content repetitionNumber ... @skip(if: $isShort) { datasetExampleId }';
  for (const isShort of [true, false]) {
    const payloads = await ask(fields, isShort);
    assert.deepEqual(payloads.pop(), { type: 'ChatCompletionSubscriptionResult' });
    for (const payload of payloads) {
      const names = ['type', 'content', 'again', 'repetitionNumber', ...(isShort ? [] : ['datasetExampleId'])];
      assert.deepEqual([Object.keys(payload), payload.type], [names, 'TextChunk']);
    }
    for (const repetition of [1, 2]) {
      const own = payloads.filter(({ repetitionNumber }) => repetitionNumber === repetition);
      for (const name of ['content', 'again']) {
        // A lone surrogate is sent as its escape.
        assert.equal(own.map((payload) => payload[name]).join(''), textOf(repetition));
      }
    }
  }

  const bare = await ask('repetitionNumber @include(if: $isShort)', true);
  assert.deepEqual(bare.slice(0, 2), [
    { type: 'TextChunk', repetitionNumber: 1 },
    { type: 'TextChunk', repetitionNumber: 2 },
  ]);
});
