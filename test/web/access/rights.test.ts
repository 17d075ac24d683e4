import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Caller, SIGN_IN_OFF } from '../../../src/model/access/caller.ts';
import { findDenial, RIGHTS } from '../../../src/model/access/rights.ts';
import { type Access, hasRight, type Position } from '../../../src/web/access/rights.ts';

const callerOf = (position: Position): Caller =>
  position === 'signInOff'
    ? SIGN_IN_OFF
    : {
        kind: 'signedIn',
        credential: 'session',
        credentialRowId: 1,
        user: { rowId: 1, role: position, username: 'someone', email: null, groups: [] },
        scope: 'ALL',
        projects: null,
        signal: new AbortController().signal,
      };

test('the interface grants each role the rights that the server grants to its sessions', () => {
  for (const position of ['ADMIN', 'MEMBER', 'VIEWER', 'signInOff'] as const) {
    for (const access of Object.keys(RIGHTS) as Access[]) {
      const expected = findDenial(callerOf(position), access, true) === undefined;

      assert.equal(hasRight(position, access), expected, `${position} ${access}`);
    }
  }
});
