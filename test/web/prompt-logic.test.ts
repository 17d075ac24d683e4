import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ContentMessage } from '../../src/web/components/prompt/version-content.ts';
import { parseMetadata } from '../../src/web/pages/prompt/dialogs/parse-metadata.ts';
import { toSchemaRows } from '../../src/web/pages/prompt/version/schema-rows.ts';
import { divideText, type TemplateTag } from '../../src/web/pages/prompt/version/template-parts.ts';
import { pairMessages } from '../../src/web/pages/prompt/versions/pair-messages.ts';
import { SeededRandom } from '../fixtures/seeded-random.ts';

/** Messages from texts like `s:be brief` (system), `u:hi` (user) and `a:hello` (assistant). */
const messages = (...texts: string[]): ContentMessage[] =>
  texts.map((text) => ({
    role: { s: 'system', u: 'user', a: 'assistant' }[text.charAt(0)]!,
    content: text.slice(2),
  }));
const pairs = (base: string[], next: string[]) =>
  pairMessages(messages(...base), messages(...next)).map((pair) => [
    pair.kind,
    'before' in pair ? pair.before : null,
    'after' in pair ? pair.after : null,
  ]);

describe('pairing the messages of two versions', () => {
  test('finds changed, added and removed messages between equal ones', () => {
    assert.deepEqual(pairs(['s:one', 'u:q', 'a:x'], ['s:two', 'u:q', 'a:x', 'u:more']), [
      ['changed', 0, 0],
      ['same', 1, 1],
      ['same', 2, 2],
      ['added', null, 3],
    ]);
    assert.deepEqual(pairs(['s:one', 'a:gone', 'u:q'], ['s:one', 'u:q']), [
      ['same', 0, 0],
      ['removed', 1, null],
      ['same', 2, 1],
    ]);
  });

  test('finds a message that moved', () => {
    assert.deepEqual(pairs(['s:rules', 'u:q', 'a:look'], ['s:rules', 'a:look', 'u:q']), [
      ['same', 0, 0],
      ['same', 2, 1],
      ['moved', 1, 2],
    ]);
  });

  test('does not call a message of another role changed', () => {
    assert.deepEqual(pairs(['u:x'], ['s:y']), [
      ['added', null, 0],
      ['removed', 0, null],
    ]);
  });

  test('names each message of both versions once, with any messages', () => {
    const random = new SeededRandom(11);
    for (let round = 0; round < 300; round++) {
      const some = () =>
        Array.from({ length: random.below(7) }, () => `${'sua'.charAt(random.below(3))}:${random.below(4)}`);
      const [base, next] = [some(), some()];
      const found = pairs(base, next);
      const used = (side: 1 | 2) => found.map((pair) => pair[side]).filter((index) => index !== null);
      assert.deepEqual([...used(1)].sort(), [...base.keys()], JSON.stringify([base, next]));
      assert.deepEqual(used(2), [...next.keys()], JSON.stringify([base, next]));
    }
  });
});

describe('parts of a template', () => {
  const tag = (start: number, end: number): TemplateTag => ({
    messageIndex: 0,
    partIndex: 0,
    kind: 'VARIABLE',
    name: 'x',
    start,
    end,
  });

  test('are the text with its tags, up to a length that divides no tag', () => {
    const text = 'Hi {{x}}, bye {{x}}!';
    const tags = [tag(3, 8), tag(14, 19)];
    const textsOf = (charsMax: number) => divideText(text, tags, charsMax).map((part) => part.text);
    assert.deepEqual(textsOf(100), ['Hi ', '{{x}}', ', bye ', '{{x}}', '!']);
    assert.deepEqual(textsOf(5), ['Hi ', '{{x}}']);
    assert.deepEqual(textsOf(10), ['Hi ', '{{x}}', ', ']);
    assert.deepEqual(textsOf(2), ['Hi']);
  });
});

describe('rows of a JSON schema', () => {
  test('are its properties, parents first, with own keys only', () => {
    const schema = JSON.parse(`{"type": "object", "required": ["a"], "properties": {
      "a": {"type": "array", "items": {"type": "string", "enum": ["x"]}, "description": "d"},
      "__proto__": {"type": ["string", "null"], "properties": {"constructor": {"enum": [1]}}}, "broken": 3}}`);
    assert.deepEqual(
      toSchemaRows(schema)?.map(({ path, type, isRequired, values }) => [path, type, isRequired, values]),
      [
        ['a', 'list of string', true, ['"x"']],
        ['__proto__', 'string or null', false, []],
        ['__proto__.constructor', 'any', false, ['1']],
      ],
    );
    assert.equal(toSchemaRows({ type: 'string' }), undefined);
  });
});

test('metadata must be a JSON object, and the problem names the received type', () => {
  assert.deepEqual(parseMetadata('{"a": 1}'), { value: { a: 1 }, problem: undefined });
  assert.deepEqual(parseMetadata(' '), { value: {}, problem: undefined });
  assert.equal(parseMetadata('[1]').problem, 'Expected a JSON object, received a list.');
  assert.equal(parseMetadata('null').problem, 'Expected a JSON object, received null.');
  assert.match(parseMetadata('{').problem!, /^Expected a JSON object: /);
});
