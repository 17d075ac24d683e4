import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PASSWORD_LENGTH_MAX } from '../../../src/model/limits/access.ts';
import { findPasswordProblem } from '../../../src/domain/access/password-rules.ts';

describe('a password', () => {
  for (const [password, ordinary, strong] of [
    ['', 'must not be empty', 'must not be empty'],
    ['abc', 'at least 4 characters', 'at least 12 characters'],
    ['abcd', undefined, 'at least 12 characters'],
    ['ab cd', 'whitespace', 'whitespace'],
    ['ab\tcd', 'whitespace', 'whitespace'],
    ['pässword', 'ASCII', 'ASCII'],
    ['abcdefghijkl', undefined, 'one digit and one uppercase letter and one special character'],
    ['Abcdefghijk1', undefined, 'one special character'],
    ['ABCDEFGHIJ1!', undefined, 'one lowercase letter'],
    ['Abcdefghij1!', undefined, undefined],
    ['Abcdefghij1_', undefined, undefined],
    ['x'.repeat(PASSWORD_LENGTH_MAX + 1), 'at most 1024', 'at most 1024'],
  ] as const) {
    for (const [isStrong, expected] of [
      [false, ordinary],
      [true, strong],
    ] as const) {
      test(`${JSON.stringify(password.slice(0, 20))} is ${expected ?? 'accepted'}${isStrong ? ' by the strong policy' : ''}`, () => {
        const problem = findPasswordProblem(password, { isStrong });

        if (expected === undefined) assert.equal(problem, undefined);
        else assert.ok(problem?.includes(expected), problem);
      });
    }
  }
});
