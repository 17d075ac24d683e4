import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  clampToSpanTime,
  formatUnixNano,
  parseDateTime,
  SPAN_TIME_NANO_MAX,
  SPAN_TIME_NANO_MIN,
} from '../../../src/model/time/datetime.ts';

const NOON = 1_714_564_800_000_000_000n; // 2024-05-01T12:00:00Z

describe('a datetime', () => {
  for (const [text, unixNano, isNaive] of [
    ['2024-05-01T12:00:00Z', NOON, false],
    ['2024-05-01t12:00:00z', NOON, false],
    ['2024-05-01 12:00:00+00:00', NOON, false],
    ['2024-05-01T14:00:00+02:00', NOON, false],
    ['2024-05-01T07:30:00-0430', NOON, false],
    ['2024-05-01T12:00', NOON, true],
    ['2024-05-01T12:00:00', NOON, true],
    ['2024-05-01', NOON - 43_200_000_000_000n, true],
    ['2024-05-01T12:00:00.25Z', NOON + 250_000_000n, false],
    ['2024-05-01T12:00:00.123456789123Z', NOON + 123_456_789n, false],
    ['1714564800', NOON, false],
    ['1714564800.25', NOON + 250_000_000n, false],
    ['1714564800000', NOON, false],
    ['-1', -1_000_000_000n, false],
    ['0001-01-01T00:00:00Z', -62_135_596_800n * 1_000_000_000n, false],
    ['0099-12-31T23:59:59Z', -59_011_459_201n * 1_000_000_000n, false],
    ['2024-02-29T00:00:00Z', 1_709_164_800_000_000_000n, false],
  ] as const) {
    test(`is read from ${text}`, () => {
      assert.deepEqual(parseDateTime(text), { unixNano, isNaive });
    });
  }

  for (const text of [
    '',
    'yesterday',
    '2024-05',
    '2024-13-01',
    '2023-02-29',
    '1900-02-29',
    '2024-05-01T24:00:00Z',
    '2024-05-01T12:60:00Z',
    '2024-05-01T12:00:60Z',
    '2024-05-01T12:00:00 02:00',
    '2024-05-01T12:00:00+24:00',
    '2024-05-01T12:00:00Zulu',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '9'.repeat(400),
    '0x10',
  ]) {
    test(`is not read from '${text.slice(0, 40)}'`, () => {
      assert.ok('problem' in parseDateTime(text));
    });
  }

  for (const [unixNano, text] of [
    [NOON, '2024-05-01T12:00:00+00:00'],
    [NOON + 999n, '2024-05-01T12:00:00+00:00'],
    [NOON + 1_500n, '2024-05-01T12:00:00.000001+00:00'],
    [NOON + 250_000_000n, '2024-05-01T12:00:00.250000+00:00'],
    [0n, '1970-01-01T00:00:00+00:00'],
    [-1n, '1969-12-31T23:59:59.999999+00:00'],
    [-1_000n, '1969-12-31T23:59:59.999999+00:00'],
    [-1_000_000_000n, '1969-12-31T23:59:59+00:00'],
    [SPAN_TIME_NANO_MAX, '2262-04-11T23:47:16.854775+00:00'],
    [SPAN_TIME_NANO_MIN, '1677-09-22T00:00:00+00:00'],
  ] as const) {
    test(`is written ${text} for ${unixNano} ns, rounded down to microseconds`, () => {
      assert.equal(formatUnixNano(unixNano), text);
    });
  }

  test('is read back as it was written, to the microsecond', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: SPAN_TIME_NANO_MIN, max: SPAN_TIME_NANO_MAX }), (unixNano) => {
        const time = parseDateTime(formatUnixNano(unixNano));
        assert.ok('unixNano' in time);
        const dropped = unixNano - time.unixNano;
        assert.ok(dropped >= 0n && dropped < 1_000n && time.unixNano % 1_000n === 0n, String(unixNano));
      }),
    );
  });

  test('outside of the range of span times is clamped to it', () => {
    assert.equal(clampToSpanTime(2n ** 80n), SPAN_TIME_NANO_MAX);
    assert.equal(clampToSpanTime(-(2n ** 80n)), SPAN_TIME_NANO_MIN);
    assert.equal(clampToSpanTime(NOON), NOON);
  });
});
