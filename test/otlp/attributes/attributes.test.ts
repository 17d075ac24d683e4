import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SPAN_KINDS } from '../../../src/semconv/span-kinds.ts';
import { KEY_DEPTH_MAX, LEAF_BYTES_MAX } from '../../../src/model/limits/spans.ts';
import { flattenAttributes } from '../../../src/model/spans/attributes.ts';
import { readNullableText, readText } from '../../../src/columns/read-text.ts';
import type { AttributeValue } from '../../fixtures/otlp-requests.ts';
import { attributesOf, decodeAttributes, decodeColumns, requestOf, spanWith } from '../decode-one.ts';

type Entries = readonly (readonly [string, AttributeValue])[];
const small = (entries: Entries) => readText(decodeAttributes(entries).attributes, 0);
const long = (entries: Entries) => readNullableText(decodeAttributes(entries).longAttributes, 0);
const LONG = 'x'.repeat(LEAF_BYTES_MAX);

describe('attributes become nested JSON', () => {
  const CASES: readonly { what: string; entries: Entries; json: string }[] = [
    { what: 'none', entries: [], json: '{}' },
    {
      what: 'dotted keys',
      entries: [
        ['a.b.c', 1n],
        ['a.b.d', true],
      ],
      json: '{"a":{"b":{"c":1,"d":true}}}',
    },
    {
      what: 'empty segments',
      entries: [
        ['a..b', 1n],
        ['.c.d', 2n],
        ['e.f.', 3n],
      ],
      json: '{"a":{"b":1},"c":{"d":2},"e":{"f":3}}',
    },
    { what: 'blanks around segments', entries: [[' a . b ', 1n]], json: '{"a":{"b":1}}' },
    {
      what: 'a key without segments',
      entries: [
        ['.', 1n],
        ['', 2n],
      ],
      json: '{}',
    },
    {
      what: 'a repeated key',
      entries: [
        ['k', 'first'],
        ['k', 'second'],
      ],
      json: '{"k":"second"}',
    },
    {
      what: 'a repeated key with different spellings',
      entries: [
        ['a.b', 1n],
        ['a..b', 2n],
      ],
      json: '{"a":{"b":2}}',
    },
    {
      what: 'a repeated key, an object first',
      entries: [
        ['k', { x: 1n }],
        ['k', { y: 2n }],
      ],
      json: '{"k":{"y":2}}',
    },
    {
      what: 'null',
      entries: [
        ['gone', null],
        ['stays', 1n],
      ],
      json: '{"stays":1}',
    },
    {
      what: 'indices',
      entries: [
        ['m.1.x', 2n],
        ['m.0.x', 1n],
      ],
      json: '{"m":[{"x":1},{"x":2}]}',
    },
    {
      what: 'gaps between indices',
      entries: [
        ['m.0.x', 1n],
        ['m.2.x', 3n],
      ],
      json: '{"m":[{"x":1},{"x":3}]}',
    },
    {
      what: 'indices by their value',
      entries: [
        ['m.10.x', 3n],
        ['m.9.x', 2n],
        ['m.00.x', 1n],
      ],
      json: '{"m":[{"x":1},{"x":2},{"x":3}]}',
    },
    {
      what: 'huge indices',
      entries: [
        ['m.99999999999999999999.x', 2n],
        ['m.3.x', 1n],
      ],
      json: '{"m":[{"x":1},{"x":2}]}',
    },
    { what: 'digits as the last segment', entries: [['m.0', 'p']], json: '{"m":{"0":"p"}}' },
    { what: 'digits at the top', entries: [['0.a', 1n]], json: '{"0":{"a":1}}' },
    { what: 'directly nested digits', entries: [['a.0.0.b', 1n]], json: '{"a":[{"0":{"b":1}}]}' },
    {
      what: 'signs and mixed segments',
      entries: [
        ['m.-1.x', 1n],
        ['m.1x.y', 2n],
      ],
      json: '{"m":{"-1":{"x":1},"1x":{"y":2}}}',
    },
    {
      what: 'a value with children',
      entries: [
        ['a', 's'],
        ['a.b', 1n],
      ],
      json: '{"a":"s","a.b":1}',
    },
    {
      what: 'children before their value',
      entries: [
        ['a.b.c', 1n],
        ['a', 's'],
      ],
      json: '{"a":"s","a.b":{"c":1}}',
    },
    {
      what: 'a list and plain children',
      entries: [
        ['items.0.x', 1n],
        ['items.k', 2n],
      ],
      json: '{"items":[{"x":1}],"items.k":2}',
    },
    {
      what: 'a list and a plain index',
      entries: [
        ['items.0', 'p'],
        ['items.1.x', 1n],
      ],
      json: '{"items":[{"x":1}],"items.0":"p"}',
    },
    {
      what: 'a value with indexed children',
      entries: [
        ['a', 's'],
        ['a.1.x', 1n],
        ['a.1', 'p'],
      ],
      json: '{"a":"s","a.1":"p","a.1.x":1}',
    },
    {
      what: 'an object whose keys have dots',
      entries: [['o', { 'a.b': 1n, c: { 'd.0.e': 2n } }]],
      json: '{"o":{"a":{"b":1},"c":{"d":[{"e":2}]}}}',
    },
    { what: 'an object with digits at its top', entries: [['o', { '0': { x: 1n } }]], json: '{"o":{"0":{"x":1}}}' },
    {
      what: 'an object and dotted keys below it',
      entries: [
        ['o', { a: 1n }],
        ['o.b', 2n],
      ],
      json: '{"o":{"a":1,"b":2}}',
    },
    {
      what: 'an empty object',
      entries: [
        ['o', {}],
        ['p', { q: null }],
      ],
      json: '{"o":{},"p":{}}',
    },
    {
      what: 'a list of objects',
      entries: [['l', [{ 'a.b': 1n }, {}, { c: 2n }]]],
      json: '{"l":[{"a":{"b":1}},{},{"c":2}]}',
    },
    {
      what: 'lists of scalars',
      entries: [
        ['l', ['a', 1n, true, 1.5, null]],
        ['none', []],
      ],
      json: '{"l":["a",1,true,1.5,null],"none":[]}',
    },
    { what: 'a list of more than objects', entries: [['l', [{ 'a.b': 1n }, 2n]]], json: '{"l":[{"a.b":1},2]}' },
    {
      what: 'int64 to its last digit',
      entries: [
        ['a', 9007199254740993n],
        ['b', -(2n ** 63n)],
        ['c', 4294967296n],
      ],
      json: '{"a":9007199254740993,"b":-9223372036854775808,"c":4294967296}',
    },
    {
      what: 'doubles',
      entries: [
        ['a', 2],
        ['b', 1.5],
        ['c', -0],
        ['d', 1e21],
        ['e', 1e-7],
      ],
      json: '{"a":2.0,"b":1.5,"c":-0.0,"d":1e+21,"e":1e-7}',
    },
    {
      what: 'numbers that JSON has not',
      entries: [
        ['a', Number.NaN],
        ['b', Number.NEGATIVE_INFINITY],
        ['c', [Number.NaN]],
      ],
      json: '{"c":[null]}',
    },
    { what: 'bytes', entries: [['raw', Buffer.from('abc')]], json: '{"raw":"YWJj"}' },
    {
      what: 'signs that JSON escapes',
      entries: [['k"\\', 'a"b\\c\n\u0000\u001f/é🚀']],
      json: JSON.stringify({ 'k"\\': 'a"b\\c\n\u0000\u001f/é🚀' }),
    },
    {
      what: 'names of prototypes',
      entries: [
        ['__proto__.x', 1n],
        ['constructor', 2n],
        ['toString.0.y', 3n],
      ],
      json: '{"__proto__":{"x":1},"constructor":2,"toString":[{"y":3}]}',
    },
    { what: 'metadata that is no JSON', entries: [['metadata', 'not json']], json: '{"metadata":"not json"}' },
    {
      what: 'metadata that is JSON null',
      entries: [
        ['metadata', 'null'],
        ['k', 1n],
      ],
      json: '{"k":1}',
    },
    {
      what: 'JSON texts of known keys',
      entries: [
        ['llm.prompt_template.variables', '{"q":"x"}'],
        ['tool.parameters', ' {"n": 1.0} '],
        ['x.document.metadata', '[1, 2]'],
      ],
      json: '{"llm":{"prompt_template":{"variables":{"q":"x"}}},"tool":{"parameters":{"n":1.0}},"x":{"document":{"metadata":[1,2]}}}',
    },
    {
      what: 'what Python writes for no number',
      entries: [['tool.parameters', '{"a":NaN,"b":-Infinity,"c":[NaN]}']],
      json: '{"tool":{"parameters":{"c":[null]}}}',
    },
    {
      what: 'halves of a surrogate pair',
      entries: [['tool.parameters', '{"a":"\\ud800","b":"\\ud83d\\ude80"}']],
      json: '{"tool":{"parameters":{"a":"\ufffd","b":"🚀"}}}',
    },
    {
      what: 'token counts',
      entries: [
        ['llm.token_count.prompt', 10],
        ['llm.token_count.completion', ' 5'],
        ['llm.token_count.total', 'many'],
      ],
      json: '{"llm":{"token_count":{"prompt":10,"completion":5,"total":"many"}}}',
    },
    { what: 'an input that is empty but no text', entries: [['input.value', 0n]], json: '{"input":{"value":0}}' },
    {
      what: 'a text of a column that a conflict has moved',
      entries: [
        ['session', 's'],
        ['session.id', 'x'],
      ],
      json: '{"session":"s","session.id":"x"}',
    },
  ];
  for (const { what, entries, json } of CASES) test(what, () => assert.equal(small(entries), json));

  test('segments beyond the maximum depth of keys stay one key', () => {
    const deep = small([[Array.from({ length: KEY_DEPTH_MAX + 50 }, () => 'k').join('.'), 1n]]);

    assert.equal(deep.match(/\{/g)!.length, KEY_DEPTH_MAX);
    assert.match(deep, new RegExp(`"${'k\\.'.repeat(50)}k":1`));
  });

  test('keys that repeat from span to span may have any order', () => {
    for (const order of [
      ['a.x', 'b', 'a.y'],
      ['b', 'a.y', 'a.x'],
      ['a.y', 'a.x'],
    ]) {
      const nested = JSON.parse(small(order.map((key) => [key, key])));
      for (const key of order)
        assert.equal(
          key.split('.').reduce((node, name) => node[name], nested),
          key,
        );
    }
  });
});

describe('many or long attributes', () => {
  test('are correct when keys never repeat', () => {
    const spans = Array.from({ length: 3_000 }, (_, i) =>
      spanWith(
        ...attributesOf(Array.from({ length: 10 }, (_, k) => [`k${i}.${k}.x`, BigInt(k)] as const)),
        ...attributesOf({ metadata: `{"m${i}":{"n":[{"o":1}]}}` }),
      ),
    );

    const columns = decodeColumns(requestOf(spans));

    for (let row = 0; row < spans.length; row++) {
      const list = Array.from({ length: 10 }, (_, k) => `{"x":${k}}`).join(',');
      assert.equal(readText(columns.attributes, row), `{"k${row}":[${list}]}`);
      assert.equal(readNullableText(columns.metadata, row), `{"m${row}":{"n":[{"o":1}]}}`);
    }
  });

  test('are one leaf when they are an object of very many members', () => {
    const members = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`k${i}`, BigInt(i)]));

    const flat = flattenAttributes([
      long([
        ['before', 1n],
        ['huge', { a: members, b: 1n }],
        ['after', 2n],
      ])!,
    ]);

    assert.equal(flat.size, 30_001);
    assert.equal(flat.get('huge.a.k29999'), '29999');
    assert.equal(
      small([
        ['before', 1n],
        ['huge', { a: members }],
        ['after', 2n],
      ]),
      '{"before":1,"after":2}',
    );
  });

  test('cannot make conflicts repeat a long name without limit', () => {
    const name = 'n'.repeat(50_000);
    const members = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`k${i}`, BigInt(i)]));

    const text = small([
      [`x.${name}`, 's'],
      ['x', { [name]: members }],
    ]);

    assert.ok(text.length < 6_000_000);
    assert.equal(flattenAttributes([text]).get(`x.${name}..k999`), '999');
  });
});

describe('long leaves are stored separately', () => {
  test('keeps a leaf small up to the limit of its JSON text', () => {
    const atLimit = 'x'.repeat(LEAF_BYTES_MAX - 2);

    assert.equal(small([['k', atLimit]]), `{"k":"${atLimit}"}`);
    assert.equal(long([['k', atLimit]]), null);
    assert.equal(small([['k', `${atLimit}x`]]), '{}');
    assert.equal(long([['k', `${atLimit}x`]]), `{"k":"${atLimit}x"}`);
  });

  test('counts escapes and bytes of UTF-8', () => {
    assert.notEqual(long([['k', '"'.repeat(LEAF_BYTES_MAX / 2)]]), null);
    assert.notEqual(long([['k', 'é'.repeat(LEAF_BYTES_MAX / 2)]]), null);
    assert.equal(long([['k', 'é'.repeat(LEAF_BYTES_MAX / 2 - 1)]]), null);
  });

  test('keeps the indices of list elements in both parts', () => {
    const entries: Entries = [
      ['m.0.role', 'user'],
      ['m.1.text', LONG],
      ['m.2.role', 'system'],
      ['m.3.a.0.b', LONG],
    ];

    assert.equal(small(entries), '{"m":[{"role":"user"},{},{"role":"system"}]}');
    assert.equal(long(entries), `{"m":[{},{"text":"${LONG}"},{},{"a":[{"b":"${LONG}"}]}]}`);
  });

  test('treats a list of scalars as one leaf', () => {
    const vector = Array.from({ length: 100 }, (_, i) => i + 0.5);

    assert.equal(
      small([
        ['e.0.vector', vector],
        ['e.0.text', 't'],
      ]),
      '{"e":[{"text":"t"}]}',
    );
    assert.equal(
      long([
        ['e.0.vector', vector],
        ['e.0.text', 't'],
      ]),
      `{"e":[{"vector":${JSON.stringify(vector)}}]}`,
    );
  });
});

describe('attributes with columns of their own', () => {
  test('removes texts from the other attributes', () => {
    const columns = decodeAttributes({
      'input.value': 'hello',
      'input.mime_type': 'text/plain',
      'output.value': '',
      'session.id': ' s ',
      'user.id': 'u',
      llm: { model_name: 'm', provider: 'p' },
    });

    assert.equal(readText(columns.attributes, 0), '{}');
    assert.equal(readNullableText(columns.inputValue, 0), 'hello');
    assert.equal(readNullableText(columns.inputMimeType, 0), 'text/plain');
    assert.equal(readNullableText(columns.outputValue, 0), '');
    assert.equal(readNullableText(columns.outputMimeType, 0), null);
    assert.equal(readNullableText(columns.sessionId, 0), ' s ');
    assert.equal(readNullableText(columns.userId, 0), 'u');
    assert.equal(readNullableText(columns.modelName, 0), 'm');
    assert.equal(readNullableText(columns.provider, 0), 'p');
  });

  test('keeps other values among the attributes', () => {
    const columns = decodeAttributes({ 'user.id': 5n, 'llm.model_name': true });

    assert.equal(readText(columns.attributes, 0), '{"user":{"id":5},"llm":{"model_name":true}}');
    assert.equal(readNullableText(columns.userId, 0), null);
  });

  // The texts are those of `str` in Python 3.13.
  for (const { value, json, text } of [
    { value: 5n, json: '5', text: '5' },
    { value: 1.5, json: '1.5', text: '1.5' },
    { value: 2, json: '2.0', text: '2.0' },
    { value: 1e-7, json: '1e-7', text: '1e-07' },
    { value: true, json: 'true', text: 'True' },
    { value: false, json: 'false', text: 'False' },
    { value: [], json: '[]', text: '[]' },
    { value: [1n, 2n], json: '[1,2]', text: '[1, 2]' },
    { value: ['a', "it's", `"it's"`], json: `["a","it's","\\"it's\\""]`, text: `['a', "it's", '"it\\'s"']` },
    { value: ['é\n\0\u00a0\\'], json: '["é\\n\\u0000\u00a0\\\\"]', text: "['é\\n\\x00\\xa0\\\\']" },
    { value: [true, [1.5, 'b']], json: '[true,[1.5,"b"]]', text: "[True, [1.5, 'b']]" },
  ]) {
    test(`stores a session that is ${json} among the attributes, and its Python text as the ID`, () => {
      const columns = decodeAttributes({ 'session.id': value });

      assert.equal(readText(columns.attributes, 0), `{"session":{"id":${json}}}`);
      assert.equal(readNullableText(columns.sessionId, 0), text);
    });
  }

  for (const { what, value, json } of [
    { what: 'a number', value: 5n, json: '5' },
    { what: 'a list', value: ['a'], json: '["a"]' },
    { what: 'an object', value: { a: { b: 1n }, c: null }, json: '{"a":{"b":1}}' },
    { what: 'a list of objects', value: [{}, { a: LONG }], json: `[{},{"a":"${LONG}"}]` },
  ]) {
    test(`converts an input that is ${what} to JSON text`, () => {
      const columns = decodeAttributes({ 'input.mime_type': 'text/plain', 'input.value': value });

      assert.equal(readNullableText(columns.inputValue, 0), json);
      assert.equal(readNullableText(columns.inputMimeType, 0), 'application/json');
      assert.equal(readText(columns.attributes, 0), '{}');
    });
  }

  test('stores metadata that is an object in its own column', () => {
    const columns = decodeAttributes({
      metadata: `{"tier": "gold", "text": "${LONG}", "n": 1.0}`,
      'metadata.more': 3n,
    });

    assert.equal(readNullableText(columns.metadata, 0), `{"tier":"gold","text":"${LONG}","n":1.0,"more":3}`);
    assert.equal(readText(columns.attributes, 0), '{}');
    assert.equal(readNullableText(columns.longAttributes, 0), null);
  });

  for (const { sent, kind, isKept } of [
    { sent: 'LLM', kind: 'LLM', isKept: false },
    { sent: 'PROMPT', kind: 'PROMPT', isKept: false },
    { sent: 'llm', kind: 'LLM', isKept: true },
    { sent: 'UNKNOWN', kind: 'UNKNOWN', isKept: true },
    { sent: 'WEIRD', kind: 'UNKNOWN', isKept: true },
  ]) {
    test(`the span kind ${sent} is ${kind}, and ${isKept ? 'kept' : 'not kept'} among the attributes`, () => {
      const columns = decodeAttributes({ 'openinference.span.kind': sent });

      assert.equal(SPAN_KINDS[columns.spanKind[0]!], kind);
      assert.equal(readText(columns.attributes, 0), isKept ? `{"openinference":{"span":{"kind":"${sent}"}}}` : '{}');
    });
  }

  test('counts tokens of LLM spans, 0 when unreadable, and those that an embedding reports', () => {
    const tokens = { 'llm.token_count.prompt': '12', 'llm.token_count.completion': 'many' };
    const llm = decodeAttributes({ 'openinference.span.kind': 'LLM', ...tokens });
    const chain = decodeAttributes({ 'openinference.span.kind': 'CHAIN', ...tokens });

    assert.deepEqual([llm.hasTokens[0], llm.tokensPrompt[0], llm.tokensCompletion[0]], [1, 12n, 0n]);
    assert.deepEqual([chain.hasTokens[0], chain.tokensPrompt[0]], [0, 0n]);
    const embedding = decodeAttributes({ 'openinference.span.kind': 'EMBEDDING', 'llm.token_count.prompt': 9n });
    assert.deepEqual([embedding.hasTokens[0], embedding.tokensPrompt[0], embedding.tokensCompletion[0]], [1, 9n, 0n]);
    assert.equal(decodeAttributes({ 'openinference.span.kind': 'EMBEDDING' }).hasTokens[0], 0);
  });
});
