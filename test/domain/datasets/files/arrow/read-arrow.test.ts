import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as arrow from 'apache-arrow';
import { toExactJsonText } from '../../../../../src/base/exact-json.ts';
import { SpandrelError } from '../../../../../src/model/errors.ts';
import { readArrow } from '../../../../../src/domain/datasets/files/arrow/read-arrow.ts';
import { SeededRandom } from '../../../../fixtures/seeded-random.ts';
import { arrowStream, manyTypes } from './arrow-streams.ts';

/** A JSON text for each row; the file comes in pieces of so many bytes. */
async function rowsOf(file: Uint8Array, chunkBytes = 1_000): Promise<string[]> {
  async function* pieces() {
    for (let at = 0; at < file.byteLength; at += chunkBytes) yield file.subarray(at, at + chunkBytes);
  }
  let names: string[] = [];
  const rows: string[] = [];
  const read = readArrow(pieces(), (columns) => {
    names = [...columns];
  });
  for await (const batch of read) {
    for (const row of batch) {
      rows.push(toExactJsonText(Object.fromEntries(names.map((name) => [name, row(name) ?? null]))));
    }
  }
  return rows;
}

describe('rows of an Arrow stream', () => {
  const { file, rows } = manyTypes();

  for (const chunkBytes of [1, 7, 100_000]) {
    test(`are JSON with the values of the columns, in chunks of ${chunkBytes} bytes`, async () => {
      assert.deepEqual(await rowsOf(file, chunkBytes), rows);
    });
  }

  test('go on over batches, also where a dictionary grows between them', async () => {
    const type = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32(), 7);
    const builder = arrow.makeBuilder({ type, nullValues: [null] });
    const batches = [
      ['a', 'b', null],
      ['c', 'a', 'b'],
      ['d', 'd', 'c'],
    ].map((words) => {
      for (const word of words) builder.append(word);
      return builder.flush();
    });
    const stream = arrowStream({ word: new arrow.Vector(batches) });

    const words = (await rowsOf(stream)).map((row) => JSON.parse(row).word);

    assert.deepEqual(words, ['a', 'b', null, 'c', 'a', 'b', 'd', 'd', 'c']);
  });

  test('are rejected as a whole when the file is cut anywhere', async () => {
    for (let length = 0; length < file.byteLength; length++) {
      await assert.rejects(rowsOf(file.subarray(0, length)), isRefusal, `${length} of ${file.byteLength} bytes`);
    }
  });

  for (const { what, vector, message } of [
    { what: 'a row of nulls that take no bytes', vector: nulls(1, 2 ** 30), message: /A row .* more than/ },
    { what: 'rows of nulls that take no bytes', vector: nulls(2 ** 30, 1), message: /1073741824 rows/ },
    {
      what: 'a type that is not read',
      vector: arrow.vectorFromArray(['a'], new arrow.Utf8View()),
      message: /Column 'c' has the Arrow type Utf8View/,
    },
  ]) {
    test(`are rejected for ${what}`, async () => {
      await assert.rejects(rowsOf(arrowStream({ c: vector })), (error) => isRefusal(error) && message.test(`${error}`));
    });
  }

  test('are read or rejected, whatever bytes are changed', async () => {
    const random = new SeededRandom(1);
    const outcomes = { came: 0, refused: 0 };
    for (let attempt = 0; attempt < 5_000; attempt++) {
      const changed = Uint8Array.from(file);
      for (let change = 0; change <= attempt % 4; change++) {
        const place = random.below(changed.byteLength);
        // Counts that are far too large, and any other change.
        changed[place] = attempt % 2 === 0 ? 0x7f : random.below(256);
      }
      try {
        await rowsOf(changed, 100_000);
        outcomes.came++;
      } catch (error) {
        assert.ok(isRefusal(error), `attempt ${attempt}: ${error instanceof Error ? error.stack : error}`);
        outcomes.refused++;
      }
    }
    assert.ok(outcomes.came > 0 && outcomes.refused > 0, JSON.stringify(outcomes));
  });
});

/** Lists of nulls: of any length without a byte. */
function nulls(length: number, itemCount: number): arrow.Vector {
  const child = arrow.makeData({ type: new arrow.Null(), length: length * itemCount });
  const type = new arrow.FixedSizeList(itemCount, new arrow.Field('item', new arrow.Null(), true));
  return new arrow.Vector([arrow.makeData({ type, length, nullCount: 0, child })]);
}

const isRefusal = (error: unknown): boolean =>
  error instanceof SpandrelError && error.code === 'DATASET_UPLOAD_INVALID' && error.message.length < 500;
