import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { boundaryOf, readMultipart } from '../../../src/api/rest/datasets/read-multipart.ts';

async function* pieces(bytes: Buffer, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += length) yield bytes.subarray(at, at + length);
}

async function read(text: string | Buffer, boundary = 'b', length = 5) {
  const parts = [];
  for await (const part of readMultipart(pieces(Buffer.from(text as string), length), boundary)) {
    const chunks = [];
    for await (const chunk of part.content) chunks.push(chunk);
    const type = part.headers.get('content-type');
    parts.push({ name: part.name, fileName: part.fileName, type, content: Buffer.concat(chunks) });
  }
  return parts;
}

const field = (name: string, content: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;

describe('readMultipart', () => {
  test('reads fields and files with their headers', async () => {
    const file =
      '--b\r\ncontent-disposition: form-data; name="file"; filename="my \\"data\\".csv"\r\nContent-Type: text/csv\r\n\r\nq\r\n--cee\r\n';

    const parts = await read(`${field('name', 'Grüße')}${file}--b--\r\n`);

    assert.deepEqual(
      parts.map(({ content, ...rest }) => ({ ...rest, text: content.toString() })),
      [
        { name: 'name', fileName: undefined, type: undefined, text: 'Grüße' },
        { name: 'file', fileName: 'my "data".csv', type: 'text/csv', text: 'q\r\n--cee' },
      ],
    );
  });

  test('takes a file name of any characters from its extended form', async () => {
    const head =
      '--b\r\nContent-Disposition: form-data; name=f; filename="x"; filename*=UTF-8\'\'na%C3%AFve.csv\r\n\r\n\r\n';

    assert.equal((await read(`${head}--b--`))[0]?.fileName, 'naïve.csv');
  });

  test('passes over what is before the first boundary, after the last, and after a boundary on its line', async () => {
    const text = `preamble\r\n${field('a', '1').replace('--b\r\n', '--b \t\r\n')}--b--\r\nepilogue`;

    assert.deepEqual(
      (await read(text)).map(({ name }) => name),
      ['a'],
    );
  });

  test('drops what the reader leaves of a part', async () => {
    const names = [];
    for await (const { name } of readMultipart(
      pieces(Buffer.from(`${field('a', 'x'.repeat(99))}${field('b', '')}--b--`), 7),
      'b',
    )) {
      names.push(name);
    }

    assert.deepEqual(names, ['a', 'b']);
  });

  test('leaves the event loop to others between the parts of one chunk', async () => {
    const chunk = Buffer.from(`${field('a', '1').repeat(5_000)}--b--`);
    let turnCount = 0;
    const timer = setInterval(() => turnCount++, 1);
    let partCount = 0;
    for await (const _ of readMultipart(pieces(chunk, chunk.byteLength), 'b')) partCount++;
    clearInterval(timer);

    assert.equal(partCount, 5_000);
    assert.ok(turnCount > 0);
  });

  for (const [what, text] of [
    ['a body that is cut off', field('a', '1')],
    ['a body without a boundary', 'a=1&b=2'],
    ['a part without a name', '--b\r\nContent-Type: text/csv\r\n\r\n\r\n--b--'],
    ['a part whose head does not end', `--b\r\n${'x'.repeat(5_000)}`],
    ['nothing', ''],
  ] as const) {
    test(`rejects ${what}`, async () => {
      await assert.rejects(read(text), { code: 'BODY_UNREADABLE' });
    });
  }

  test('finds the boundary in a content type', () => {
    assert.equal(boundaryOf('multipart/form-data; boundary=abc'), 'abc');
    assert.equal(boundaryOf('Multipart/Form-Data; charset=utf-8; boundary="a b"'), 'a b');
    assert.equal(boundaryOf('multipart/form-data'), undefined);
    assert.equal(boundaryOf('multipart/mixed; boundary=abc'), undefined);
  });

  test('gives every byte of a content that holds no boundary, wherever the body is cut', async () => {
    const content = fc.array(fc.constantFrom('\r', '\n', '-', 'b', 'x', '\r\n--', '\r\n--c'), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(content, fc.integer({ min: 1, max: 20 }), async (units, length) => {
        const text = units.join('').replaceAll('\r\n--b', '');
        fc.pre(!text.includes('\r\n--b'));
        const body = Buffer.from(`--b\r\nContent-Disposition: form-data; name="f"\r\n\r\n${text}\r\n--b--`);

        assert.equal((await read(body, 'b', length))[0]?.content.toString(), text);
      }),
    );
  });
});
