import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  afterScroll,
  BODY_PX_MAX,
  type ScrollArea,
  type ScrollPosition,
  scrollToTop,
  settle,
} from '../../../src/web/components/table/scaled-scroll.ts';

const ROW_PX = 32;
const area = (rowCount: number): ScrollArea => ({
  contentPx: rowCount * ROW_PX,
  scrollPx: Math.min(rowCount * ROW_PX, BODY_PX_MAX),
  viewPx: 800,
});
const START: ScrollPosition = { scrollTop: 0, top: 0 };
const million = area(1_000_000);

test('a list below the maximum height is not scaled', () => {
  const small = area(10_000);
  assert.deepEqual(afterScroll(START, 200_000, small), { scrollTop: 200_000, top: 200_000 });
  assert.deepEqual(afterScroll({ scrollTop: 100, top: 100 }, 180, small), { scrollTop: 180, top: 180 });
});

test('the scrollbar reaches the middle and the last of a million rows', () => {
  const middle = afterScroll(START, (BODY_PX_MAX - 800) / 2, million);
  assert.equal(Math.round((middle.top + 400) / ROW_PX), 500_000);
  assert.equal(afterScroll(middle, BODY_PX_MAX - 800, million).top, 32_000_000 - 800);
  assert.equal(afterScroll(middle, 0, million).top, 0);
});

test('steps of the wheel pass every row, also far down, and settling does not move them', () => {
  let position = scrollToTop(START, 16_000_000, million);
  for (let step = 0; step < 5_000; step++) {
    const next = afterScroll(position, position.scrollTop + 100, million);
    assert.equal(next.top, position.top + 100);
    position = step % 10 === 9 ? settle(next, million) : next;
    if (step % 10 === 9) assert.equal(position.top, next.top);
  }
  assert.equal(position.top, 16_500_000);
});

test('a row is shown exactly after a jump, and a short way keeps the rows in their elements', () => {
  const far = scrollToTop(START, 777_777 * ROW_PX, million);
  assert.equal(far.top, 777_777 * ROW_PX);
  assert.ok(far.scrollTop > 0 && far.scrollTop < BODY_PX_MAX);
  const near = scrollToTop(far, far.top + ROW_PX, million);
  assert.deepEqual(near, { scrollTop: far.scrollTop + ROW_PX, top: far.top + ROW_PX });
  assert.equal(scrollToTop(far, Number.MAX_SAFE_INTEGER, million).top, 32_000_000 - 800);
});

test('an empty list and one that is lower than the view stay at the top', () => {
  for (const count of [0, 5]) {
    assert.deepEqual(afterScroll(START, 0, area(count)), START);
    assert.deepEqual(scrollToTop(START, 500, area(count)), START);
  }
});
