import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ExactJsonObject } from '../../../../src/base/exact-json.ts';
import type { TemplateFormat } from '../../../../src/model/prompts/prompt-template.ts';
import { matchTemplate, placeText } from '../../../../src/domain/playground/replay/match-template.ts';
import { renderChatTemplate } from '../../../../src/domain/prompts/render-template.ts';

const chat = (...texts: string[]) => ({
  type: 'chat' as const,
  messages: texts.map((content) => ({ role: 'user' as const, content })),
});
const match = (template: string[], texts: string[], format: TemplateFormat = 'MUSTACHE') => {
  const found = matchTemplate(chat(...template), format, chat(...texts).messages);
  return found && (JSON.parse(JSON.stringify(found)) as unknown);
};

describe('variables', () => {
  test('are recovered from the messages of a template', () => {
    assert.deepEqual(match(['Say {{a}} to {{b.c}}!', 'And {{a}}'], ['Say x to y!', 'And x']), {
      ...{ a: 'x', b: { c: 'y' } },
    });
    assert.deepEqual(match(['{{q}}'], ['a\nb {{c}}']), { q: 'a\nb {{c}}' });
    assert.deepEqual(match(['{{{{{x}}}}}', 'n'], ['{{1}}', 'n'], 'F_STRING'), { x: '1' });
  });

  test('may contain the text that follows them, at the end of a message', () => {
    assert.deepEqual(match(['{{a}}.'], ['1.2.3.']), { a: '1.2.3' });
  });

  test('are not recovered when the messages are not of the template, or the template is ambiguous', () => {
    for (const [template, text] of [
      ['Say {{a}}!', 'Do x!'],
      ['{{a}} and {{a}}', 'x and y'],
      ['{{a}}{{b}}', 'xy'],
      ['{{#list}}{{.}}{{/list}}', 'xy'],
      ['no variable', 'other text'],
      ['ab {{a}} ba', 'ab ba'],
    ] as const) {
      assert.equal(match([template], [text]), undefined, template);
    }
    assert.equal(match(['a', 'b'], ['a']), undefined);
  });

  test('may have the names of a prototype, and change no prototype', () => {
    const found = matchTemplate(chat('{{__proto__.x}} {{constructor}}'), 'MUSTACHE', chat('1 2').messages);

    assert.equal(JSON.stringify(found), '{"__proto__":{"x":"1"},"constructor":"2"}');
    assert.equal(({} as Record<string, unknown>).x, undefined);
  });

  test('of a long text are found at once, whatever the template', () => {
    const template = Array.from({ length: 2_000 }, (_, i) => `a{{v${i}}}`).join('');

    assert.equal(match([`${template}b`], ['a'.repeat(2_000_000)]), undefined);
    assert.equal(match([`{{${'a.'.repeat(1_000_000)}a}}`], ['x']), undefined);
    assert.equal(match(['a{{b}}'.repeat(1_000_000)], ['x']), undefined);
  });

  test('that were rendered are recovered', () => {
    const words = ['a', 'b ', '\n', '{', '}', '"', '<', 'é'];
    let seed = 7;
    const random = (max: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % max;
    };
    const word = () => Array.from({ length: random(4) + 1 }, () => words[random(words.length)]).join('');
    for (let round = 0; round < 200; round++) {
      const variables: ExactJsonObject = Object.create(null) as ExactJsonObject;
      const text = Array.from({ length: random(4) }, (_, i) => {
        variables[`v${i}`] = word();
        return `|${i}|{{v${i}}}`;
      }).join('');
      const template = chat(`${text}|end`);
      const rendered = renderChatTemplate(template, { format: 'MUSTACHE', variables });

      const found = matchTemplate(template, 'MUSTACHE', rendered.messages);

      assert.ok(found, `round ${round}`);
      assert.equal(JSON.stringify(found), JSON.stringify(variables));
    }
  });
});

describe('a template of one text', () => {
  const sent = [
    { role: 'system' as const, content: 'You help.' },
    { role: 'user' as const, content: 'Where is 1?' },
    { role: 'assistant' as const, content: 'Here.' },
    { role: 'user' as const, content: 'Where is 7?' },
  ];

  test('replaces the last message that comes from it', () => {
    assert.deepEqual(placeText('Where is {{n}}?', 'MUSTACHE', sent), [
      ...sent.slice(0, 3),
      { role: 'user', content: 'Where is {{n}}?' },
    ]);
  });

  test('is alone when no message comes from it, or another one would be read as a template', () => {
    const alone = [{ role: 'user', content: 'Who is {{n}}?' }];
    assert.deepEqual(placeText('Who is {{n}}?', 'MUSTACHE', sent), alone);
    assert.deepEqual(placeText('Who is {{n}}?', 'MUSTACHE', []), alone);
    const odd = [{ role: 'system' as const, content: 'Write {{x}}.' }, ...sent.slice(1)];
    assert.deepEqual(placeText('Where is {{n}}?', 'MUSTACHE', odd), [{ role: 'user', content: 'Where is {{n}}?' }]);
  });
});
