import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  FILTER_ANNOTATION_COUNT_MAX,
  FILTER_CHARS_MAX,
  FILTER_DEPTH_MAX,
  FILTER_NODE_COUNT_MAX,
} from '../../src/model/limits/reads.ts';
import { parseSpanFilter } from '../../src/filter/spans/parse-span-filter.ts';
import { FilterError } from '../../src/filter/syntax/filter-error.ts';

const many = (count: number, text: string) => text.repeat(count);

describe('limits of a filter', () => {
  for (const [what, text] of [
    ['brackets', `${many(3000, '(')}name == 'x'${many(3000, ')')}`],
    ['a megabyte of open brackets within the length', many(FILTER_CHARS_MAX, '(')],
    ['lists', `x in ${many(3000, '[')}${many(3000, ']')}`],
    ['subscripts', `${many(3000, 'x[')}0${many(3000, ']')} == 1`],
    ['calls', `${many(3000, 'f(')}0${many(3000, ')')} == 1`],
    ['not', `${many(3000, 'not ')}x == 1`],
    ['signs', `${many(3000, '-')}1 == x`],
    ['powers', `${many(3000, 'x**')}1 == x`],
    ['sums', `${many(3000, 'x + ')}1 == x`],
    ['members', `x${many(3000, '.x')} == 1`],
    ['lambdas', `${many(3000, 'lambda: ')}1`],
    ['conditionals', `${many(3000, 'x if y else ')}1`],
    ['assignments', `${many(3000, 'x := ')}1`],
  ] as const) {
    test(`reject deep nesting: ${what}`, () => {
      assert.throws(() => parseSpanFilter(text), { message: 'filter condition is nested too deeply' });
    });
  }

  test('accept the maximum nesting', () => {
    const brackets = FILTER_DEPTH_MAX - 1;
    const filter = parseSpanFilter(`${many(brackets, '(')}name == 'x'${many(brackets, ')')}`);

    assert.equal(filter?.condition.kind, 'comparison');
    assert.ok(parseSpanFilter(`${many(FILTER_DEPTH_MAX - 2, 'not ')}name == 'x'`));
    assert.ok(parseSpanFilter(`${many(FILTER_DEPTH_MAX - 2, 'x + ')}1 == 1`));
  });

  test('reject a text that is too long', () => {
    assert.throws(() => parseSpanFilter(`name == '${many(2 ** 20, 'x')}'`), {
      message: `filter condition is longer than ${FILTER_CHARS_MAX} characters`,
    });
  });

  test('reject too many parts', () => {
    const list = (count: number) => `latency_ms in [${many(count, '1,')}]`;

    assert.ok(parseSpanFilter(list(FILTER_NODE_COUNT_MAX - 3)));
    assert.throws(() => parseSpanFilter(list(FILTER_NODE_COUNT_MAX)), {
      message: `filter condition has more than ${FILTER_NODE_COUNT_MAX} parts`,
    });
  });

  test('reject too many annotations', () => {
    const names = (count: number) => Array.from({ length: count }, (_, i) => `annotations['${i}']`).join(' and ');

    assert.equal(parseSpanFilter(names(FILTER_ANNOTATION_COUNT_MAX))?.annotations.length, FILTER_ANNOTATION_COUNT_MAX);
    assert.throws(() => parseSpanFilter(names(FILTER_ANNOTATION_COUNT_MAX + 1)), /more than \d+ different annotations/);
  });

  test('apply to a text of maximum length that repeats any part', () => {
    const full = (part: string) => many(Math.floor(FILTER_CHARS_MAX / part.length), part);
    for (const part of [
      'x',
      '(',
      ' ',
      '#\n',
      '"',
      "'a'",
      '1',
      '1_',
      '_',
      '.',
      '\\',
      '🚀',
      'é',
      '{',
      'not in ',
      '-',
      '[x,',
    ]) {
      try {
        parseSpanFilter(`x == ${full(part)}`.slice(0, FILTER_CHARS_MAX));
      } catch (error) {
        assert.ok(error instanceof FilterError, part);
      }
    }
  });
});
