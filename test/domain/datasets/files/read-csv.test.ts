import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readCsv } from '../../../../src/domain/datasets/files/read-csv.ts';

async function* pieces(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}

async function read(text: string, length = 3): Promise<string[][]> {
  const records = [];
  for await (const { cells } of readCsv(pieces(text, length))) records.push([...cells]);
  return records;
}

describe('readCsv', () => {
  const CASES: { what: string; text: string; records: string[][] }[] = [
    {
      what: 'fields and records',
      text: 'a,b\n1,2\n',
      records: [
        ['a', 'b'],
        ['1', '2'],
      ],
    },
    { what: 'a last record without a line end', text: 'a\nb', records: [['a'], ['b']] },
    { what: 'line ends of Windows and of old Macs', text: 'a\r\nb\rc\r\n', records: [['a'], ['b'], ['c']] },
    { what: 'quoted commas, quotes and line breaks', text: '"a,""b""\r\nc",d\n', records: [['a,"b"\r\nc', 'd']] },
    { what: 'a quote inside a bare field as a character', text: 'a"b"c,d\n', records: [['a"b"c', 'd']] },
    { what: 'what follows a closing quote as part of the field', text: '"a"b,c\n', records: [['ab', 'c']] },
    {
      what: 'empty fields, quoted and bare',
      text: ',""\n"",\n',
      records: [
        ['', ''],
        ['', ''],
      ],
    },
    { what: 'no record for an empty line', text: 'a\n\n\r\nb\n', records: [['a'], ['b']] },
    { what: 'a record for a line with nothing but quotes', text: 'a\n""\n', records: [['a'], ['']] },
    { what: 'nothing in nothing', text: '', records: [] },
  ];
  for (const { what, text, records } of CASES) {
    test(`reads ${what}, wherever the text is cut`, async () => {
      for (const length of [1, 2, 3, 100]) assert.deepEqual(await read(text, length), records, `cut at ${length}`);
    });
  }

  test('rejects a quoted field that does not end', async () => {
    await assert.rejects(read('a\n"b'), { code: 'DATASET_UPLOAD_INVALID', message: /not closed/ });
  });

  test('reads back whatever was quoted, wherever the text is cut', async () => {
    const field = fc.string({ unit: fc.constantFrom('a', ',', '"', '\r', '\n', ' ', 'ü', '𝄞') });
    const table = fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 9 }), async (records, length) => {
        const quoted = records.map((record) => record.map((each) => `"${each.replaceAll('"', '""')}"`).join(','));

        assert.deepEqual(await read(quoted.join('\r\n'), length), records);
      }),
    );
  });
});
