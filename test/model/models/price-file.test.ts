import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type PriceFile, parsePriceFile } from '../../../src/model/models/price-file.ts';
import { PriceTable } from '../../../src/model/models/price-table.ts';
import { readModelPrices } from '../../../src/read-model-prices.ts';

const model = { name: 'm', namePattern: '^m$', prompt: { input: 1 }, completion: { output: 2 } };
const parse = (...models: object[]): PriceFile => parsePriceFile(JSON.stringify({ asOf: '2025-01-01', models }));

const { asOf, models } = await readModelPrices();

describe('the built-in price file', () => {
  const table = new PriceTable(models.map((shipped, rowId) => ({ ...shipped, rowId, isBuiltIn: true })));
  const nameOf = (modelName: string, provider = '', start = 1_800_000_000_000_000_000n) =>
    table.find(modelName, provider, start)?.name;

  test('states the day of its prices', () => assert.match(asOf, /^\d{4}-\d{2}-\d{2}$/));

  test('finds each model by its own name, or its name without a remark', () => {
    const lost = models.filter(
      ({ name }) => nameOf(name.replace(/ \(.*/, ''))?.replace(/ \(.*/, '') !== name.replace(/ \(.*/, ''),
    );

    assert.deepEqual(
      lost.map(({ name }) => name),
      [],
    );
  });

  for (const [sent, found] of [
    ['gpt-4o-2024-08-06', 'gpt-4o'],
    ['gpt-4o-2024-05-13', 'gpt-4o-2024-05-13'],
    ['openai/gpt-4o-mini', 'gpt-4o-mini'],
    ['gpt-35-turbo', 'gpt-3.5-turbo'],
    ['claude-3-5-sonnet-20241022', 'claude-3-5-sonnet'],
    ['us.anthropic.claude-3-5-sonnet-20241022-v2:0', 'claude-3-5-sonnet'],
    ['claude-sonnet-4-20250514', 'claude-sonnet-4'],
    ['claude-opus-4-1-20250805', 'claude-opus-4-1'],
    ['models/gemini-2.5-flash-lite', 'gemini-2.5-flash-lite'],
    ['gemini-2.5-flash-preview-05-20', 'gemini-2.5-flash'],
    ['us.amazon.nova-lite-v1:0', 'amazon.nova-lite'],
    ['us.meta.llama3-3-70b-instruct-v1:0', 'meta.llama3-3-70b-instruct'],
    ['deepseek-chat', 'deepseek-chat (V3.2)'],
    ['my-gpt-4o', undefined],
    ['gpt-4o-audio', undefined],
  ] as const) {
    test(`${found ? `prices ${sent} as ${found}` : `has no price for ${sent}`}`, () =>
      assert.equal(nameOf(sent), found));
  }

  test('has the price of the day on which a span started', () => {
    const atStart = BigInt(Date.parse('2025-09-10')) * 1_000_000n;

    assert.equal(nameOf('deepseek-chat', 'deepseek', atStart), 'deepseek-chat (V3.1)');
    assert.equal(nameOf('deepseek-chat', 'deepseek', 0n), 'deepseek-chat');
  });
});

describe('a price file', () => {
  test('is read as prices per token', () => {
    const [read] = parse({ ...model, above: { count: 'prompt', threshold: 10, prompt: { input: 3 } } }).models;

    assert.deepEqual(read?.prices, [
      { tokenType: 'input', isPrompt: true, perToken: 1e-6, above: { count: 'prompt', threshold: 10, perToken: 3e-6 } },
      { tokenType: 'output', isPrompt: false, perToken: 2e-6 },
    ]);
  });

  for (const [what, models, message] of [
    ['without models', [], /models: expected a list/],
    ['with a pattern that is none', [{ ...model, namePattern: 'a(' }], /model m: namePattern: Invalid regex/],
    ['with a pattern that looks behind', [{ ...model, namePattern: '(?<=a)b' }], /model m: namePattern: Invalid regex/],
    ['with a negative price', [{ ...model, prompt: { input: -1 } }], /model m: prompt: input: expected a number/],
    ['without a price for input', [{ ...model, prompt: { cache_read: 1 } }], /model m: prompt: has no price for input/],
    ['with an unknown key', [{ ...model, price: 1 }], /model m: unknown key price/],
    ['with a model twice', [model, model], /model m: the name is not unique/],
    ['with a start that is no date', [{ ...model, startTime: 'soon' }], /model m: startTime: expected a date/],
  ] as const) {
    test(`${what} is rejected, and the error has the location`, () => assert.throws(() => parse(...models), message));
  }
});
