import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MODEL_NAME_CHARS_MAX } from '../../../src/model/limits/models.ts';
import type { PricedModel } from '../../../src/model/models/generative-model.ts';
import { PriceTable } from '../../../src/model/models/price-table.ts';
import { computeCost, toTokenCounts } from '../../../src/model/models/span-cost.ts';

const model = (fields: Partial<PricedModel> = {}): PricedModel => ({
  rowId: 1,
  name: 'm',
  provider: '',
  namePattern: 'm',
  isBuiltIn: false,
  startTimeMs: null,
  prices: [
    { tokenType: 'input', isPrompt: true, perToken: 2e-6 },
    { tokenType: 'cache_read', isPrompt: true, perToken: 1e-6 },
    { tokenType: 'output', isPrompt: false, perToken: 10e-6 },
  ],
  ...fields,
});
const cost = (counts: unknown, priced: PricedModel | undefined = model()) => computeCost(toTokenCounts(counts), priced);

describe('the cost of a span', () => {
  test('splits a side into its token types and the remaining tokens', () => {
    assert.deepEqual(cost({ prompt: 100, completion: 10, prompt_details: { cache_read: 40, audio: 5 } }), {
      modelRowId: 1,
      tokensPrompt: 100,
      tokensCompletion: 10,
      promptPico: 55 * 2e6 + 40e6 + 5 * 2e6,
      completionPico: 100e6,
      details: [
        { tokenType: 'cache_read', isPrompt: true, tokens: 40, costPico: 40e6 },
        // It has no price of its own.
        { tokenType: 'audio', isPrompt: true, tokens: 5, costPico: 10e6 },
        { tokenType: 'input', isPrompt: true, tokens: 55, costPico: 110e6 },
        { tokenType: 'output', isPrompt: false, tokens: 10, costPico: 100e6 },
      ],
    });
  });

  test('is absent without token counts', () => {
    for (const counts of [undefined, null, {}, 'x', { total: 5 }, { prompt: 'many' }, { prompt: -1 }])
      assert.equal(cost(counts), undefined);
  });

  test('derives a missing side from the total', () => {
    assert.equal(cost({ total: 30, prompt: 20 })?.tokensCompletion, 10);
    assert.equal(cost({ total: 30, completion: 20 })?.tokensPrompt, 10);
    assert.equal(cost({ total: 3, completion: 20 })?.tokensPrompt, 0);
    assert.equal(cost({ completion: 20 })?.tokensPrompt, 0);
  });

  test('has tokens without amounts when no model has a price', () => {
    assert.deepEqual(computeCost(toTokenCounts({ prompt: 1 }), undefined), {
      modelRowId: null,
      tokensPrompt: 1,
      tokensCompletion: 0,
      promptPico: null,
      completionPico: null,
      details: [{ tokenType: 'input', isPrompt: true, tokens: 1, costPico: null }],
    });
  });

  test('uses another price above a threshold', () => {
    const prices = [
      { tokenType: 'input', isPrompt: true, perToken: 1e-6, above: { count: 'total', threshold: 10, perToken: 5e-6 } },
    ];

    assert.equal(cost({ prompt: 9, completion: 1 }, model({ prices }))?.promptPico, 9e6);
    assert.equal(cost({ prompt: 9, completion: 2 }, model({ prices }))?.promptPico, 45e6);
  });

  test('reads counts that are text', () => assert.equal(cost({ prompt: ' 12 ' })?.tokensPrompt, 12));

  test('stays a whole number whatever is sent', () => {
    const huge = cost({ prompt: 1e300, completion: 0.9, prompt_details: { a: 1e300, constructor: 1.5 } });

    assert.ok(Number.isSafeInteger(huge?.promptPico));
    assert.equal(huge?.tokensCompletion, 0);
  });
});

describe('the model of a span', () => {
  const find = (models: PricedModel[], name = 'm-1', provider = '', start = 0n) =>
    new PriceTable(models).find(name, provider, start)?.rowId;
  const shipped = (fields: Partial<PricedModel>) => model({ isBuiltIn: true, ...fields });

  test('is a model of a user before a built-in one', () =>
    assert.equal(
      find([shipped({ rowId: 1, namePattern: '^m-1$', provider: 'p' }), model({ rowId: 2 })], 'm-1', 'p'),
      2,
    ));

  test('prefers a model of the provider to one without a provider, and that to one of another provider', () => {
    const of = [shipped({ rowId: 1, provider: 'a' }), shipped({ rowId: 2 }), shipped({ rowId: 3, provider: 'b' })];

    assert.equal(find(of, 'm', 'A'), 1);
    assert.equal(find(of, 'm', 'c'), 2);
    assert.equal(find(of.slice(0, 1), 'm', 'c'), 1);
  });

  test("is not a user's model for another provider", () => {
    assert.equal(find([model({ provider: 'a' })], 'm', 'b'), undefined);
    assert.equal(find([model({ provider: 'a' })], 'm'), 1);
  });

  test('is the one whose pattern has more literal characters', () =>
    assert.equal(find([model({ rowId: 1, namePattern: '^m.*' }), model({ rowId: 2, namePattern: '^m-\\d$' })]), 2));

  test('is the one with the latest start before the span', () => {
    const of = [model({ rowId: 1 }), model({ rowId: 2, startTimeMs: 5 }), model({ rowId: 3, startTimeMs: 9 })];

    assert.equal(find(of, 'm', '', 4_999_999n), 1);
    assert.equal(find(of, 'm', '', 5_000_000n), 2);
    assert.equal(find(of, 'm', '', 10_000_000n), 3);
  });

  test('is the oldest built-in model and the newest model of users, if nothing else decides', () => {
    assert.equal(find([shipped({ rowId: 1 }), shipped({ rowId: 2 })]), 1);
    assert.equal(find([model({ rowId: 1 }), model({ rowId: 2 })]), 2);
  });

  test('is none with a pattern that is invalid', () => {
    const table = new PriceTable([model({ namePattern: 'gpt-4(' }), model({ rowId: 2, namePattern: 'gpt' })]);

    assert.equal(table.find('gpt-4(', '', 0n)?.rowId, 2);
  });

  test('is absent for an extremely long name', () =>
    assert.equal(find([model()], 'm'.repeat(MODEL_NAME_CHARS_MAX + 1)), undefined));
});
