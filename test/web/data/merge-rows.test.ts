import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendPage, mergeFirstPage, type RowList, replaceRows } from '../../../src/web/data/merge-rows.ts';

interface Row {
  readonly id: number;
  readonly label?: string;
}

const rowId = ({ id }: Row): string => String(id);
/** Rows from the newest to the oldest. */
const rows = (newest: number, oldest: number): Row[] =>
  Array.from({ length: newest - oldest + 1 }, (_, index) => ({ id: newest - index }));
const ids = (list: { readonly rows: readonly Row[] }): number[] => list.rows.map(({ id }) => id);
const page = (newest: number, oldest: number) => ({ rows: rows(newest, oldest), next: `after ${oldest}` });
const list = (newest: number, oldest: number): RowList<Row> => ({ ...page(newest, oldest), newCount: 0 });

test('new rows are put on top, and the rows after the first page stay', () => {
  const merged = mergeFirstPage(page(12, 8), list(10, 1), rowId, false);
  assert.deepEqual(ids(merged), ids({ rows: rows(12, 1) }));
  assert.equal(merged.next, 'after 1');
  assert.equal(merged.newCount, 0);
});

test('a row that is deleted within the first page disappears', () => {
  const merged = mergeFirstPage(
    { rows: [{ id: 10 }, { id: 8 }, { id: 7 }], next: 'after 7' },
    list(10, 5),
    rowId,
    false,
  );
  assert.deepEqual(ids(merged), [10, 8, 7, 6, 5]);
});

test('new rows above a list that the user reads are counted', () => {
  const once = mergeFirstPage(page(12, 8), list(10, 1), rowId, true);
  assert.equal(once.newCount, 2);
  assert.equal(mergeFirstPage(page(13, 9), once, rowId, true).newCount, 3);
});

test('a list that the user reads stays when more than a page of rows is new', () => {
  const before = list(10, 1);
  const merged = mergeFirstPage(page(30, 20), before, rowId, true);
  assert.equal(merged.newCount, 'many');
  assert.equal(merged.rows, before.rows);
  assert.equal(mergeFirstPage(page(40, 30), merged, rowId, true), merged);
});

test('a list that the user does not read is replaced when more than a page of rows is new', () => {
  assert.deepEqual(ids(mergeFirstPage(page(30, 20), list(10, 1), rowId, false)), ids({ rows: rows(30, 20) }));
});

test('a list that the user does not read does not grow without limit', () => {
  const merged = mergeFirstPage(page(702, 690), list(700, 1), rowId, false);
  assert.equal(merged.rows.length, 13);
  assert.equal(merged.next, 'after 690');
  assert.equal(mergeFirstPage(page(702, 690), list(700, 1), rowId, true).rows.length, 702);
});

test('equal rows keep their identity, and changed rows do not', () => {
  const before = list(3, 1);
  const merged = mergeFirstPage(
    { rows: [{ id: 4 }, { id: 3 }, { id: 2, label: 'new' }], next: undefined },
    before,
    rowId,
    false,
  );
  assert.equal(merged.rows[1], before.rows[0]);
  assert.deepEqual(merged.rows[2], { id: 2, label: 'new' });
});

test('a page is appended once, without rows that have moved to it', () => {
  const before = list(10, 5);
  const appended = appendPage({ rows: rows(6, 1), next: undefined }, before, 'after 5', rowId);
  assert.deepEqual(ids(appended), ids({ rows: rows(10, 1) }));
  assert.equal(appendPage(page(4, 1), appended, 'after 5', rowId), appended);
});

test('replaced rows keep the identity of equal rows', () => {
  const before = list(3, 1);
  const replaced = replaceRows(before, { rows: [{ id: 3 }, { id: 1 }], next: undefined }, rowId);
  assert.equal(replaced.rows[1], before.rows[2]);
  assert.equal(replaced.next, undefined);
});
