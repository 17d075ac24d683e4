import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseSpanFilter } from '../../src/filter/spans/parse-span-filter.ts';
import { FilterError } from '../../src/filter/syntax/filter-error.ts';

/** A condition and the message that it is refused with. */
const REFUSED: readonly (readonly [condition: string, message: string])[] = [
  // Whole conditions, and operands of and, or, not.
  ['name', '`name` is not a condition, expected a comparison such as `name == ...`'],
  ["'x'", "`'x'` is not a condition, expected a comparison such as `'x' == ...`"],
  ['metadata["k"]', '`metadata["k"]` is not a condition, expected a comparison such as `metadata["k"] == ...`'],
  ['latency_ms + 1', '`latency_ms + 1` is not a condition, expected a comparison such as `latency_ms + 1 == ...`'],
  ["name == 'x' and latency_ms", '`latency_ms` is not a condition, expected a comparison such as `latency_ms == ...`'],
  ['not hello', '`hello` is not a condition, expected a comparison such as `hello == ...`'],
  ['True', ALONE('True')],
  ['False', ALONE('False')],
  ['(None)', ALONE('None')],
  // What is no filter at all.
  ['hello world', 'invalid syntax: unexpected `world` at character 7'],
  ['name ==', 'unexpected end at character 8'],
  ["name = 'x'", 'invalid syntax: unexpected `=`, use `==` to compare at character 6'],
  ['name ===', 'invalid syntax: unexpected `=`, use `==` to compare at character 8'],
  ["'🚀' in name $", 'invalid character at character 13'],
  ["(name == 'x'", "'(' was never closed at character 1"],
  ["name in ['x'", "'[' was never closed at character 9"],
  ["name in {'x'", "'{' was never closed at character 9"],
  ["name == 'x')", 'invalid syntax: unexpected `)` at character 12'],
  ["name == 'x", 'unterminated string literal at character 9'],
  ["name == '''x'", 'unterminated triple-quoted string literal at character 9'],
  ["name == 'a\nb'", 'unterminated string literal at character 9'],
  ["name == '\\x4'", 'invalid escape \\x in string literal at character 9'],
  ["name == '\\N{BULLET}'", 'invalid escape \\N in string literal at character 9'],
  ["name == '\\U00110000'", 'invalid escape \\U in string literal at character 9'],
  ['import os', 'invalid syntax: unexpected `import` at character 1'],
  ['name not latency_ms', 'invalid syntax: unexpected `latency_ms` at character 10'],
  ['', ''],
  // Forms of Python that the language does not take.
  ['len(name) > 3', 'invalid expression: len(name)'],
  ['foo(name) == 1', 'invalid expression: foo(name)'],
  ["name.upper() == 'RAG'", 'invalid expression: name.upper()'],
  ["eval('1')", "invalid expression: eval('1')"],
  ['str() == name', 'invalid expression: str()'],
  ['float(x, 1) > 0', 'invalid expression: float(x, 1)'],
  ['float(x=1) > 0', 'invalid expression: float(x=1)'],
  ['float(*x) > 0', 'invalid expression: float(*x)'],
  ['float(None) > 0', 'invalid expression: float(None)'],
  ['lambda: 1', 'invalid expression: lambda: 1'],
  ['lambda x, y=1: x', 'invalid expression: lambda x, y=1: x'],
  ['[x for x in name]', 'invalid expression: [x for x in name]'],
  ['any(x for x in name)', 'invalid expression: any(x for x in name)'],
  ['name if True else name', 'invalid expression: name if True else name'],
  ['(x := 1) == 1', 'invalid expression: x := 1'],
  ["name in {'a', 'b'}", "invalid expression: {'a', 'b'}"],
  ["name == f'{x}'", "invalid expression: f'{x}'"],
  ["name[1:2] == 'x'", 'invalid expression: name[1:2]'],
  ["name['k'] == 'x'", "invalid expression: name['k']"],
  ["metadata[-1] == 'x'", 'invalid expression: metadata[-1]'],
  ["metadata[1.5] == 'x'", 'invalid expression: metadata[1.5]'],
  ["metadata[name] == 'x'", 'invalid expression: metadata[name]'],
  ["metadata[[]] == 'x'", 'invalid expression: metadata[[]]'],
  ["metadata[2147483648] == 'x'", 'invalid expression: metadata[2147483648]'],
  ["attributes == 'x'", 'invalid expression: attributes'],
  ['events is None', 'invalid expression: events'],
  ["'x'.y == 'z'", "invalid expression: 'x'.y"],
  // Types.
  ["latency_ms > '100'", "cannot compare number and string, write 100 instead of '100'"],
  ["'100' < latency_ms", "cannot compare string and number, write 100 instead of '100'"],
  ["latency_ms > 'abc'", 'cannot compare number and string'],
  ['name == 5', 'cannot compare string and number'],
  ['latency_ms == True', 'cannot compare number and boolean'],
  ['start_time > 5', 'cannot compare datetime and number'],
  ['start_time > name', 'cannot compare datetime and string'],
  ["llm.token_count.total == '5'", "cannot compare number and string, write 5 instead of '5'"],
  ["annotations['q'].score == 'good'", 'cannot compare number and string'],
  ["annotations['q'].label > 1", 'cannot compare string and number'],
  ["str(metadata['k']) == 5", 'cannot compare string and number'],
  [
    "start_time > metadata['t']",
    "cannot compare a datetime field and an attribute, use an ISO 8601 string literal (e.g. '2024-01-01T00:00:00+00:00')",
  ],
  [
    "metadata['t'] in [start_time, end_time]",
    "cannot compare a datetime field and an attribute, use an ISO 8601 string literal (e.g. '2024-01-01T00:00:00+00:00')",
  ],
  ["metadata['x'] < True", "`metadata['x'] < True` orders a boolean, use `==`, `!=`, or `is` instead of `<` / `>`"],
  [
    'True > (latency_ms > 1)',
    '`True > (latency_ms > 1)` orders a boolean, use `==`, `!=`, or `is` instead of `<` / `>`',
  ],
  [
    "name is 'x'",
    "`name is 'x'` uses `is` with a value, which SQL cannot express; use `==`, or `is` with None/True/False",
  ],
  ['name is True', 'cannot compare string and boolean'],
  [
    'latency_ms < None',
    '`latency_ms < None` includes None, which never matches in SQL; test for missing values with `is None` / `is not None`',
  ],
  ['None is None', '`None is None` compares two literals, expected a span field on the left'],
  // Lists.
  ["name == ['a']", "`name == ['a']` compares against a collection, which is only supported with `in` / `not in`"],
  [
    "('a', 'b') in name",
    "`('a', 'b') in name` compares against a collection, which is only supported with `in` / `not in`",
  ],
  [
    "name in ['a', None]",
    "`name in ['a', None]` includes None, which never matches in SQL; test for missing values with `is None` / `is not None`",
  ],
  ["name in ['a', ['b']]", "`['b']` is not a value, collections cannot be nested"],
  ["'a' in ['a', 'b']", "`'a' in ['a', 'b']` compares two literals, expected a span field on the left"],
  ["'a' in 'abc'", "`'a' in 'abc'` compares two literals, expected a span field on the left"],
  ["x in [1, 'a']", 'cannot compare number and string'],
  ["x in ['a', 1, True]", 'cannot compare boolean and number'],
  ["latency_ms in ['100']", "cannot compare number and string, write 100 instead of '100'"],
  ['name in latency_ms', '`in` expects a collection or a text field on the right, got `latency_ms`'],
  ['name in start_time', '`in` expects a collection or a text field on the right, got `start_time`'],
  ['name in None', '`in` expects a collection or a text field on the right, got `None`'],
  ['5 in name', 'cannot compare number and string'],
  // Casts and arithmetic.
  ['float(name) > 1', 'cannot cast string to number'],
  ["float('abc') > latency_ms", 'cannot cast string to number'],
  ["float('1e999') > latency_ms", 'cannot cast string to number'],
  ["int(' 1 ') > latency_ms", 'cannot cast string to number'],
  ['float(True) > 1', 'cannot cast boolean to number'],
  ["str(name == 'x') == 'x'", 'cannot cast boolean to text'],
  ["str(latency_ms) == '5'", 'cannot cast number to text'],
  ["str(llm.token_count.total) == '5'", 'cannot cast number to text'],
  ["str(start_time) == 'x'", 'cannot cast datetime to text'],
  ['float(start_time) > 1', 'cannot cast datetime to number'],
  ['latency_ms ** 2 > 3', 'invalid arithmetic operator: latency_ms ** 2'],
  ['latency_ms // 2 > 3', 'invalid arithmetic operator: latency_ms // 2'],
  ['latency_ms & 1 == 1', 'unsupported operator: latency_ms & 1'],
  ['~latency_ms == 1', 'unsupported operator: ~latency_ms'],
  ['latency_ms @ 2 == 1', 'unsupported operator: latency_ms @ 2'],
  ["latency_ms + 'x' == 'x'", 'invalid arithmetic operands'],
  ["name - 'x' == 'x'", 'invalid arithmetic operands'],
  ['start_time + 1 > end_time', 'invalid arithmetic operands'],
  ['latency_ms + None > 1', 'invalid arithmetic operands'],
  ['latency_ms * [1] > 1', 'invalid arithmetic operands'],
  ['-name > 1', 'invalid arithmetic operand'],
  ['-True == x', 'invalid arithmetic operand'],
  // Literals.
  ['latency_ms > 1__0', 'invalid numeric literal: 1__0'],
  ['latency_ms > 1_', 'invalid numeric literal: 1_'],
  ['latency_ms > 012', 'invalid numeric literal: 012'],
  ['latency_ms > 5abc', 'invalid numeric literal: 5abc'],
  ['latency_ms > 0xg', 'invalid numeric literal: 0xg'],
  ['latency_ms > 1e999', 'invalid numeric literal: 1e999'],
  [`latency_ms > ${'9'.repeat(400)}`, 'invalid numeric literal: too many digits'],
  ['latency_ms > 1j', 'unsupported literal: 1j'],
  ["name == b'x'", "unsupported literal: b'x'"],
  ['name == ...', 'unsupported literal: ...'],
  ["name == '\\ud800'", "unsupported literal: '\\ud800'"],
  ["name == 'a\\0b'", 'string literals cannot contain a NUL character'],
  ["name == 'a\0b'", 'condition cannot contain a NUL character'],
  ["start_time > '2026-07-01T00:00:00'", NO_ZONE('2026-07-01T00:00:00')],
  ["start_time > '2026-07-01'", NO_ZONE('2026-07-01')],
  ["start_time > 'yesterday'", "invalid datetime literal: 'yesterday'"],
  ["start_time > '1767225600'", "invalid datetime literal: '1767225600'"],
  ["start_time in ['2026-13-01T00:00:00Z']", "invalid datetime literal: '2026-13-01T00:00:00Z'"],
  // Annotations.
  [
    "annotations['quality'].scores > 1",
    "invalid attribute `.scores` in `annotations['quality'].scores`, did you mean `.score`?",
  ],
  [
    "evals['quality'].value > 1",
    "invalid eval attribute `.value` in `evals['quality'].value`, expected one of `.score`, `.label`, or `.explanation`",
  ],
  ["annotations['q'].score.x > 1", PAST_MEMBER("annotations['q'].score.x")],
  ["annotations['q']['score'] > 1", PAST_MEMBER("annotations['q']['score']")],
  ["annotations['q'] > 1", PAST_MEMBER("annotations['q']")],
  ["name in [annotations['q']]", PAST_MEMBER("annotations['q']")],
  ["annotations[''].score > 1", "missing eval name in `annotations['']`"],
  ['annotations[0].score > 1', 'missing eval name in `annotations[0]`'],
  ['evals.quality.score > 1', 'missing eval name in `evals.quality`'],
  ['annotations is None', 'missing eval name in `annotations`'],
  // The parent span.
  ["parent_span == 'x'", '`parent_span` can only be compared to None (e.g. `parent_span is None`)'],
  ['parent_span < None', '`parent_span` can only be compared to None (e.g. `parent_span is None`)'],
  ['parent_span in [1]', '`parent_span` can only be compared to None (e.g. `parent_span is None`)'],
  ["str(parent_span) == 'x'", '`parent_span` can only be compared to None (e.g. `parent_span is None`)'],
  [
    'parent_span',
    '`parent_span` is not a condition on its own: `parent_span` can only be compared to None (e.g. `parent_span is None`)',
  ],
  [
    "parent_span.name == 'x'",
    '`parent_span.name` looks into the parent span, but `parent_span` can only be compared to None (e.g. `parent_span is None`)',
  ],
  // Names beyond ASCII.
  ["ｎａｍｅ == 'x'", '`ｎａｍｅ` is interpreted as `name`, use unaccented ASCII for field names'],
  ["größe == 'x'", '`größe` has characters beyond ASCII, use unaccented ASCII for field names'],
];

function ALONE(literal: string): string {
  return `\`${literal}\` is not a condition on its own, it can only be used as an operand of \`and\` / \`or\` / \`not\``;
}
function NO_ZONE(literal: string): string {
  return `datetime literal '${literal}' has no timezone, add an offset (e.g. 'Z' for UTC)`;
}
function PAST_MEMBER(source: string): string {
  return `invalid expression: ${source}; an annotation exposes only one of \`.score\`, \`.label\`, or \`.explanation\``;
}

function refusalOf(condition: string): FilterError {
  try {
    parseSpanFilter(condition);
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
  throw new Error(`not refused: ${condition}`);
}

describe('a span filter is rejected with its reason', () => {
  for (const [condition, message] of REFUSED.filter(([text]) => text !== '')) {
    test(condition.slice(0, 60), () => {
      const error = refusalOf(condition);

      assert.equal(error.message, message);
      assert.equal(error.code, 'FILTER_INVALID');
      assert.ok(error.range.start >= 0 && error.range.start <= error.range.end);
      assert.ok(error.range.end <= condition.length);
    });
  }

  test('in a message that cuts a long source to 80 characters, and is cut to 300 itself', () => {
    const long = refusalOf(`foo('${'x'.repeat(200)}') == 1`);
    assert.equal(long.message, `invalid expression: foo('${'x'.repeat(74)}…`);

    const both = refusalOf(`'${'🚀'.repeat(200)}'`);
    assert.ok(both.message.length <= 300);
    assert.doesNotMatch(both.message, /\p{Surrogate}/u);
    assert.equal(refusalOf(`annotations['q'].${'x'.repeat(400)} > 1`).message.length, 300);
  });

  test('with a position in the received text, including leading blanks', () => {
    const error = refusalOf('\u00a0 name = 1');

    assert.match(error.message, /at character 8$/);
    assert.deepEqual(error.range, { start: 7, end: 8 });
  });

  test('with the range of a link that starts with a bracket', () => {
    assert.deepEqual(refusalOf("x == (latency_ms + 1) > ('5')").range, { start: 5, end: 29 });
  });
});
