import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assign, autoAssign, toExamples, toFields } from '../../../src/web/components/dataset-files/assignment.ts';
import type { PreviewRequest } from '../../../src/web/components/dataset-files/file-preview.ts';
import { parsePreview, toParquetPreview } from '../../../src/web/components/dataset-files/parse-preview.ts';

const preview = (content: string | Buffer, request: Partial<PreviewRequest> = {}) => {
  const bytes = Buffer.from(content as string);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  return parsePreview({ bytes: buffer as ArrayBuffer, isWhole: true, format: 'csv', ...request });
};

describe('the preview of a file', () => {
  test('guesses encoding, delimiter and types, and numbers repeated headers', () => {
    const text = '\ufeffa;n;j;ok;a;\r\n"x ""y""\r\nz";1.5;{"k": 1};true;;\r\n';
    for (const content of [Buffer.from(text), Buffer.from(text, 'utf16le')]) {
      const { columns, rows, delimiter, notes, issues, rowCount } = preview(content);
      assert.equal(delimiter, ';');
      assert.deepEqual(
        columns.map(({ name, type }) => `${name}: ${type}`),
        ['a: text', 'n: number', 'j: object', 'ok: boolean', 'a_2: empty', 'column_6: empty'],
      );
      assert.deepEqual(rows, [['x "y"\r\nz', '1.5', '{"k": 1}', 'true', undefined, undefined]]);
      assert.deepEqual(notes, ['Repeated or empty headers are named a_2, column_6.']);
      assert.deepEqual([issues.length, rowCount], [0, 1]);
    }
  });

  test('names ragged rows and open quotes by line, and leaves out a last row that may go on', () => {
    const text = 'a,b\n1,2\n3\n"4\n5",6\n7,"8';
    assert.deepEqual(
      preview(text).issues.map(({ line }) => line),
      [3, 6],
    );
    const start = preview(text, { isWhole: false });
    assert.deepEqual(start.rows, [
      ['1', '2'],
      ['4\n5', '6'],
    ]);
    assert.deepEqual([start.rowCount, start.issues.length], [undefined, 1]);
  });

  test('of JSON lines has the keys of all objects, also __proto__', () => {
    const text = '{"input": {"q": 1}, "__proto__": "x"}\n\n[1]\n{"input": {}, "n": null}\n{"cut": ';
    const { columns, rows, issues } = preview(text, { format: 'jsonLines', isWhole: false });
    assert.deepEqual(columns, [
      { name: 'input', type: 'object', isObject: true },
      { name: '__proto__', type: 'text', isObject: false },
      { name: 'n', type: 'empty', isObject: false },
    ]);
    assert.deepEqual(rows?.[0], ['{"q":1}', 'x', undefined]);
    assert.deepEqual(issues, [{ line: 3, reason: 'The line is not an object' }]);
  });

  test('parses 10,000 columns, and a first row that is longer than the preview', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `c${index}`).join();
    assert.equal(preview(`${names}\n${names}\n`).columns.length, 10_000);
    const long = preview(`a,b\n${'x'.repeat(1_000_000)}`, { isWhole: false });
    assert.deepEqual(
      long.columns.map(({ name }) => name),
      ['a', 'b'],
    );
  });

  test('of Parquet has the types of the file, with rows or without', () => {
    const columns = [
      { name: 'q', type: 'VARCHAR' },
      { name: 'm', type: 'STRUCT(a BIGINT)' },
    ];
    const shown = toParquetPreview({ columns, row_count: 5, rows: ['{"q":"x","m":{"a":1}}'] }, true);
    assert.deepEqual(shown.rows, [['x', '{"a":1}']]);
    assert.equal(shown.columns[1]?.isObject, true);
    const bare = toParquetPreview({ columns, row_count: 5, rows: null }, false);
    assert.match(bare.notes[0] ?? '', /only its columns and types/);
  });
});

describe('columns', () => {
  const rolesOf = (headers: string, row = '', knowsExamples = true) => {
    const { roles } = autoAssign(preview(`${headers}\n${row}\n`), knowsExamples);
    return Object.fromEntries(roles);
  };

  test('are assigned by their names', () => {
    assert.deepEqual(rolesOf('id,Question,expected output,split,topic'), {
      id: 'id',
      Question: 'input',
      'expected output': 'output',
      split: 'split',
      topic: 'metadata',
    });
    assert.deepEqual(rolesOf('foo,bar'), { foo: 'input', bar: 'metadata' });
    assert.deepEqual(rolesOf('id,node_id,input.a,output.b,metadata.c,splits'), {
      id: 'id',
      node_id: 'none',
      'input.a': 'input',
      'output.b': 'output',
      'metadata.c': 'metadata',
      splits: 'split',
    });
  });

  test('with IDs of stored examples do not name examples of a new dataset', () => {
    const id = Buffer.from('DatasetExample:7').toString('base64');
    assert.equal(rolesOf('id,question', `${id},x`, true).id, 'id');
    assert.equal(rolesOf('id,question', `${id},x`, false).id, 'none');
    assert.equal(rolesOf('id,question', 'q7,x', false).id, 'id');
  });

  test('become the fields of the form and the previewed examples', () => {
    const read = preview('{"id": "p", "input": {"q": 1}, "label": "yes", "tags": ["t"], "split": "train"}\n', {
      format: 'jsonLines',
    });
    const assignment = assign(autoAssign(read, true), 'tags', 'id');
    assert.equal(assignment.roles.get('id'), 'none');
    assert.deepEqual(toFields(read.columns, assignment), [
      ['input_keys[]', 'input'],
      ['output_keys[]', 'label'],
      ['split_key', 'split'],
      ['example_id_key', 'tags'],
      ['flatten_keys[]', 'input'],
    ]);
    assert.deepEqual(toExamples(read, assignment), [
      { id: '["t"]', input: '{"q": 1}', output: '{"label": "yes"}', metadata: '{}', splits: ['train'] },
    ]);
  });
});
