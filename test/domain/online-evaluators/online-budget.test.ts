import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { countBudgetDays } from '../../../src/domain/online-evaluators/online-budget.ts';

describe('the days on which a budget allows evaluations', () => {
  test('are one while the rest of today is enough, also without a budget', () => {
    assert.equal(countBudgetDays(10, { restOfToday: 10, perDay: 10 }), 1);
    assert.equal(countBudgetDays(0, { restOfToday: 0, perDay: 0 }), 1);
    assert.equal(countBudgetDays(1e9, { restOfToday: Number.POSITIVE_INFINITY, perDay: Number.POSITIVE_INFINITY }), 1);
  });

  test('count today, even if its budget is used up', () => {
    assert.equal(countBudgetDays(11, { restOfToday: 10, perDay: 10 }), 2);
    assert.equal(countBudgetDays(100, { restOfToday: 10, perDay: 30 }), 4);
    assert.equal(countBudgetDays(10, { restOfToday: 0, perDay: 10 }), 2);
  });

  test('are unknown when no day allows one', () => {
    assert.equal(countBudgetDays(1, { restOfToday: 0, perDay: 0 }), null);
  });
});
