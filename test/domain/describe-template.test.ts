import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEMPLATE_TAG_COUNT_MAX } from '../../src/model/limits/datasets.ts';
import type { ContentPart, TemplateFormat } from '../../src/model/prompts/prompt-template.ts';
import { describeTemplate } from '../../src/domain/prompts/describe-template.ts';

const describe = (format: TemplateFormat, ...texts: (string | readonly ContentPart[])[]) =>
  describeTemplate({ type: 'chat', messages: texts.map((content) => ({ role: 'user', content })) }, format);

/** Kind, name and text of each tag, with the text cut out by its offsets. */
const tagsOf = (format: TemplateFormat, text: string) =>
  describe(format, text).tags.map(({ kind, name, start, end }) => [kind, name, text.slice(start, end)]);

test('finds the tags of Mustache with their offsets in the text', () => {
  assert.deepEqual(
    tagsOf('MUSTACHE', 'a {{ x.y }} {{{raw}}} {{#list}}\n  {{.}}{{/list}}{{^none}}-{{/none}}{{! note }}{{}}'),
    [
      ['variable', 'x.y', '{{ x.y }}'],
      ['variable', 'raw', '{{{raw}}}'],
      ['section', 'list', '{{#list}}'],
      ['variable', '.', '{{.}}'],
      ['end', 'list', '{{/list}}'],
      ['inverted', 'none', '{{^none}}'],
      ['end', 'none', '{{/none}}'],
      ['comment', 'note', '{{! note }}'],
      ['invalid', '', '{{}}'],
    ],
  );
});

test('finds the tags of f-strings, their escapes and what is no variable', () => {
  assert.deepEqual(tagsOf('F_STRING', '{{json}} {a.b} {x!r} }'), [
    ['escape', '{', '{{'],
    ['escape', '}', '}}'],
    ['variable', 'a.b', '{a.b}'],
    ['invalid', 'x!r', '{x!r}'],
    ['invalid', '}', '}'],
  ]);
});

test('finds no tags without a format', () => {
  assert.deepEqual(describe('NONE', '{{a}} {b}'), { tags: [], variables: [], problem: null });
});

test('names each variable and section once, also from hostile names', () => {
  const { variables } = describe('MUSTACHE', '{{b}}{{__proto__}}', '{{#a}}{{.}}{{b}}{{/a}}{{constructor}}');
  assert.deepEqual(variables, ['b', '__proto__', 'a', 'constructor']);
});

test('returns the location of a tag, counting parts that are not texts', () => {
  const image: ContentPart = { type: 'image', image: { url: 'https://example.org/{{no}}.png' } };
  const { tags } = describe('MUSTACHE', 'none', [image, { type: 'text', text: '{{x}}' }]);
  assert.deepEqual(tags, [{ kind: 'variable', name: 'x', start: 0, end: 5, messageIndex: 1, partIndex: 1 }]);
});

test('explains why a template cannot be rendered', () => {
  assert.equal(describe('MUSTACHE', '{{#a}}').problem, "The section 'a' is not closed");
  assert.equal(describe('MUSTACHE', '{{/a}}').problem, "The section 'a' is closed but not open");
  assert.equal(describe('F_STRING', 'a } b').problem, "Single '}' encountered in format string");
  assert.equal(describe('F_STRING', '{x:>9}').problem, 'Invalid template variable: {x:>9}');
  assert.equal(describe('F_STRING', '{{}} {x}').problem, null);
});

test('limits the tags of a huge template, but not its variables', () => {
  const { tags, variables } = describe('MUSTACHE', `${'{{a}}'.repeat(TEMPLATE_TAG_COUNT_MAX)}{{last}}`);
  assert.equal(tags.length, TEMPLATE_TAG_COUNT_MAX);
  assert.deepEqual(variables, ['a', 'last']);
});
