import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTraceFilter } from '../../../src/filter/entities/parse-entity-filter.ts';
import { parseSpanFilter } from '../../../src/filter/spans/parse-span-filter.ts';
import { compileEntityFilter } from '../../../src/span-store/filter/compile-entity-filter.ts';
import { compileSpanFilter } from '../../../src/span-store/filter/compile-span-filter.ts';
import { applyPlan } from '../../../src/span-store/filter/filter-plan.ts';
import { Parameters } from '../../../src/span-store/duckdb/sql.ts';

const planOf = (text: string) => compileSpanFilter(parseSpanFilter(text)!);

test('applies a plan to several statements, with the values and the scope of each', () => {
  const own = new Parameters();
  const plan = {
    sql: `a = ${own.text('x')} AND b IN ($first, $last) AND c = ${own.double(2)} AND a <> $1`,
    parameters: own,
  };
  const parameters = new Parameters();
  parameters.bigint(7);

  const first = applyPlan(plan, { projectId: 1, first: 10, last: 20 }, parameters);
  const second = applyPlan(plan, { projectId: 1, first: 30, last: 40 }, new Parameters());

  assert.equal(first, 'a = $2 AND b IN ($4, $5) AND c = $3 AND a <> $2');
  assert.deepEqual(parameters.values, [7n, 'x', 2, 10n, 20n]);
  assert.equal(second, 'a = $1 AND b IN ($3, $4) AND c = $2 AND a <> $1');
});

test('binds equal texts of two plans once', () => {
  const parameters = new Parameters();
  const scope = { projectId: 1, first: 1, last: 2 };

  const conditions = [planOf("name == 'x'"), planOf("name != 'x'")].map((plan) => applyPlan(plan, scope, parameters));

  assert.deepEqual(parameters.values, ['x']);
  assert.ok(conditions.every((condition) => /\$1\b/.test(condition) && !/\$[2-9]/.test(condition)));
});

test('leaves no placeholder of the scope in a statement', () => {
  const parameters = new Parameters();
  const plan = planOf("annotations['x'].score > 0.5 or 'y' in input.value");

  const condition = applyPlan(plan, { projectId: 3, first: 1, last: 2 }, parameters);

  assert.match(plan.sql, /\$projectId\b/);
  assert.doesNotMatch(condition, /\$(first|last|projectId)/);
  assert.equal(Math.max(...[...condition.matchAll(/\$(\d+)/g)].map(([, at]) => Number(at))), parameters.values.length);
});

test('states whether a span filter reads long texts, and the values that a block must contain', () => {
  assert.equal(planOf("'y' in input.value").needs.longTexts, true);
  assert.equal(planOf('latency_ms > 5').needs.longTexts, false);
  assert.equal(planOf("name == 'x' and latency_ms > 5").needs.values.length, 1);
});

test('translates the operands of a trace filter that SQL can express, without values of the others', () => {
  const exact = compileEntityFilter(parseTraceFilter('latency_ms > 5')!);
  const partial = compileEntityFilter(parseTraceFilter("latency_ms > 5 and 'needle' in input")!);
  const none = compileEntityFilter(parseTraceFilter("'needle' in input")!);

  assert.equal(exact.isExact, true);
  assert.equal(partial.isExact, false);
  assert.ok(partial.sql);
  assert.deepEqual(partial.parameters.values, exact.parameters.values);
  assert.equal(none.sql, undefined);
  assert.equal(none.isExact, false);
});
