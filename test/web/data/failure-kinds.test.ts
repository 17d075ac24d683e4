import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as errors from '../../../src/model/errors.ts';
import {
  ERROR_CODE_HEADER,
  INT_OUT_OF_RANGE_CODE,
  INTERNAL_ERROR_CODE,
  KIND_BY_CODE,
  kindOfCode,
} from '../../../src/web/data/failure-kinds.ts';

const codes = Object.entries(errors.ERROR_KINDS);

test('the web interface recognizes objects that do not exist by the code of the server', () => {
  for (const [code, kind] of codes) assert.equal(kindOfCode(code) === 'notFound', kind === 'notFound', code);
});

test('each code that the web interface handles is a code of the server', () => {
  const known = new Set(codes.map(([code]) => code));
  for (const code of [...KIND_BY_CODE.keys(), INT_OUT_OF_RANGE_CODE]) assert(known.has(code), code);
  assert.equal(INTERNAL_ERROR_CODE, errors.INTERNAL_ERROR_CODE);
  assert.equal(ERROR_CODE_HEADER, errors.ERROR_CODE_HEADER);
});

test('only a query that timed out is shown as a timeout', () => {
  for (const [code, kind] of codes) assert.equal(kindOfCode(code) === 'timedOut', kind === 'timedOut', code);
});

test('an unknown code is a rejected request', () => {
  for (const code of ['', '__proto__', 'constructor']) assert.equal(kindOfCode(code), 'rejected');
});
