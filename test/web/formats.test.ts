import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAge } from '../../src/web/format/ages.ts';
import { errorReason, formatErrors, hasError } from '../../src/web/format/errors.ts';
import { shownName } from '../../src/web/format/names.ts';
import {
  formatBytes,
  formatCost,
  formatCount,
  formatFloat,
  formatLatency,
  formatSmallCost,
  MISSING,
} from '../../src/web/format/numbers.ts';
import { wordsOf } from '../../src/web/format/words-of.ts';

const CASES = [
  { format: formatCount, shown: { 0: '0', 999: '999', 12345: '12,345', 999999: '999,999', 1240000: '1.2M' } },
  { format: formatFloat, shown: { 0: '0.00', 0.0031: '3.1e-3', 0.25: '0.25', 12.5: '12.50', 1234: '1.2K' } },
  {
    format: formatLatency,
    shown: {
      0: '0ms',
      0.004: '4µs',
      0.0425: '43µs',
      0.000001: '0.001µs',
      0.25: '0.25ms',
      5.25: '5.3ms',
      123: '123ms',
      1500: '1.5s',
      59990: '1m',
      125000: '2m 5s',
      3780000: '1h 3m',
    },
  },
  {
    format: formatCost,
    shown: { 0: '$0', 0.004: '<$0.01', 1.25: '$1.25', 99.994: '$99.99', 1250: '$1,250', 12500: '$12.5K' },
  },
  { format: formatSmallCost, shown: { 0: '$0', 0.00614: '$0.0061', 0.0961: '$0.096', 1.25: '$1.25' } },
  { format: formatBytes, shown: { 0: '0 B', 999: '999 B', 1500: '1.5 kB', 2000000: '2.0 MB', 3e12: '3.0 TB' } },
];

test('numbers, costs, times and sizes have one form each, and missing values have their own', () => {
  for (const { format, shown } of CASES) {
    for (const [value, text] of Object.entries(shown)) assert.equal(format(Number(value)), text);
  }
  for (const format of [formatCount, formatFloat, formatLatency, formatCost, formatSmallCost]) {
    assert.equal(format(null), MISSING);
    assert.equal(format(undefined), MISSING);
  }
});

test('an age is described for past and future times', () => {
  const now = Date.UTC(2030, 0, 1);
  const minute = 60_000;
  for (const [ms, text] of [
    [0, 'just now'],
    [-30_000, 'just now'],
    [5 * minute, 'in 5 min'],
    [-5 * minute, '5 min ago'],
    [180 * minute, 'in 3 h'],
    [-180 * minute, '3 h ago'],
    [2_880 * minute, 'in 2 d'],
    [-2_880 * minute, '2 d ago'],
  ] as const) {
    assert.equal(formatAge(now + ms, now), text);
  }
});

test('a blank name has a placeholder', () => {
  assert.deepEqual(['', ' \t\n', '\u00a0', 'a b'].map(shownName), ['(no name)', '(no name)', '(no name)', 'a b']);
});

test('errors have one term and one reason', () => {
  assert.deepEqual([1, 2, 1234].map(formatErrors), ['1 error', '2 errors', '1,234 errors']);
  assert.deepEqual(
    [0, 1].map((errorCount) => hasError({ errorCount })),
    [false, true],
  );
  const events = [
    { name: 'exception', message: 'first' },
    { name: 'exception', message: 'last' },
    { name: 'log', message: 'other' },
  ];
  assert.equal(errorReason({ statusMessage: 'status', events }), 'status');
  assert.equal(errorReason({ statusMessage: ' ', events }), 'last');
  assert.match(errorReason({ statusMessage: '', events: [] }), /no error message/);
});

test('a JSON value is shown in words, without its syntax', () => {
  const words: readonly (readonly [unknown, string])[] = [
    [null, ''],
    [{}, ''],
    ['two\n lines', 'two lines'],
    [{ answer: 'In your account.' }, 'In your account.'],
    [{ answer: { text: 'In your account.' } }, 'In your account.'],
    [{ available_tools: [], messages: [{ role: 'assistant', content: 'Yes.' }] }, 'Yes.'],
    [{ messages: [{ tool_calls: [{ function: { name: 'find', arguments: { id: 7 } } }] }] }, 'find(id: 7)'],
    [{ verdict: 'good', sources: ['a', 'b'], page: null }, 'verdict: good, sources: a, b'],
    [[1, true], '1, true'],
    [{ messages: 'none' }, 'none'],
  ];
  for (const [value, shown] of words) assert.equal(wordsOf(value), shown, JSON.stringify(value));
});

test('words of values of any depth and shape end, and are bounded', () => {
  const deep = (levels: number, field: string) =>
    Array.from({ length: levels }).reduce<unknown>((inner) => ({ [field]: inner }), 'end');
  assert.equal(wordsOf(deep(8, 'text')), 'end');
  assert.equal(wordsOf(deep(9, 'text')), '…');
  // Twice the work for each level would not end.
  assert.match(wordsOf(deep(5_000, 'field')), /^(field: ){7}field: …$/);
  assert.equal(
    wordsOf({ messages: [null, 5, { tool_calls: [null, 'call', { function: { name: 'f' } }] }] }),
    '(), (), f()',
  );
});
