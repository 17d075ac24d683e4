import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ExactJsonObject } from '../../src/base/exact-json.ts';
import { parseExactJson } from '../../src/base/parse-exact-json.ts';
import type { TemplateFormat } from '../../src/model/prompts/prompt-template.ts';
import { renderChatTemplate } from '../../src/domain/prompts/render-template.ts';

function render(format: TemplateFormat, text: string, variables: object | string): string {
  const json = typeof variables === 'string' ? variables : JSON.stringify(variables);
  const { messages } = renderChatTemplate(
    { type: 'chat', messages: [{ role: 'user', content: [{ type: 'text', text }] }] },
    { format, variables: parseExactJson(json, { depthMax: 100 }) as ExactJsonObject },
  );
  const [part] = messages[0]!.content as readonly { readonly text: string }[];
  return part!.text;
}

const RENDERED: readonly [TemplateFormat, string, object | string, string][] = [
  [
    'MUSTACHE',
    'Hi {{ name }}, {{{name}}} {{&name}}!',
    { name: '<Ü & {{x}}>' },
    'Hi <Ü & {{x}}>, <Ü & {{x}}> <Ü & {{x}}>!',
  ],
  [
    'MUSTACHE',
    '{{a.b}} {{n}} {{list}} {{no}}',
    '{"a":{"b":1.0},"n":9007199254740993,"list":[1,{}],"no":null}',
    '1.0 9007199254740993 [1,{}] null',
  ],
  [
    'MUSTACHE',
    '{{#items}}[{{name}} of {{owner}}{{gone}}]{{/items}}',
    { items: [{ name: 'a' }, { name: 'b' }], owner: 'me' },
    '[a of me][b of me]',
  ],
  ['MUSTACHE', '{{#items}}{{.}},{{/items}}', { items: ['a', 2] }, 'a,2,'],
  ['MUSTACHE', '{{#flag}}yes {{name}}{{/flag}}{{^flag}}no{{/flag}}', { flag: true, name: 'n' }, 'yes n'],
  ['MUSTACHE', '{{^missing}}none{{/missing}}{{^list}}empty{{/list}}', { list: [] }, 'noneempty'],
  ['MUSTACHE', 'a\n{{#on}}\nb\n{{/on}}\n{{! said to nobody }}\nc', { on: 1 }, 'a\nb\nc'],
  ['MUSTACHE', '{ "json": {{x}} } {y}', { x: 1 }, '{ "json": 1 } {y}'],
  ['F_STRING', 'Hi {name}, {a.b} {{name}} {{{name}}}', { name: 'n', a: { b: [1] } }, 'Hi n, [1] {name} {n}'],
  ['NONE', '{{name}} {name}', {}, '{{name}} {name}'],
];

const REFUSED: readonly [TemplateFormat, string, object, string][] = [
  ['MUSTACHE', '{{b}} {{a.x}} {{#c}}{{/c}}', { a: {} }, 'Missing template variable(s): a.x, b, c'],
  [
    'MUSTACHE',
    '{{constructor}} {{a.__proto__}} {{a.length}}',
    { a: [] },
    'Missing template variable(s): a.__proto__, constructor',
  ],
  ['MUSTACHE', '{{#a}}', { a: 1 }, "The section 'a' is not closed"],
  ['MUSTACHE', '{{#a}}{{/b}}', { a: 1 }, "The section 'b' is closed but not open"],
  ['MUSTACHE', '{{ }}', {}, 'A tag has no name: {{ }}'],
  ['F_STRING', '{a} {b.c}', { b: 1 }, 'Missing template variable(s): a, b.c'],
  ['F_STRING', '{toString}', {}, 'Missing template variable(s): toString'],
  ['F_STRING', 'a } b', {}, "Single '}' encountered in format string"],
  ['F_STRING', '{a!r}', { a: 1 }, 'Invalid template variable: {a!r}'],
];

describe('rendering a template', () => {
  for (const [format, text, variables, expected] of RENDERED) {
    test(`${format} ${JSON.stringify(text)} becomes ${JSON.stringify(expected)}`, () => {
      assert.equal(render(format, text, variables), expected);
    });
  }
  for (const [format, text, variables, message] of REFUSED) {
    test(`${format} ${JSON.stringify(text)} is rejected: ${message}`, () => {
      assert.throws(() => render(format, text, variables), { code: 'PROMPT_INVALID', message });
    });
  }

  test('sections that multiply without a limit are rejected', () => {
    const list = Array.from({ length: 1_000 }, () => 1);
    const text = `${'{{#list}}'.repeat(5)}x${'{{/list}}'.repeat(5)}`;
    assert.throws(() => render('MUSTACHE', text, { list }), /too large/);
    assert.throws(() => render('MUSTACHE', '{{#a}}'.repeat(1_000), { a: 1 }), /too deeply/);
  });

  test('tool calls and results are left as they are', () => {
    const content = [
      { type: 'tool_call', tool_call_id: '{{a}}', tool_call: { type: 'function', name: '{{a}}', arguments: '{{a}}' } },
      { type: 'tool_result', tool_call_id: 'c', tool_result: '{{a}}' },
    ] as const;
    const template = { type: 'chat', messages: [{ role: 'ai', content }] } as const;
    assert.deepEqual(renderChatTemplate(template, { format: 'MUSTACHE', variables: {} }), template);
  });
});
