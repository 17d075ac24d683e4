import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SpandrelError } from '../../src/model/errors.ts';
import { SPAN_ATTRIBUTE_COUNT_MAX, VALUE_DEPTH_MAX } from '../../src/model/limits/spans.ts';
import { readText } from '../../src/columns/read-text.ts';
import { SpanColumnsBuilder } from '../../src/columns/span-columns-builder.ts';
import { checkOtlpRequest } from '../../src/otlp/check-request.ts';
import { decodeOtlpRequest } from '../../src/otlp/decode-request.ts';
import { attribute } from '../fixtures/otlp-requests.ts';
import {
  bytesField,
  type Field,
  fixed64Field,
  message,
  tag,
  textField,
  varint,
  varintField,
} from '../fixtures/protobuf-writer.ts';
import { decodeColumns, requestOf, SPAN_ID, spanWith, TRACE_ID } from './decode-one.ts';

const BAD_TEXT = bytesField(1, Uint8Array.of(0xff));
const nested = (depth: number, innermost: Uint8Array): Uint8Array => {
  let value = innermost;
  for (let i = 0; i < depth; i++) value = bytesField(5, bytesField(1, value));
  return value;
};
const deepAttribute = (depth: number): Field =>
  bytesField(9, message(textField(1, 'k'), bytesField(2, nested(depth, textField(1, 'x')))));
const group = (depth: number): Field =>
  message(...Array.from({ length: depth }, () => tag(100, 3)), ...Array.from({ length: depth }, () => tag(100, 4)));

describe('a malformed request', () => {
  const MALFORMED: readonly { what: string; body: Uint8Array }[] = [
    { what: 'text', body: Buffer.from('garbagegarbage') },
    { what: 'a length beyond the end', body: Uint8Array.of(10, 5, 1) },
    { what: 'a length cut off', body: Uint8Array.of(10, 0x80) },
    { what: 'a length beyond 31 bits', body: Uint8Array.of(10, 0x80, 0x80, 0x80, 0x80, 0x08) },
    { what: 'a span longer than its scope', body: bytesField(1, bytesField(2, Uint8Array.of(0x12, 5, 0))) },
    { what: 'field number 0', body: Uint8Array.of(2, 0) },
    { what: 'wire type 6', body: Uint8Array.of(14) },
    { what: 'wire type 7', body: Uint8Array.of(15) },
    { what: 'a varint of eleven bytes', body: message(tag(50, 0), new Uint8Array(10).fill(0x80), Uint8Array.of(0)) },
    { what: 'a tag beyond 32 bits', body: Uint8Array.of(0x8a, 0x80, 0x80, 0x80, 0x10, 0) },
    { what: 'a time cut off', body: requestOf([message(tag(7, 1), new Uint8Array(7))]) },
    { what: 'a group without an end', body: tag(100, 3) },
    { what: 'a group with another end', body: message(tag(100, 3), tag(101, 4)) },
    { what: 'an end without a group', body: tag(100, 4) },
    { what: 'groups nested 10,000 deep', body: group(10_000) },
    { what: 'a name that is not UTF-8', body: requestOf([spanWith(bytesField(5, Uint8Array.of(0xc3)))]) },
    { what: 'an overlong form in a name', body: requestOf([spanWith(bytesField(5, Uint8Array.of(0xc0, 0x80)))]) },
    {
      what: 'half of a surrogate pair in a name',
      body: requestOf([spanWith(bytesField(5, Uint8Array.of(0xed, 0xa0, 0x80)))]),
    },
    {
      what: 'a character in two texts',
      body: requestOf([spanWith(bytesField(5, Uint8Array.of(0xc3)), bytesField(5, Uint8Array.of(0xa9)))]),
    },
    { what: 'a key that is not UTF-8', body: requestOf([spanWith(bytesField(9, BAD_TEXT))]) },
    { what: 'a value that is not UTF-8', body: requestOf([spanWith(bytesField(9, bytesField(2, BAD_TEXT)))]) },
    {
      what: 'a nested value that is not UTF-8',
      body: requestOf([spanWith(bytesField(9, bytesField(2, nested(5, BAD_TEXT))))]),
    },
    { what: 'a trace state that is not UTF-8', body: requestOf([spanWith(bytesField(3, Uint8Array.of(0xff)))]) },
    {
      what: 'a link that is not UTF-8',
      body: requestOf([spanWith(bytesField(13, bytesField(3, Uint8Array.of(0xff))))]),
    },
    {
      what: 'an event that is not UTF-8',
      body: requestOf([spanWith(bytesField(11, bytesField(2, Uint8Array.of(0xff))))]),
    },
    {
      what: 'a status that is not UTF-8',
      body: requestOf([spanWith(bytesField(15, bytesField(2, Uint8Array.of(0xff))))]),
    },
    { what: 'a resource that is not UTF-8', body: requestOf([], bytesField(1, BAD_TEXT)) },
    { what: 'a scope that is not UTF-8', body: bytesField(1, bytesField(2, bytesField(1, BAD_TEXT))) },
    { what: 'a schema URL that is not UTF-8', body: bytesField(1, bytesField(3, Uint8Array.of(0xff))) },
  ];
  for (const { what, body } of MALFORMED) {
    test(`${what} is rejected completely`, () => {
      const isRefusal = (error: unknown) => {
        assert.ok(error instanceof SpandrelError);
        assert.equal(error.code, 'OTLP_MALFORMED');
        assert.equal(error.message, 'Request body is invalid ExportTraceServiceRequest');
        assert.ok(error.cause instanceof Error);
        return true;
      };
      const builder = new SpanColumnsBuilder();

      assert.throws(() => checkOtlpRequest(body, 'protobuf'), isRefusal);
      assert.throws(() => decodeOtlpRequest(body, 'protobuf', {}, builder), isRefusal);
      assert.equal(builder.rowCount, 0);
    });
  }

  const ACCEPTED: readonly { what: string; body: Uint8Array }[] = [
    { what: 'nothing', body: new Uint8Array(0) },
    {
      what: 'a known field with another wire type',
      body: message(varintField(1, 5), requestOf([spanWith(varintField(5, 3))])),
    },
    { what: 'unknown fields that are not UTF-8', body: bytesField(77, Uint8Array.of(0xff, 0xfe)) },
    { what: 'groups nested 100 deep', body: group(100) },
    { what: 'a varint of ten bytes', body: varintField(50, -1) },
    { what: 'bytes that are not UTF-8', body: requestOf([spanWith(attribute(9, 'raw', Uint8Array.of(0xff)))]) },
  ];
  for (const { what, body } of ACCEPTED) {
    test(`${what} is accepted`, () => {
      assert.equal(checkOtlpRequest(body, 'protobuf').rejectedSpanCount, 0);
      decodeColumns(body);
    });
  }
});

describe('a span that cannot be stored', () => {
  const times = [fixed64Field(7, 1n), fixed64Field(8, 2n)];
  const REJECTED: readonly { what: string; span: Uint8Array; reason: RegExp }[] = [
    {
      what: 'no trace id',
      span: message(bytesField(2, SPAN_ID), ...times),
      reason: /trace id is 0 bytes long, expected 1 to 64/,
    },
    {
      what: 'a long trace id',
      span: spanWith(bytesField(1, new Uint8Array(65).fill(1))),
      reason: /trace id is 65 bytes/,
    },
    { what: 'a trace id of zeros', span: spanWith(bytesField(1, new Uint8Array(16))), reason: /trace id is all zeros/ },
    {
      what: 'no span id',
      span: message(bytesField(1, TRACE_ID), textField(5, 'it "is"')),
      reason: /span "it \\"is\\"": span id is 0 bytes long, expected 1 to 64/,
    },
    { what: 'a span id of zeros', span: spanWith(bytesField(2, new Uint8Array(8))), reason: /span id is all zeros/ },
    {
      what: 'a long parent id',
      span: spanWith(bytesField(4, new Uint8Array(65))),
      reason: /parent span id is 65 bytes long, expected at most 64/,
    },
    { what: 'a start after 2262', span: spanWith(fixed64Field(7, 2n ** 63n)), reason: /after 2262/ },
    { what: 'an end after 2262', span: spanWith(fixed64Field(8, 2n ** 64n - 1n)), reason: /after 2262/ },
    {
      what: 'an attribute too deep',
      span: spanWith(deepAttribute(VALUE_DEPTH_MAX + 1)),
      reason: /more than 100 levels/,
    },
    { what: 'an attribute 10,000 deep', span: spanWith(deepAttribute(10_000)), reason: /more than 100 levels/ },
    {
      what: 'too many attributes',
      span: spanWith(...Array.from({ length: SPAN_ATTRIBUTE_COUNT_MAX + 1 }, () => attribute(9, 'k', 1n))),
      reason: /expected at most 50000 attributes, received 50001/,
    },
  ];
  for (const { what, span, reason } of REJECTED) {
    test(`with ${what} is omitted, and the others are stored`, () => {
      const body = requestOf([spanWith(textField(5, 'before')), span, spanWith(textField(5, 'after'))]);

      const { spanCount, rejectedSpanCount, message: text } = checkOtlpRequest(body, 'protobuf');

      assert.deepEqual([spanCount, rejectedSpanCount], [3, 1]);
      assert.match(text, /^1 of 3 spans rejected: span /);
      assert.match(text, reason);
      const columns = decodeColumns(body);
      assert.deepEqual(
        [0, 1].map((row) => readText(columns.name, row)),
        ['before', 'after'],
      );
    });
  }

  test('does not include spans that are unusual but valid', () => {
    const odd = [
      spanWith(bytesField(4, new Uint8Array(8))),
      spanWith(fixed64Field(7, 0n), fixed64Field(8, 0n)),
      spanWith(fixed64Field(7, 2n ** 63n - 1n), fixed64Field(8, 1n)),
      spanWith(textField(5, '')),
      spanWith(deepAttribute(VALUE_DEPTH_MAX)),
      spanWith(bytesField(1, SPAN_ID), bytesField(1, TRACE_ID)),
    ];

    assert.equal(checkOtlpRequest(requestOf(odd), 'protobuf').rejectedSpanCount, 0);
    const columns = decodeColumns(requestOf(odd));
    assert.equal(columns.rowCount, odd.length);
    assert.equal(columns.hasParent[0], 0);
  });

  test('is reported with a message of limited length', () => {
    const bad = Array.from({ length: 1_000 }, () => message(textField(5, 'n'.repeat(10_000))));

    const { message: text, rejectedSpanCount } = checkOtlpRequest(requestOf(bad), 'protobuf');

    assert.equal(rejectedSpanCount, 1_000);
    assert.ok(text.length <= 1_000);
  });
});

describe('the project of a request', () => {
  const name = (value: string) => attribute(1, 'openinference.project.name', value);
  const projectsOf = (body: Uint8Array, projectName?: string) => {
    const { projectIndex, projectNames } = decodeColumns(body, projectName);
    return [...projectIndex].map((index) => projectNames[index]);
  };

  test('is the first resource attribute that is a text and not empty', () => {
    const numbered = attribute(1, 'openinference.project.name', 5n);
    assert.deepEqual(projectsOf(requestOf([spanWith()], name(''), numbered, name('a'), name('b'))), ['a']);
  });
  test('is the project that the request names', () => {
    assert.deepEqual(projectsOf(requestOf([spanWith()], name('a')), 'asked'), ['asked']);
    assert.deepEqual(projectsOf(requestOf([spanWith()], name('a')), ''), ['a']);
  });
  test('is default if neither request nor resource names one', () => {
    assert.deepEqual(projectsOf(requestOf([spanWith()])), ['default']);
  });
  test('may follow the spans, and differ between resources', () => {
    const scope = bytesField(2, bytesField(2, spanWith()));
    const late = bytesField(1, message(scope, bytesField(1, name('late'))));
    assert.deepEqual(projectsOf(message(late, requestOf([spanWith()], name('b')), late)), ['late', 'b', 'late']);
  });
  test('is not created by a request without valid spans', () => {
    assert.deepEqual(decodeColumns(requestOf([message()], name('a'))).projectNames, []);
  });
});

test('a varint may take more bytes than it needs', () => {
  const span = spanWith();
  const padded = message(
    Uint8Array.of(0x8a, 0x80, 0x00),
    varint(requestOf([span]).length - 2).map((byte) => byte | 0x80),
    Uint8Array.of(0),
  );
  const body = message(padded, requestOf([span]).subarray(2));

  assert.equal(checkOtlpRequest(body, 'protobuf').spanCount, 1);
  assert.equal(decodeColumns(body).rowCount, 1);
});
