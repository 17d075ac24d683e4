import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SPAN_KINDS } from '../../src/semconv/span-kinds.ts';
import { SpandrelError } from '../../src/model/errors.ts';
import { flattenAttributes } from '../../src/model/spans/attributes.ts';
import { spanIdNumber, traceIdHalves } from '../../src/model/traces/trace-ids.ts';
import { readNullableText, readText } from '../../src/columns/read-text.ts';
import type { SpanColumns } from '../../src/columns/span-columns.ts';
import { SpanColumnsBuilder } from '../../src/columns/span-columns-builder.ts';
import { decodeRestSpans } from '../../src/otlp/decode-rest-spans.ts';

const SPAN = {
  name: 'n',
  traceId: '0123456789abcdef0123456789abcdef',
  spanId: '0123456789abcdef',
  parentId: null as string | null,
  spanKind: 'CHAIN',
  startTimeUnixNano: '1709287200123456789',
  endTimeUnixNano: '1709287201000000000',
  statusCode: 'OK',
  statusMessage: '',
  attributes: {},
  events: [] as unknown[],
};

function decode(...spans: readonly (Partial<typeof SPAN> | string)[]): SpanColumns {
  const texts = spans.map((span) => (typeof span === 'string' ? span : JSON.stringify({ ...SPAN, ...span })));
  const builder = new SpanColumnsBuilder();
  decodeRestSpans(`{"project":"p","spans":[${texts.join(',')}]}`, builder);
  return builder.finish();
}

const withAttributes = (attributes: string) =>
  JSON.stringify({ ...SPAN, attributes: null }).replace('"attributes":null', `"attributes":${attributes}`);

describe('spans over REST', () => {
  test('keep all fields', () => {
    const columns = decode({
      name: 'it "is" ü\n',
      parentId: 'fedcba9876543210',
      statusCode: 'ERROR',
      statusMessage: 'böse',
      events: [{ name: 'e', timeUnixNano: '12', attributes: { k: 'v', 'a.b': [1], gone: null } }],
    });

    assert.equal(readText(columns.name, 0), 'it "is" ü\n');
    assert.equal(columns.traceIdHigh[0], 0x0123456789abcdefn);
    assert.equal(columns.traceIdLow[0], 0x0123456789abcdefn);
    assert.equal(columns.spanId[0], 0x0123456789abcdefn);
    assert.deepEqual([columns.hasParent[0], columns.parentSpanId[0]], [1, 0xfedcba9876543210n]);
    assert.equal(columns.startTimeUnixNano[0], 1709287200123456789n);
    assert.equal(columns.endTimeUnixNano[0], 1709287201000000000n);
    assert.equal(columns.statusCode[0], 2);
    assert.equal(readText(columns.statusMessage, 0), 'böse');
    assert.deepEqual(columns.projectNames, ['p']);
    assert.equal(
      readNullableText(columns.events, 0),
      '[{"name":"e","time_unix_nano":"12","attributes":{"k":"v","a.b":[1]}}]',
    );
    assert.equal(columns.textIds.size, 0);
  });

  test('may have any text for an ID', () => {
    const columns = decode(SPAN, { traceId: 'my trace', spanId: 'ABCDEF0123456789', parentId: '' });

    const { high, low } = traceIdHalves('my trace');
    assert.deepEqual([columns.traceIdHigh[1], columns.traceIdLow[1]], [high, low]);
    assert.equal(columns.spanId[1], spanIdNumber('ABCDEF0123456789'));
    assert.equal(columns.hasParent[1], 1);
    assert.deepEqual(
      [...columns.textIds],
      [[1, { traceId: 'my trace', spanId: 'ABCDEF0123456789', parentSpanId: '' }]],
    );
  });

  test('may have times before 1970', () => {
    assert.equal(decode({ startTimeUnixNano: '-5' }).startTimeUnixNano[0], -5n);
  });

  test('may mix nested and dotted attributes', () => {
    const columns = decode({
      attributes: {
        llm: { model_name: 'm', deep: { x: 1 } },
        'llm.provider': 'p',
        'llm.input_messages': [{ message: { role: 'user' } }, { 'message.role': 'assistant' }],
        list: [1, 2],
        gone: null,
      },
    });

    assert.equal(readNullableText(columns.modelName, 0), 'm');
    assert.equal(readNullableText(columns.provider, 0), 'p');
    assert.deepEqual(JSON.parse(readText(columns.attributes, 0)), {
      llm: { deep: { x: 1 }, input_messages: [{ message: { role: 'user' } }, { message: { role: 'assistant' } }] },
      list: [1, 2],
    });
  });

  test('keep numbers as they are written', () => {
    const columns = decode(withAttributes('{"a":12345678901234567890,"b":1.0,"c":1E5,"d":[1.10,-0]}'));

    assert.equal(readText(columns.attributes, 0), '{"a":12345678901234567890,"b":1.0,"c":1E5,"d":[1.10,-0]}');
  });

  test('keep JSON in texts, token counts and inputs as they are', () => {
    const columns = decode({
      spanKind: 'LLM',
      attributes: {
        metadata: '{"a":1}',
        'llm.token_count.prompt': '5',
        'llm.token_count.completion': 7.0,
        'input.value': 5,
      },
    });

    assert.equal(
      readText(columns.attributes, 0),
      '{"metadata":"{\\"a\\":1}","llm":{"token_count":{"prompt":"5","completion":7}},"input":{"value":5}}',
    );
    assert.equal(readNullableText(columns.inputValue, 0), null);
    assert.deepEqual([columns.hasTokens[0], columns.tokensPrompt[0], columns.tokensCompletion[0]], [1, 5n, 7n]);
  });

  test('store metadata that is an object in its column', () => {
    const columns = decode({ attributes: { metadata: { tier: 'gold' }, 'metadata.n': 1 } });

    assert.equal(readNullableText(columns.metadata, 0), '{"tier":"gold","n":1}');
  });

  test('have the span kind of their field, not of their attributes', () => {
    for (const { spanKind, kind, flat } of [
      { spanKind: 'TOOL', kind: 'TOOL', flat: undefined },
      { spanKind: 'tool', kind: 'TOOL', flat: '"tool"' },
      { spanKind: 'weird "one"', kind: 'UNKNOWN', flat: '"weird \\"one\\""' },
      { spanKind: 'UNKNOWN', kind: 'UNKNOWN', flat: '"UNKNOWN"' },
    ]) {
      const columns = decode({
        spanKind,
        attributes: { 'openinference.span.kind': 'LLM', openinference: { span: { kind: 'AGENT' } } },
      });

      assert.equal(SPAN_KINDS[columns.spanKind[0]!], kind);
      assert.equal(flattenAttributes([readText(columns.attributes, 0)]).get('openinference.span.kind'), flat);
    }
  });

  test('replace halves of surrogate pairs', () => {
    const columns = decode(withAttributes('{"k\\ud800":"a\\udc00b","ok":"\\ud83d\\ude80"}'));

    assert.equal(readText(columns.attributes, 0), '{"k\ufffd":"a\ufffdb","ok":"🚀"}');
  });

  test('leave the builder unchanged when they are unreadable', () => {
    const builder = new SpanColumnsBuilder();
    decodeRestSpans(JSON.stringify({ project: 'p', spans: [SPAN] }), builder);
    for (const json of [
      '{',
      '[]',
      JSON.stringify({ project: 'q', spans: [SPAN, 5] }),
      JSON.stringify({ project: 'q', spans: [SPAN, { ...SPAN, startTimeUnixNano: 'noon' }] }),
      JSON.stringify({ project: 'q', spans: {} }),
    ]) {
      const isUnreadable = (error: unknown) => error instanceof SpandrelError && error.code === 'BODY_UNREADABLE';
      assert.throws(() => decodeRestSpans(json, builder), isUnreadable);
    }
    const columns = builder.finish();
    assert.equal(columns.rowCount, 1);
    assert.deepEqual(columns.projectNames, ['p']);
  });

  test('may be large objects, which are stored whole', () => {
    const members = Array.from({ length: 30_000 }, (_, i) => `"k${i}":${i}`).join(',');
    const columns = decode(withAttributes(`{"small":1,"huge":{"inner":{${members}}},"after":2}`));

    const flat = flattenAttributes([readText(columns.attributes, 0), readNullableText(columns.longAttributes, 0)!]);
    assert.equal(flat.size, 30_002);
    assert.equal(flat.get('huge.inner.k29999'), '29999');
    assert.equal(flat.get('after'), '2');
  });
});
