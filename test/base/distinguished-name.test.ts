import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canonicalDn } from '../../src/base/distinguished-name.ts';

describe('canonicalDn', () => {
  for (const [one, other] of [
    ['cn=a,dc=b', 'CN = A , DC=B'],
    ['cn=a  b', 'cn=A b'],
    ['cn=a\\,b,dc=c', 'cn=a\\2Cb,dc=c'],
    ['cn=Müller', 'cn=M\\C3\\BCller'],
    ['cn=a+sn=b,dc=c', 'sn=b+cn=a,dc=c'],
    ['cn=\\ a', 'cn=a'],
  ] as const) {
    test(`equals for ${one} and ${other}`, () => assert.equal(canonicalDn(one), canonicalDn(other)));
  }

  for (const [one, other] of [
    ['cn=a\\,dc\\=b', 'cn=a,dc=b'],
    ['cn=a,cn=b', 'cn=a+cn=b'],
    ['cn=a,dc=b', 'dc=b,cn=a'],
    ['cn=ab', 'cn=a b'],
  ] as const) {
    test(`differs for ${one} and ${other}`, () => assert.notEqual(canonicalDn(one), canonicalDn(other)));
  }

  for (const text of [
    '',
    '*',
    'cn',
    'cn=',
    '=a',
    'cn=a,',
    'cn=a,,dc=b',
    'cn=a\\',
    'cn=a\\zz',
    'cn="a"',
    'cn=a;dc=b',
    'x y=z',
  ]) {
    test(`rejects ${JSON.stringify(text)}`, () => assert.equal(canonicalDn(text), undefined));
  }
});
