import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toColumnNames } from '../../src/tabular/column-names.ts';
import { CsvReader } from '../../src/tabular/csv-reader.ts';
import { guessDelimiter, guessEncoding } from '../../src/tabular/text-encoding.ts';

test('a record knows the line on which it starts, wherever the text is cut', () => {
  const text = 'a\r\n"b\r\nc\nd\re"\r\n\nf\rg';
  for (const length of [1, 2, 100]) {
    const reader = new CsvReader({ recordCharsMax: 100 });
    const records = [];
    for (let at = 0; at < text.length; at += length) records.push(...reader.read(text.slice(at, at + length)));
    records.push(...reader.end());

    assert.deepEqual(
      records.map(({ cells, line }) => [line, ...cells]),
      [
        [1, 'a'],
        [2, 'b\r\nc\nd\re'],
        [7, 'f'],
        [8, 'g'],
      ],
      `cut at ${length}`,
    );
  }
});

test('the encoding is guessed from a mark, from zero bytes, and from invalid UTF-8', () => {
  const text = 'question,answer\nWie heißt du?,Grün\n';
  const bigEndian = Buffer.from(text, 'utf16le').swap16();
  assert.equal(guessEncoding(Buffer.from(text)), 'utf-8');
  assert.equal(guessEncoding(Buffer.from(`\ufeff${text}`)), 'utf-8');
  assert.equal(guessEncoding(Buffer.from(`\ufeff${text}`, 'utf16le')), 'utf-16le');
  assert.equal(guessEncoding(Buffer.from(text, 'utf16le')), 'utf-16le');
  assert.equal(guessEncoding(bigEndian), 'utf-16be');
  assert.equal(guessEncoding(Buffer.from(text, 'latin1')), 'windows-1252');
  // Cut within a character.
  assert.equal(guessEncoding(Buffer.from('ä').subarray(0, 1)), 'utf-8');
  assert.equal(guessEncoding(new Uint8Array()), 'utf-8');
});

test('the delimiter is the most frequent one of the first line outside of quotes', () => {
  assert.equal(guessDelimiter('a;b;c\n1,2,3,4,5\n'), ';');
  assert.equal(guessDelimiter('"a;b;c;d",b\n'), ',');
  assert.equal(guessDelimiter('a\tb'), '\t');
  assert.equal(guessDelimiter('only'), ',');
});

test('column names are unique, and none takes the name that another header states', () => {
  assert.deepEqual(toColumnNames(['a', 'a', 'a_2', '', 'a']), ['a', 'a_3', 'a_2', 'column_4', 'a_4']);
  assert.deepEqual(toColumnNames(['__proto__', 'constructor', '__proto__']), [
    '__proto__',
    'constructor',
    '__proto___2',
  ]);
});
