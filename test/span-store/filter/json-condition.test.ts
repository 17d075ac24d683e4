import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLocationOf } from '../../../src/span-store/filter/attribute-to-sql.ts';
import { jsonTestOf } from '../../../src/span-store/filter/json-condition.ts';
import type { AttributeCondition } from '../../../src/span-store/contract/spans.ts';
import { SeededRandom } from '../../fixtures/seeded-random.ts';
import { spanColumns, type TestSpan } from '../../fixtures/span-columns.ts';
import { storeForTest } from '../store-for-test.ts';

const SEED = Number(process.env.SEED ?? Date.now() % 1e6);
const SPAN_COUNT = 600;
const CONDITION_COUNT = 300;

const KEYS = ['a', 'b', 'ab', 'a.b', 'b.c', 'c', '__proto__', 'é', 'a-b', 'toString'];
/** As conditions state them, each with the ways in which JSON can write it or what is like it. */
const VALUES: readonly [AttributeCondition['value'], readonly string[]][] = [
  [7, ['7', '7.0', '7e0', '70e-1', '"7"', '77']],
  [-7, ['-7', '-7.0']],
  [0, ['0', '-0', '0.0']],
  [2.5, ['2.5', '2.50', '25e-1', '"2.5"']],
  [9007199254740993n, ['9007199254740993', '9007199254740992', '9007199254740993.0']],
  [true, ['true', '"true"']],
  [false, ['false']],
  ['x', ['"x"', '"xy"', '"\\u0078"', '["x"]']],
  ['a"b\\c/d\n', ['"a\\"b\\\\c/d\\n"', '"a\\"b\\\\c\\/d\\n"']],
  ['Zürich 🏔', ['"Zürich 🏔"', '"Z\\u00fcrich 🏔"']],
  ['"b":7', ['"\\"b\\":7"']],
  ['', ['""', 'null', '{}']],
];

function randomObject(random: SeededRandom, depth = 0): string {
  const members = Array.from({ length: 1 + random.below(3) }, () => {
    const key = JSON.stringify(random.pick(KEYS));
    const space = random.chance(0.1) ? ' ' : '';
    const isNested = depth < 3 && random.chance(0.4);
    return `${key}${space}:${space}${isNested ? randomObject(random, depth + 1) : random.pick(random.pick(VALUES)[1])}`;
  });
  return `{${members.join(',')}}`;
}

test(`a row in memory meets a condition exactly if it does in the database (seed ${SEED})`, async (t) => {
  const random = new SeededRandom(SEED);
  const store = await storeForTest(t, { recentSpanBytes: 0 });
  const spans: TestSpan[] = Array.from({ length: SPAN_COUNT }, (_, row) => ({
    traceId: '1'.repeat(32),
    spanId: (1 + row).toString(16).padStart(16, '0'),
    attributes: randomObject(random),
    ...(random.chance(0.7) && { metadata: randomObject(random) }),
  }));
  const columns = spanColumns(spans);
  await store.append(spanColumns(spans), 1);
  let toldCount = 0;
  let metCount = 0;
  for (let i = 0; i < CONDITION_COUNT; i++) {
    const keys = Array.from({ length: 1 + random.below(3) }, () => random.pick(KEYS));
    const condition = {
      path: [...(random.chance(0.5) ? ['metadata'] : []), ...keys].join('.'),
      value: random.pick(VALUES)[0],
    };
    const place = jsonLocationOf(condition)!;
    const passes = jsonTestOf(place, condition.value);
    const { items } = await store.findSpans({ projectId: 1, limit: SPAN_COUNT, attributes: [condition] });
    const found = new Set<string>(items.map(({ spanId }) => spanId));
    if (!passes) continue;
    for (const [row, { spanId, attributes, metadata }] of spans.entries()) {
      const isMet = passes(columns[place.column], row);
      if (isMet === undefined) continue;
      toldCount++;
      if (isMet) metCount++;
      const json = place.column === 'metadata' ? metadata : attributes;
      assert.equal(isMet, found.has(spanId), `${condition.path} is ${String(condition.value)} in ${String(json)}`);
    }
  }

  assert.ok(toldCount > (SPAN_COUNT * CONDITION_COUNT) / 4, `${toldCount} told`);
  assert.ok(metCount > 50, `${metCount} met`);
});

test('spans in memory suffice for frequent values', () => {
  const columns = spanColumns([
    {
      traceId: '1'.repeat(32),
      spanId: '1'.repeat(16),
      metadata: { build: 17, stage: 'test' },
      attributes: { a: { b: 1 } },
    },
    { traceId: '1'.repeat(32), spanId: '2'.repeat(16) },
  ]);
  const isMet = (condition: AttributeCondition) => {
    const place = jsonLocationOf(condition)!;
    const passes = jsonTestOf(place, condition.value)!;
    return [0, 1].map((row) => passes(columns[place.column], row));
  };

  assert.deepEqual(isMet({ path: 'metadata.build', value: 17 }), [true, false]);
  assert.deepEqual(isMet({ path: 'metadata.build', value: 1 }), [false, false]);
  assert.deepEqual(isMet({ path: 'metadata.stage', value: 'test' }), [true, false]);
  assert.deepEqual(isMet({ path: 'a.b', value: 1 }), [true, false]);
});

test('the database runs a search that would read too many rows', () => {
  const columns = spanColumns([
    { traceId: '1'.repeat(32), spanId: '1'.repeat(16), attributes: { a: 'x'.repeat(10_000_000), b: 1 } },
  ]);
  const condition = { path: 'b', value: 1 };
  const passes = jsonTestOf(jsonLocationOf(condition)!, condition.value)!;

  assert.equal(passes(columns.attributes, 0), true);
  assert.equal(passes(columns.attributes, 0), undefined);
});
