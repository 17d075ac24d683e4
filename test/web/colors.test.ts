import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distinctColors } from '../../src/web/components/chart/chart-series.ts';

const NAMES = Array.from({ length: 400 }, (_, index) => `name ${index}`);

test('names that are shown together have different colors while there are enough', () => {
  for (let at = 0; at + 8 <= NAMES.length; at++) {
    const names = NAMES.slice(at, at + 8);
    assert.equal(new Set(distinctColors(names).values()).size, 8, names.join());
  }
});

test('a name keeps its color in any order of names, and all colors are used equally', () => {
  const names = NAMES.slice(0, 30);
  const colors = distinctColors(names);
  assert.deepEqual(distinctColors(names.toReversed()), colors);
  assert.equal(distinctColors(['safe']).get('safe'), distinctColors(['safe', 'safe']).get('safe'));
  const uses = new Map<string, number>();
  for (const color of colors.values()) uses.set(color, (uses.get(color) ?? 0) + 1);
  assert.deepEqual(new Set(uses.values()), new Set([3]), 'thirty names, ten colours');
});
