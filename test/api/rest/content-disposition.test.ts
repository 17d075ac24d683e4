import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { attachment, encodedAttachment } from '../../../src/api/rest/content-disposition.ts';

describe('the name of a download', () => {
  for (const [name, expected] of [
    ['baseline', 'filename="baseline.json"'],
    ['run 1; a/b, 100%', 'filename="run 1; a/b, 100%.json"'],
    ['say "hi" \\', 'filename="say \\"hi\\" \\\\.json"'],
    ['größe', `filename="gr__e.json"; filename*=UTF-8''gr%C3%B6%C3%9Fe.json`],
    ["it's 😀 (new)", `filename="it's _ (new).json"; filename*=UTF-8''it%27s%20%F0%9F%98%80%20%28new%29.json`],
    ['a\r\nset-cookie: b\0', `filename="a__set-cookie: b_.json"; filename*=UTF-8''a%0D%0Aset-cookie%3A%20b%00.json`],
    ['\ud800', `filename="_.json"; filename*=UTF-8''%EF%BF%BD.json`],
  ] as const) {
    test(`is quoted, and encoded if it is not ASCII: ${JSON.stringify(name)}`, () => {
      assert.equal(attachment(name, 'json'), `attachment; ${expected}`);
    });
  }

  test('is only encoded for a dataset, with unescaped slashes', () => {
    assert.equal(
      encodedAttachment('a/b "ö"\ud800', 'csv'),
      "attachment; filename*=UTF-8''a/b%20%22%C3%B6%22%EF%BF%BD.csv",
    );
  });
});
