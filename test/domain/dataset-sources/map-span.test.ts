import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExactJsonObject } from '../../../src/base/exact-json.ts';
import { DEFAULT_MAPPING, type SpanMapping } from '../../../src/model/dataset-source.ts';
import type { SpanBody, SpanRow } from '../../../src/model/spans/span.ts';
import { checkSpanMapping, mapSpan } from '../../../src/domain/dataset-sources/map-span.ts';

const row = { name: 'answer', spanKind: 'CHAIN', spanId: 's', traceId: 't', statusCode: 'OK', statusMessage: '' };
const ATTRIBUTES = `{"metadata": "{\\"topic\\": \\"returns\\"}", "list": [{"v": 1}, {"v": 2}],
  "__proto__": {"polluted": true}, "constructor": {"name": "mine"}, "a.b": {"c d": 3}}`;
const content = {
  row: row as SpanRow,
  body: { input: '{"question": "why?"}', output: 'because', attributeParts: [ATTRIBUTES] } as unknown as SpanBody,
  annotations: undefined,
};
Object.assign(content.row, { input: { mimeType: 'application/json' }, output: { mimeType: 'text/plain' } });

const mapped = (mapping: Partial<SpanMapping>) => mapSpan(content, { ...DEFAULT_MAPPING, ...mapping });
const plain = (value: ExactJsonObject) => JSON.parse(JSON.stringify(value)) as unknown;

test('sides without fields follow the rule of the contract', () => {
  const { input, output, metadata } = mapped({});
  assert.deepEqual(plain(input), { question: 'why?' });
  assert.deepEqual(plain(output), { output: 'because' });
  assert.deepEqual(plain(metadata), { topic: 'returns', span_kind: 'CHAIN' });
});

test('fields take values by path, and a field without a name takes the members of an object', () => {
  const { input, metadata, missingPaths } = mapped({
    input: [
      { name: '', path: 'input' },
      { name: 'values', path: 'attributes.list[*].v' },
      { name: 'span', path: 'span.name' },
      { name: 'absent', path: 'attributes.nowhere' },
    ],
    metadata: [{ name: '', path: 'output.output' }],
  });
  assert.equal(
    JSON.stringify(input),
    '{"question":"why?","values":["1","2"],"span":"answer"}'.replaceAll('"1","2"', '1,2'),
  );
  assert.deepEqual(plain(metadata), { metadata: 'because' });
  assert.deepEqual(missingPaths, ['attributes.nowhere']);
});

test('names and paths of a prototype are keys like others', () => {
  const { input, missingPaths } = mapped({
    input: [
      { name: '__proto__', path: "attributes['__proto__'].polluted" },
      { name: 'constructor', path: 'attributes.constructor.name' },
      { name: 'own', path: "attributes['a.b']['c d']" },
      { name: 'inherited', path: 'attributes.toString' },
      { name: 'length', path: 'attributes.list.length' },
    ],
  });
  assert.deepEqual(Object.keys(input), ['__proto__', 'constructor', 'own']);
  assert.ok(!('toString' in input));
  assert.equal(({} as { polluted?: true }).polluted, undefined);
  assert.deepEqual(missingPaths, ['attributes.toString', 'attributes.list.length']);
});

test('a mapping that cannot be applied is rejected with its reason', () => {
  const check = (fields: SpanMapping['input']) => () => checkSpanMapping({ ...DEFAULT_MAPPING, input: fields });
  assert.throws(check([{ name: 'a', path: 'x..y' }]), /input field 'a' cannot be read: it has "\.\."/);
  assert.throws(check([{ name: 'a', path: '' }]), /it is empty/);
  assert.throws(
    check([
      { name: 'a', path: 'x' },
      { name: 'a', path: 'y' },
    ]),
    /two fields named 'a'/,
  );
  assert.throws(check([{ name: 'a', path: `x${'.a'.repeat(1_000)}` }]), /the maximum is 1000/);
  assert.throws(check(Array.from({ length: 101 }, (_, index) => ({ name: `${index}`, path: 'x' }))), /101 fields/);
});
