import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readNullableText, readText } from '../../src/columns/read-text.ts';
import { SpanColumnsBuilder } from '../../src/columns/span-columns-builder.ts';
import { transferList } from '../../src/columns/transfer-list.ts';

function addRow(
  builder: SpanColumnsBuilder,
  name: string,
  { project = 'default', user }: { project?: string; user?: string } = {},
) {
  builder.beginRow();
  const row = builder.rowCount;
  builder.spanId[2 * row] = 0xffff_fff0;
  builder.spanId[2 * row + 1] = row;
  builder.hasParent[row] = 1;
  builder.projectIndex[row] = builder.projectIndexOf(project);
  builder.name.appendString(name);
  builder.attributes.append(Buffer.from('{}'), 0, 2);
  if (user !== undefined) {
    builder.textAttributes.userId.appendString(user);
    builder.textAttributes.userId.present[row] = 1;
  }
  builder.endRow();
}

describe('the builder of span columns', () => {
  test('gives empty columns without rows', () => {
    const columns = new SpanColumnsBuilder().finish();

    assert.equal(columns.rowCount, 0);
    assert.equal(columns.name.offset.length, 1);
    assert.equal(columns.traceIdHigh.length, 0);
    assert.deepEqual(columns.projectNames, []);
  });

  test('keeps every row while it grows', () => {
    const builder = new SpanColumnsBuilder();
    for (let i = 0; i < 10_000; i++) addRow(builder, `span ${i} ü`, i % 2 === 0 ? { user: `user ${i}` } : {});

    const columns = builder.finish();

    assert.equal(columns.rowCount, 10_000);
    for (let row = 0; row < 10_000; row++) {
      assert.equal(readText(columns.name, row), `span ${row} ü`);
      assert.equal(readNullableText(columns.userId, row), row % 2 === 0 ? `user ${row}` : null);
      assert.equal(columns.spanId[row], (BigInt(row) << 32n) + 0xffff_fff0n);
      assert.equal(columns.parentSpanId[row], 0n);
    }
    assert.equal(columns.name.offset.length, 10_001);
    assert.equal(columns.userId.present.length, 10_000);
  });

  test('removes the rows since a mark, including an unfinished one, and their projects', () => {
    const builder = new SpanColumnsBuilder();
    addRow(builder, 'kept', { project: 'a', user: 'u' });
    const mark = builder.mark();
    addRow(builder, 'lost', { project: 'b', user: 'v' });
    builder.setTextIds({ traceId: 'text' });
    addRow(builder, 'lost too', { project: 'a' });
    builder.beginRow();
    builder.name.appendString('unfinished');
    builder.textAttributes.userId.present[builder.rowCount] = 1;
    builder.hasTokens[builder.rowCount] = 1;

    builder.reset(mark);
    addRow(builder, 'next', { project: 'c' });
    const columns = builder.finish();

    assert.equal(columns.rowCount, 2);
    assert.deepEqual(
      [0, 1].map((row) => readText(columns.name, row)),
      ['kept', 'next'],
    );
    assert.deepEqual(
      [0, 1].map((row) => readNullableText(columns.userId, row)),
      ['u', null],
    );
    assert.deepEqual([...columns.hasTokens], [0, 0]);
    assert.deepEqual(columns.projectNames, ['a', 'c']);
    assert.deepEqual([...columns.projectIndex], [0, 1]);
    assert.equal(columns.textIds.size, 0);
  });

  test('gives columns that can be transferred to another thread', () => {
    const builder = new SpanColumnsBuilder();
    addRow(builder, 'moved', { user: 'u' });
    builder.setTextIds({ spanId: 'text' });
    const columns = builder.finish();

    const moved = structuredClone(columns, { transfer: transferList(columns) });

    assert.equal(readText(moved.name, 0), 'moved');
    assert.equal(readNullableText(moved.userId, 0), 'u');
    assert.equal(moved.spanId[0], 0xffff_fff0n);
    assert.equal(columns.name.utf8.length, 0, 'the sender still has the text');
    assert.equal(columns.spanId.length, 0, 'the sender still has the numbers');
  });

  test('counts its bytes of text', () => {
    const builder = new SpanColumnsBuilder();
    addRow(builder, 'four', { user: 'ü' });

    assert.equal(builder.textBytes, 'four'.length + 2 + '{}'.length);
  });
});
