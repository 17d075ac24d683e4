import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeapBudget, HeapBudgetExceeded } from '../../src/base/memory/heap-budget.ts';

test('a holder whose request does not fit waits until another holder ends', async () => {
  const budget = new HeapBudget(100);
  const [first, second] = [budget.open(), budget.open()];
  assert.equal(first.take(60), undefined);
  let isTaken = false;
  const taken = second.take(50)!.then(() => {
    isTaken = true;
  });
  await Promise.resolve();
  assert.equal(isTaken, false);

  first.release();
  await taken;

  assert.equal(budget.open().take(50), undefined);
});

test('a request that no release could satisfy fails, and its holder keeps its share', () => {
  const share = new HeapBudget(100).open();
  share.take(60);

  assert.throws(() => share.take(41), HeapBudgetExceeded);
  assert.equal(share.take(40), undefined);
});

test('a small request may overtake a large one, and a holder that ended while it waited keeps nothing', async () => {
  const budget = new HeapBudget(100);
  const [holder, large, small] = [budget.open(), budget.open(), budget.open()];
  holder.take(80);
  const waiting = large.take(90)!;
  assert.equal(small.take(20), undefined);

  large.release();
  small.release();
  holder.release();
  await waiting;

  assert.equal(budget.open().take(100), undefined);
});
