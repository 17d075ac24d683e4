import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseRunFilter } from '../../src/filter/runs/parse-run-filter.ts';
import { type ComparedExampleView, matchesExample, type RunView } from './evaluate-run-filter.ts';

const run = (more: Partial<RunView> = {}): RunView => ({
  output: 'an apple',
  error: null,
  latencyMs: 100,
  evaluations: [],
  ...more,
});
const example = (more: Partial<ComparedExampleView> = {}): ComparedExampleView => ({
  input: {},
  reference_output: {},
  metadata: {},
  runs: [[run()], [run()]],
  ...more,
});
const matches = (text: string, view: ComparedExampleView): boolean =>
  matchesExample(parseRunFilter(text, view.runs.length)!, view);

describe('filters of runs', () => {
  for (const [text, message] of [
    ['input["a"]', 'Filter condition must be a boolean expression'],
    ['1', 'Filter condition must be a boolean expression'],
    ['True', 'Filter condition must be a boolean expression'],
    ['error is None and output', 'Operands of `and` / `or` must be boolean expressions'],
    ['0 < latency_ms < 5', 'Only binary comparisons are supported'],
    ['latency == 5', 'Unknown name'],
    ['experiments[0].latency == 5', 'Unknown attribute'],
    ['error.text == "x"', 'Unknown attribute'],
    ['evals["a"].value > 1', 'Unknown eval attribute'],
    ['experiments == 1', 'Select an experiment with [<index>]'],
    ['experiments.error is None', 'Select an experiment with [<index>]'],
    ['experiments["a"].error is None', 'Index to experiments must be an integer'],
    ['experiments[1.0].error is None', 'Index to experiments must be an integer'],
    ['experiments[2].error is None', 'Index to experiments must be below 2'],
    ['experiments[0] is None', 'Add an attribute'],
    ['experiments[0]["error"] is None', 'Invalid subscript'],
    ['evals.a.score > 1', 'Select an eval with [<eval-name>]'],
    ['evals[0].score > 1', 'Eval must be indexed by string'],
    ['evals["a"] is None', 'Choose an attribute for your eval (label, score, etc.)'],
    ['latency_ms["a"] > 1', 'Invalid subscript'],
    ['input[output] == 1', 'Subscript key must be a literal: output'],
    ['input[1.5] == 1', 'Index must be an integer or string'],
    ['input[None] == 1', 'Index must be an integer or string'],
    ['"a" in input', 'Select a key from `input` with [<key>]'],
    ['metadata == 1', 'Select a key from `metadata` with [<key>]'],
    [
      'error in ["a", "b"]',
      'Membership against a list is not supported here; compare against a single value, or combine comparisons with `or`',
    ],
    ['latency_ms + 1 > 2', 'Arithmetic is not supported here: `latency_ms + 1`'],
    ['input["a"] < True', 'cannot order a boolean, use `==`, `!=`, or `is` instead of `<` / `>`'],
    ['error is "x"', '`is` is only supported with None, True, or False'],
    ['len(error) > 1', 'Invalid filter condition'],
    ['None < 1', 'Invalid filter condition'],
    ['(error is None) == True', 'Invalid filter condition'],
    ['"a" in latency_ms', 'Invalid filter condition'],
    [`${'('.repeat(3_000)}error is None${')'.repeat(3_000)}`, 'Filter condition is nested too deeply'],
    ['error == "a\0"', 'condition cannot contain a NUL character'],
  ] as const) {
    test(`rejects ${text.slice(0, 40)}`, () => {
      assert.throws(() => parseRunFilter(text, 2), { code: 'FILTER_INVALID', message });
    });
  }

  test('treats a blank text as no filter', () => {
    assert.equal(parseRunFilter('  ', 1), undefined);
  });

  test('compares values by type, and treats JSON null as missing', () => {
    const view = example({ input: { tag: 'odd', n: 5, five: '5', nothing: null, list: [1, { a: [2] }] } });

    for (const [text, expected] of [
      ['input["tag"] == "odd"', true],
      ['input["n"] == 5', true],
      ['input["n"] == "5"', false],
      ['input["n"] != "5"', true],
      ['input["n"] == input["five"]', false],
      ['input["nothing"] is None', true],
      ['input["nothing"] != 1', false],
      ['not input["missing"] == 1', false],
      ['input["n"] < "6"', false],
      ['input["tag"] > "a"', true],
      ['input["list"][1]["a"][-1] == 2', true],
      ['-input["n"] < -4', true],
      ['"dd" in input["tag"]', true],
      ['"DD" not in input["tag"]', true],
      ['"2" in input["list"]', true],
    ] as const) {
      assert.equal(matches(text, view), expected, text);
    }
  });

  test('treats a name without an index as one run of any experiment throughout the condition', () => {
    const view = example({ runs: [[run({ latencyMs: 5, error: 'boom' })], [run({ latencyMs: 500 })]] });

    assert.equal(matches('latency_ms > 100', view), true);
    assert.equal(matches('error is not None', view), true);
    assert.equal(matches('error is not None and latency_ms > 100', view), false);
    assert.equal(matches('experiments[0].error is not None and experiments[1].latency_ms > 100', view), true);
  });

  test('treats values of an experiment without a run as missing', () => {
    const view = example({ runs: [[run()], []] });

    assert.equal(matches('experiments[1].output is None', view), true);
    assert.equal(matches('experiments[1].latency_ms < 1000', view), false);
    assert.equal(matches('experiments[0].latency_ms > experiments[1].latency_ms', view), false);
  });

  test('selects one of several runs for the whole condition', () => {
    const view = example({ runs: [[run({ latencyMs: 1, error: 'a' }), run({ latencyMs: 2 })]] });

    assert.equal(matches('experiments[0].latency_ms == 1 and experiments[0].error is None', view), false);
    assert.equal(matches('experiments[0].latency_ms == 2 and experiments[0].error is None', view), true);
  });
});
