import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkCases } from '../evaluations/shared-cases.ts';
import type { InstalledEvals } from '../installed-evals.ts';

/** Template, variables and text. */
const TEMPLATES: readonly (readonly [string, Record<string, unknown>, string])[] = [
  ['Hello {{name}}', { name: '<b>' }, 'Hello <b>'],
  ['{{ a.b.c }}', { a: { b: { c: 1 } } }, '1'],
  ['{{{a}}}{{&a}}', { a: '"' }, '""'],
  ['{{o}} {{l}}', { o: { x: 1 }, l: [1] }, '{"x":1} [1]'],
  ['{{missing}}.', {}, '.'],
  ['{{#l}}\n- {{.}}\n{{/l}}\nend', { l: ['a', 'b'] }, '- a\n- b\nend'],
  ['{{#l}}{{n}},{{/l}}', { l: [{ n: 1 }, { n: 2 }] }, '1,2,'],
  ['{{#on}}yes{{/on}}{{^on}}no{{/on}}', { on: false }, 'no'],
  ['{{#o}}{{x}} {{y}}{{/o}}', { o: { x: 1 }, y: 2 }, '1 2'],
  ['a{{! comment }}b', {}, 'ab'],
  ['{{a}}', { a: '{{b}}', b: 'inner' }, '{{b}}'],
  ['{{__proto__}}{{constructor}}{{a.constructor.name}}{{a.__proto__}}', { a: {} }, ''],
  ['{0.__class__} {x}', { x: 1 }, '{0.__class__} {x}'],
];

const DOCUMENT = {
  store: {
    book: [
      { category: 'reference', author: 'Nigel Rees', price: 8.95 },
      { category: 'fiction', author: 'Evelyn Waugh', price: 12.99 },
      { category: 'fiction', author: 'Herman Melville', isbn: '0-553-21311-3', price: 8.99 },
      { category: 'fiction', author: 'J. R. R. Tolkien', isbn: '0-395-19395-8', price: 22.99 },
    ],
    bicycle: { color: 'red', price: 399 },
  },
};
const authors = (...indices: number[]) => indices.map((index) => DOCUMENT.store.book[index]?.author);

/** Document, path and values: mostly the examples of RFC 9535. */
const PATHS: readonly (readonly [unknown, string, unknown[]])[] = [
  [DOCUMENT, '$.store.book[*].author', authors(0, 1, 2, 3)],
  [DOCUMENT, '$..author', authors(0, 1, 2, 3)],
  [DOCUMENT, '$.store..price', [8.95, 12.99, 8.99, 22.99, 399]],
  [DOCUMENT, '$..book[2].author', authors(2)],
  [DOCUMENT, '$..book[-1].author', authors(3)],
  [DOCUMENT, '$..book[0,1].author', authors(0, 1)],
  [DOCUMENT, '$..book[:2].author', authors(0, 1)],
  [DOCUMENT, '$..book[?@.isbn].author', authors(2, 3)],
  [DOCUMENT, '$..book[?@.price<10].author', authors(0, 2)],
  [DOCUMENT, '$..book[?!@.isbn && @.price > 10].author', authors(1)],
  [DOCUMENT, "$.store['bicycle']['color']", ['red']],
  [DOCUMENT, '$.store.book[?@.price == $.store.book[0].price].author', authors(0)],
  [DOCUMENT, "$..book[?match(@.author, 'J.*')].author", authors(3)],
  [DOCUMENT, "$..book[?search(@.author, 'Rees') || length(@.author) == 12].author", authors(0, 1)],
  [DOCUMENT, '$[?count(@.*) == 2]', [DOCUMENT.store]],
  [{ a: [3, 5, 1, 2, 4, 6] }, '$.a[5:0:-2]', [6, 2, 5]],
  [{ a: [1, 2, 3] }, '$.a[::-1]', [3, 2, 1]],
  [{ a: [1] }, '$.a[0:1:0]', []],
  [{ a: null }, '$.a', [null]],
  [{ a: null }, '$[?@ == null]', [null]],
  [{ 'a b': 1, "it's": 2 }, "$[\"a b\", 'it\\'s']", [1, 2]],
  [{ '☺': 'yes' }, '$.☺', ['yes']],
  [{ a: 1 }, '$.constructor', []],
  [{ a: 1 }, '$.__proto__', []],
  [[], '$.length', []],
];

const BAD_PATHS = [
  ...['', 'a', '$.', '$..', '$[', '$[]', "$['a", '$[01]', '$[-0]', '$.a b', '$[?]', '$[?@.a==]', '$[?1]', '$ .a '],
  ...[
    '$[?@[*] == 1]',
    '$[?match(@.a)]',
    '$[?length(@.a)]',
    "$[?match(@.a, 'x') == true]",
    '$["\\x"]',
    '$[9007199254740993]',
  ],
];

/** Template with single braces, variables and text. */
const F_STRINGS: readonly (readonly [string, Record<string, unknown>, string])[] = [
  ['Hello {name}, {{name}}', { name: '<b>' }, 'Hello <b>, {name}'],
  ['{a.b} {l[1]} { x }', { a: { b: 1 }, l: [1, { y: 2 }], x: 3 }, '1 {"y":2} 3'],
  ['{a.b}', { 'a.b': 'key', a: { b: 'path' } }, 'key'],
  ['{"a": 1} {3} {}', {}, '{"a": 1} {3} {}'],
  ['{a}', { a: '{b}', b: 'inner' }, '{b}'],
];

export function testTemplates(installed: () => InstalledEvals): void {
  describe('templates and paths', () => {
    test('fill Mustache without escaping, and see only own properties', () => {
      for (const [template, variables, text] of TEMPLATES) {
        assert.equal(installed().core.formatTemplate({ template, variables }), text, template);
      }
    });

    test('fill Mustache as in Python', async () => {
      const count = await checkCases('mustache.json', {
        renderMustache: (given) => installed().core.formatTemplate(given),
      });
      assert.ok(count > 10);
    });

    test('fill single braces on request, from fields of the row alone', () => {
      const { formatTemplate, getTemplateVariables } = installed().core;
      const templateFormat = 'f-string';
      for (const [template, variables, text] of F_STRINGS)
        assert.equal(formatTemplate({ template, variables, templateFormat }), text, template);
      assert.deepEqual(getTemplateVariables({ template: '{a.b} {c} {{d}}', templateFormat }), ['a.b', 'c']);
      const fill = (template: string, variables = {}) => formatTemplate({ template, variables, templateFormat });
      assert.throws(() => fill('{missing}', { a: 1 }), /needs the field missing, and the row has a/);
      assert.throws(() => fill('{constructor}'), /needs the field constructor/);
      for (const template of ['{0.__class__}', '{a.__class__}', '{__import__}', '{a[__x]}'])
        assert.throws(() => fill(template, { a: {} }), /reads fields of a row, and no attributes/);
      assert.throws(
        () => formatTemplate({ template: '', variables: {}, templateFormat: 'jinja' as never }),
        /templateFormat is mustache or f-string/,
      );
    });

    test('keep messages and fill their texts', () => {
      const { formatTemplate, getTemplateVariables } = installed().core;
      const template = [
        { role: 'system' as const, content: 'Judge {{what}}' },
        {
          role: 'user' as const,
          content: [
            { type: 'text' as const, text: '{{text}}' },
            { type: 'image' as const, url: '{{image}}' },
          ],
        },
      ];

      assert.deepEqual(getTemplateVariables({ template }), ['what', 'text', 'image']);
      assert.deepEqual(
        formatTemplate({ template, variables: { what: 'it', text: 'T', image: 'data:image/png;base64,AA==' } }),
        [
          { role: 'system', content: 'Judge it' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'T' },
              { type: 'image', url: 'data:image/png;base64,AA==' },
            ],
          },
        ],
      );
    });

    test('report what is wrong with a template, and where', () => {
      const { formatTemplate } = installed().core;
      const variables = {};
      assert.throws(
        () => formatTemplate({ template: 'a\n{{#section}} b', variables }),
        /line 2.*\{\{#section\}\} is never closed/,
      );
      assert.throws(() => formatTemplate({ template: '{{/a}}', variables }), /closes nothing/);
      assert.throws(() => formatTemplate({ template: '{{#a}}{{/b}}', variables }), /expected \{\{\/a\}\}/);
      assert.throws(() => formatTemplate({ template: '{{> partial}}', variables }), /not supported/);
      assert.throws(() => formatTemplate({ template: [], variables }), /list of messages/);
      assert.throws(() => formatTemplate({ template: [{ role: 'x' as never, content: '' }], variables }), /role/);
    });

    test('select as RFC 9535 specifies', () => {
      for (const [document, path, values] of PATHS) {
        assert.deepEqual(installed().core.selectJsonPath(document, path), values, path);
      }
      for (const path of BAD_PATHS) assert.throws(() => installed().core.selectJsonPath({}, path), /no JSONPath/, path);
    });
  });
}
