import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { checkNamePattern, compileNamePattern, deferNamePattern } from '../../../src/model/models/name-pattern.ts';

/** Signs of patterns, valid or not. */
const PARTS = [
  ...['a', 'gpt', '4', '-', '/', ':', '.', '^', '$', '|', '*', '+', '?', '(', '(?:', '(?i)', '(?=', '(?<=', ')', ' '],
  ...['\\.', '\\d', '\\1', '\\z', '\\', '[', ']', '[ab]', '[^a]', '[^]', '[]', '[a-z]', '[b-a]', '[a--b]', '[a&&b]'],
  ...[
    '\\d{4}',
    '\\d{0}',
    '[/.:]',
    '[a-]',
    '[-a]',
    '[a-c-e]',
    '[.-/]',
    '[9-0]',
    '{2}',
    '{',
    '}',
    '{1,2000}',
    '**',
    '*?',
    '+?',
    '??',
    'ü',
  ],
];
const patterns = fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));

function messageOf(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a pattern of model names', () => {
  test('is checked as it is compiled', () =>
    fc.assert(
      fc.property(patterns, (pattern) =>
        assert.equal(
          messageOf(() => checkNamePattern(pattern)),
          messageOf(() => compileNamePattern(pattern)),
        ),
      ),
      { numRuns: 3_000 },
    ));

  test('matches the same names when it is compiled at the first one', () =>
    fc.assert(
      fc.property(patterns, fc.array(fc.stringMatching(/^[apgt4./:-]{0,6}$/), { maxLength: 4 }), (pattern, names) => {
        const isInvalid = messageOf(() => compileNamePattern(pattern)) !== undefined;
        const deferred = deferNamePattern(pattern);
        for (const name of [...names, pattern]) {
          assert.equal(deferred.matches(name), !isInvalid && compileNamePattern(pattern).matches(name));
        }
        if (!isInvalid) assert.equal(deferred.specificity, compileNamePattern(pattern).specificity);
      }),
      { numRuns: 1_000 },
    ));
});
