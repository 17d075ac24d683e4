import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spanColumns } from '../../fixtures/span-columns.ts';
import { storeForTest } from '../store-for-test.ts';

const ROW_COUNT = 90_000;
const BATCH_ROW_COUNT = 30_000;
const PIECES = 'a long text in pieces '.repeat(1_000);

const idOf = (row: number): string => (1 + row).toString(16).padStart(16, '0');

/** Rows of spans by name: adjacent and distant ones, fewer and more than one statement reads. */
const NAMES: readonly [name: string, isOf: (row: number) => boolean][] = [
  ['each vector', (row) => row < 40_000 && row % 1_500 === 7],
  ['both ends', (row) => row < 3 || row >= ROW_COUNT - 3],
  ['each second one', (row) => row >= 50_000 && row < 50_700 && row % 2 === 0],
  ['crowds', (row) => row > 60_000 && row % 10_000 > 9_900 && row % 3 === 0],
];
const nameOf = (row: number): string => NAMES.find(([, isOf]) => isOf(row))?.[0] ?? 'other';

test('rows of a page are read completely and once, wherever they are stored', async (t) => {
  const store = await storeForTest(t, { recentSpanBytes: 0 });
  for (let first = 0, position = 1; first < ROW_COUNT; first += BATCH_ROW_COUNT, position++) {
    const rows = Array.from({ length: BATCH_ROW_COUNT }, (_, at) => first + at);
    const spans = rows.map((row) => ({
      traceId: idOf(row - (row % 5)).repeat(2),
      spanId: idOf(row),
      name: nameOf(row),
      input: nameOf(row) === 'both ends' ? `${row} ${PIECES}` : `${row}`,
    }));
    await store.append(spanColumns(spans), position);
  }

  for (const [name] of NAMES) {
    const rows = Array.from({ length: ROW_COUNT }, (_, row) => row).filter((row) => nameOf(row) === name);
    const { items, nextRowId } = await store.findSpans({
      projectId: 1,
      limit: rows.length,
      names: [name],
      order: 'asc',
    });

    assert.equal(nextRowId, undefined);
    assert.deepEqual(
      items.map(({ spanId, traceId }) => [spanId, traceId]),
      rows.map((row) => [idOf(row), idOf(row - (row % 5)).repeat(2)]),
      name,
    );
    const bodies = await store.get({ of: 'spans', column: 'body', rowIds: items.map(({ rowId }) => rowId) });
    assert.deepEqual(
      items.map(({ rowId }) => bodies.get(rowId)?.input),
      rows.map((row) => (name === 'both ends' ? `${row} ${PIECES}` : `${row}`)),
    );
  }
});
