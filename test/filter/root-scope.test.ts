import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rootScopeOf } from '../../src/filter/entities/root-scope.ts';
import { matchesSpan } from '../../src/filter/spans/evaluate-span-filter.ts';
import { parseSpanFilter } from '../../src/filter/spans/parse-span-filter.ts';
import { randomFilterText, randomFrom, randomSpan } from './random-filters.ts';

describe('the root scope', () => {
  for (const [text, scope] of [
    ['parent_id is None', 'strict'],
    ['None == parent_id', 'strict'],
    ['parent_span is None', 'orphanAware'],
    ['parent_span == None', 'orphanAware'],
    ['parent_id is not None', undefined],
    ["parent_id is None and name == 'x'", 'strict'],
    ['parent_span is None and parent_id is None', 'strict'],
    ["parent_span is None and name == 'x'", 'orphanAware'],
    ['parent_id is None or parent_span is None', 'orphanAware'],
    ['parent_id is None or parent_id == None', 'strict'],
    ["parent_id is None or name == 'x'", undefined],
    ['not (parent_id is not None)', 'strict'],
    ['not parent_span is not None', 'orphanAware'],
    ['not not parent_id is None', 'strict'],
    ["not (parent_id is not None or name == 'x')", 'strict'],
    ["not (parent_id is not None and name == 'x')", undefined],
    ['parent_span is None or False', 'orphanAware'],
    ['parent_id is None or not True', 'strict'],
    ['parent_id is None or True', undefined],
    ['parent_id is None or None', 'strict'],
    ['parent_id is None is None', undefined],
    ["attributes['parent_id'] is None", undefined],
    ['', undefined],
    ['parent_id is', undefined],
  ] as const) {
    test(`is ${scope ?? 'open'}: ${text}`, () => assert.equal(rootScopeOf(text), scope));
  }

  test('is never roots for a filter that also selects other spans', () => {
    let claimCount = 0;
    for (let seed = 1; seed <= 4_000; seed++) {
      const random = randomFrom(seed);
      const part = `(${randomFilterText(random, 2)})`;
      const form = random.pick([
        (a: string) => `parent_span is None and ${a}`,
        (a: string) => `not (parent_id is not None or ${a})`,
        (a: string) => `parent_id is None or ${a}`,
        (a: string) => a,
      ]);
      const filter = parseSpanFilter(form(part))!;
      const scope = rootScopeOf(form(part));
      const span = randomSpan(random);
      if (scope === undefined || !matchesSpan(filter, span)) continue;

      assert.ok(scope === 'strict' ? span.parentId === null : !span.hasParentSpan, `seed ${seed}: ${filter.text}`);
      claimCount++;
    }
    assert.ok(claimCount > 100, `${claimCount} claims`);
  });
});
