import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fallsBetween, parseCronHours } from '../../../src/model/time/cron-hours.ts';

const hoursOf = (expression: string): string[] => {
  const hours = parseCronHours(expression);
  assert.ok(!('problem' in hours), expression);
  return hours.flatMap((is, index) => (is ? [`${Math.floor(index / 24)}:${index % 24}`] : []));
};

describe('a cron expression of hours', () => {
  const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];
  const CASES: { expression: string; hours: string[] }[] = [
    { expression: '0 0 * * 0', hours: ['0:0'] },
    { expression: ' 0  0 * *  7 ', hours: ['0:0'] },
    { expression: '0 3,5 * * 1-2', hours: ['1:3', '1:5', '2:3', '2:5'] },
    { expression: '0 */12 * * mon,SAT', hours: ['1:0', '1:12', '6:0', '6:12'] },
    { expression: '0 20/2 * * 3', hours: ['3:20', '3:22'] },
    { expression: '0 1-9/4 * * 5-7', hours: ['0:1', '0:5', '0:9', '5:1', '5:5', '5:9', '6:1', '6:5', '6:9'] },
    { expression: '0 6 * * *', hours: EVERY_DAY.map((day) => `${day}:6`) },
    { expression: '0 6 * * */3', hours: ['0:6', '3:6', '6:6'] },
  ];
  for (const { expression, hours } of CASES) {
    test(`${expression} falls on ${hours.length} hours of the week`, () =>
      assert.deepEqual(hoursOf(expression), hours));
  }

  const WRONG = [
    '',
    '0 0 * *',
    '0 0 * * 0 0',
    '1 0 * * 0',
    '* 0 * * 0',
    '0 24 * * 0',
    '0 0 1 * 0',
    '0 0 * 1 0',
    '0 0 * * 8',
    '0 5-3 * * 0',
    '0 */0 * * 0',
    '0 a * * 0',
    '0 0 * * FUN',
    '0 1,, * * 0',
    '@daily',
    '0 -1 * * 0',
  ];
  for (const expression of WRONG) {
    test(`rejects '${expression}'`, () => {
      const hours = parseCronHours(expression);
      assert.ok('problem' in hours && /^Invalid cron expression: /.test(hours.problem));
    });
  }

  test('is due when one of its hours has passed since the last check', () => {
    const sunday = parseCronHours('0 0 * * 0');
    assert.ok(!('problem' in sunday));
    const falls = (after: string, until: string) => fallsBetween(sunday, new Date(after), new Date(until));
    // 2026-01-04 is a Sunday.
    assert.equal(falls('2026-01-03T23:59:59Z', '2026-01-04T00:00:00Z'), true);
    assert.equal(falls('2026-01-04T00:00:00Z', '2026-01-04T00:00:30Z'), false);
    assert.equal(falls('2026-01-04T00:00:30Z', '2026-01-10T23:59:59Z'), false);
    assert.equal(falls('2026-01-04T00:00:30Z', '2026-01-11T00:00:00Z'), true);
    assert.equal(falls('2020-01-01T00:00:00Z', '2026-01-07T00:00:00Z'), true);
    assert.equal(falls('2026-01-07T00:00:00Z', '2026-01-06T00:00:00Z'), false);
  });
});
