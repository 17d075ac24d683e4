import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatBytes,
  formatCost,
  formatCount,
  formatFloat,
  formatLatency,
  MISSING,
} from '../../src/web/format/numbers.ts';

const CASES = [
  { format: formatCount, shown: { 0: '0', 999: '999', 12345: '12,345', 999999: '999,999', 1240000: '1.2M' } },
  { format: formatFloat, shown: { 0: '0.00', 0.0031: '3.1e-3', 0.25: '0.25', 12.5: '12.50', 1234: '1.2K' } },
  {
    format: formatLatency,
    shown: { 0: '0ms', 5.25: '5.3ms', 123: '123ms', 1500: '1.5s', 59990: '1m', 125000: '2m 5s', 3780000: '1h 3m' },
  },
  {
    format: formatCost,
    shown: { 0: '$0', 0.004: '<$0.01', 1.25: '$1.25', 99.994: '$99.99', 1250: '$1,250', 12500: '$12.5K' },
  },
  { format: formatBytes, shown: { 0: '0 B', 999: '999 B', 1500: '1.5 kB', 2000000: '2.0 MB', 3e12: '3.0 TB' } },
];

test('numbers, costs, times and sizes have one form each, and what is missing has its own', () => {
  for (const { format, shown } of CASES) {
    for (const [value, text] of Object.entries(shown)) assert.equal(format(Number(value)), text);
  }
  for (const format of [formatCount, formatFloat, formatLatency, formatCost]) {
    assert.equal(format(null), MISSING);
    assert.equal(format(undefined), MISSING);
  }
});
