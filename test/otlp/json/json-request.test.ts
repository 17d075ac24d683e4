import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SpandrelError } from '../../../src/model/errors.ts';
import { readText } from '../../../src/columns/read-text.ts';
import { SpanColumnsBuilder } from '../../../src/columns/span-columns-builder.ts';
import { checkOtlpRequest } from '../../../src/otlp/check-request.ts';
import { decodeOtlpRequest } from '../../../src/otlp/decode-request.ts';
import {
  decodeByOracle,
  type OracleAnyValue,
  type OracleKeyValue,
  type OracleRequest,
  type OracleSpan,
  toBigInt,
} from '../../fixtures/otlp-proto.ts';
import { SeededRandom } from '../../fixtures/seeded-random.ts';
import { randomRequest } from '../random-request.ts';
import { readRows } from '../read-rows.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** A request in the JSON form, with names in camel case or in snake case. */
function toOtlpJson(request: OracleRequest, random: SeededRandom): unknown {
  const isSnake = random.chance(0.3);
  const named = (fields: Record<string, unknown>) =>
    isSnake
      ? Object.fromEntries(
          Object.entries(fields).map(([key, value]) => [key.replaceAll(/[A-Z]/g, (a) => `_${a.toLowerCase()}`), value]),
        )
      : fields;
  const anyValue = (value: OracleAnyValue): unknown => {
    switch (value.value) {
      case 'stringValue':
        return named({ stringValue: value.stringValue });
      case 'boolValue':
        return named({ boolValue: value.boolValue });
      case 'intValue': {
        const integer = toBigInt(value.intValue);
        const asNumber = random.chance(0.5) && BigInt(Number(integer)) === integer;
        return named({
          intValue: asNumber && Number.isSafeInteger(Number(integer)) ? Number(integer) : String(integer),
        });
      }
      case 'doubleValue': {
        const asText = !Number.isFinite(value.doubleValue) || Object.is(value.doubleValue, -0);
        return named({
          doubleValue: asText
            ? Object.is(value.doubleValue, -0)
              ? '-0'
              : String(value.doubleValue)
            : value.doubleValue,
        });
      }
      case 'arrayValue':
        return named({ arrayValue: { values: value.arrayValue.values.map(anyValue) } });
      case 'kvlistValue':
        return named({ kvlistValue: { values: value.kvlistValue.values.map(keyValue) } });
      case 'bytesValue':
        return named({ bytesValue: Buffer.from(value.bytesValue).toString('base64') });
      default:
        return {};
    }
  };
  const keyValue = ({ key, value }: OracleKeyValue): unknown => ({
    key,
    value: value === null ? null : anyValue(value),
  });
  const span = (one: OracleSpan): unknown =>
    named({
      traceId: random.chance(0.5) ? hex(one.traceId) : hex(one.traceId).toUpperCase(),
      spanId: hex(one.spanId),
      parentSpanId: hex(one.parentSpanId),
      name: one.name,
      kind: 'SPAN_KIND_INTERNAL',
      startTimeUnixNano: String(toBigInt(one.startTimeUnixNano)),
      endTimeUnixNano: String(toBigInt(one.endTimeUnixNano)),
      attributes: one.attributes.map(keyValue),
      events: one.events.map((event) =>
        named({
          timeUnixNano: String(toBigInt(event.timeUnixNano)),
          name: event.name,
          attributes: event.attributes.map(keyValue),
        }),
      ),
      status: one.status && {
        message: one.status.message,
        code: one.status.code === 2 && random.chance(0.5) ? 'STATUS_CODE_ERROR' : one.status.code,
      },
      unknownField: { deep: [1] },
    });
  return named({
    resourceSpans: request.resourceSpans.map(({ resource, scopeSpans }) =>
      named({
        resource: resource && { attributes: resource.attributes.map(keyValue) },
        scopeSpans: scopeSpans.map(({ spans }) => ({ scope: { name: 's' }, spans: spans.map(span) })),
      }),
    ),
  });
}

const decode = (body: Uint8Array, format: 'protobuf' | 'json') => {
  const builder = new SpanColumnsBuilder();
  decodeOtlpRequest(body, format, {}, builder);
  return builder.finish();
};
const jsonBody = (json: unknown) => Buffer.from(typeof json === 'string' ? json : JSON.stringify(json));
const withSpan = (fields: string) =>
  jsonBody(
    `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"${'01'.repeat(16)}","spanId":"${'02'.repeat(8)}",${fields}}]}]}]}`,
  );
const nestedValue = (depth: number) =>
  `${'{"arrayValue":{"values":['.repeat(depth)}{"stringValue":"x"}${']}}'.repeat(depth)}`;

describe('OTLP/JSON', () => {
  test('gives the rows that the same request gives as protobuf', () => {
    for (let i = 0; i < 300; i++) {
      const random = new SeededRandom(900_000 + i);
      const body = randomRequest(random);
      const json = jsonBody(toOtlpJson(decodeByOracle(body), random));

      assert.deepEqual(checkOtlpRequest(json, 'json'), checkOtlpRequest(body, 'protobuf'), `case ${i}`);
      assert.deepEqual(readRows(decode(json, 'json')), readRows(decode(body, 'protobuf')), `case ${i}`);
    }
  });

  test('keeps integers that a double cannot hold, as text and as numbers', () => {
    const json = withSpan(
      '"startTimeUnixNano":1709287200123456789,"attributes":[{"key":"a","value":{"intValue":9007199254740993}},{"key":"b","value":{"intValue":"-9223372036854775808"}}]',
    );

    const columns = decode(json, 'json');

    assert.equal(columns.startTimeUnixNano[0], 1709287200123456789n);
    assert.equal(readText(columns.attributes, 0), '{"a":9007199254740993,"b":-9223372036854775808}');
  });

  test('reads names of prototypes as ordinary names', () => {
    const json = withSpan('"__proto__":{"name":"x"},"attributes":[{"key":"__proto__","value":{"boolValue":true}}]');

    const columns = decode(json, 'json');

    assert.equal(readText(columns.attributes, 0), '{"__proto__":true}');
    assert.equal(readText(columns.name, 0), '');
  });

  test('rejects a span whose attribute is too deep, without entering it', () => {
    for (const depth of [101, 10_000]) {
      const json = withSpan(`"attributes":[{"key":"k","value":${nestedValue(depth)}}]`);
      assert.equal(checkOtlpRequest(json, 'json').rejectedSpanCount, 1);
    }
    const json = withSpan(`"attributes":[{"key":"k","value":${nestedValue(100)}}]`);
    assert.equal(checkOtlpRequest(json, 'json').rejectedSpanCount, 0);
  });

  for (const { what, body } of [
    { what: 'no JSON', body: jsonBody('{') },
    { what: 'no bytes', body: jsonBody('') },
    { what: 'a list', body: jsonBody('[]') },
    { what: 'not UTF-8', body: Uint8Array.of(0x22, 0xff, 0x22) },
    { what: 'spans that are no list', body: jsonBody({ resourceSpans: {} }) },
    { what: 'a name that is no text', body: withSpan('"name":5') },
    { what: 'a trace id that is not hexadecimal', body: withSpan('"traceId":"AQIDBAUGBwgJCgsMDQ4PEA=="') },
    { what: 'a time that is no integer', body: withSpan('"startTimeUnixNano":"noon"') },
    { what: 'a negative time', body: withSpan('"startTimeUnixNano":"-1"') },
    {
      what: 'an integer beyond int64',
      body: withSpan('"attributes":[{"key":"k","value":{"intValue":"9223372036854775808"}}]'),
    },
    { what: 'a value that is not an object', body: withSpan('"attributes":[{"key":"k","value":"x"}]') },
  ]) {
    test(`rejects ${what}`, () => {
      const isMalformed = (error: unknown) => error instanceof SpandrelError && error.code === 'OTLP_MALFORMED';
      assert.throws(() => checkOtlpRequest(body, 'json'), isMalformed);
      assert.throws(() => decode(body, 'json'), isMalformed);
    });
  }

  test('may be empty', () => {
    assert.equal(checkOtlpRequest(jsonBody({}), 'json').spanCount, 0);
    assert.equal(checkOtlpRequest(jsonBody({ resourceSpans: null }), 'json').spanCount, 0);
  });
});
