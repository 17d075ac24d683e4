import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { createRegexes } from '../../src/sandbox/regex/thread-regexes.ts';

const WHOLE = { isFull: true, owner: 'user 1' };
const PART = { isFull: false, owner: 'user 1' };
/** Needs hundreds of steps for each character. */
const SLOW = 'a[ab]{900}[cd]';
const SLOW_TEXT = slowText();

describe('regular expressions of users', () => {
  const regexes = createRegexes();
  after(() => regexes.close());

  test('match the same at once and in a thread', async () => {
    const filler = 'x'.repeat(300_000);
    for (const [pattern, text] of [
      ['\\d{4}', 'order 4711'],
      ['(?i)ORDER', 'order'],
      ['^a+$', 'aaa'],
      ['nothing', 'order'],
    ] as const) {
      const small = await regexes.match(pattern, text, PART);
      const large = await regexes.match(`(?:${pattern})|z{1000}`, text, PART);
      const long = await regexes.match(
        `(?s)^(?:x*)(?:.*${pattern.replace('^', '').replace('$', '')})`,
        filler + text,
        PART,
      );
      assert.deepEqual(large, small, pattern);
      assert.deepEqual(long, small, pattern);
    }
    assert.deepEqual(await regexes.match('a', 'aa', WHOLE), { ok: true, isMatch: false });
    assert.deepEqual(await regexes.match('a{500}', 'a'.repeat(500), WHOLE), { ok: true, isMatch: true });
    assert.deepEqual(await regexes.match('a{500}', 'a'.repeat(501), WHOLE), { ok: true, isMatch: false });
  });

  test('leave the event loop to others while a large one is applied, and end at their time limit', async () => {
    let turns = 0;
    let isOver = false;
    const matching = regexes.match(SLOW, SLOW_TEXT, PART).finally(() => {
      isOver = true;
    });
    for (; !isOver; turns++) await nextTurn();

    const match = await matching;
    assert.match(match.ok ? '' : match.problem, /took longer than 2000 ms/);
    assert.ok(turns > 100, `${turns} turns`);
    // Another thread serves the next one.
    assert.deepEqual(await regexes.match('a{900}', 'a'.repeat(900), PART), { ok: true, isMatch: true });
  });

  test('stop with their caller', async () => {
    const controller = new AbortController();
    const matching = regexes.match(SLOW, SLOW_TEXT, PART, controller.signal);
    await sleep(20);
    controller.abort(new Error('enough'));

    await assert.rejects(matching, /enough/);
  });

  test('are rejected when they are invalid or too long', async () => {
    const problemOf = async (pattern: string, text = '') => {
      const match = await regexes.match(pattern, text, PART);
      return match.ok ? assert.fail(pattern) : match.problem;
    };
    assert.match(await problemOf('('), /^Invalid regular expression: /);
    assert.match(await problemOf('(?=a)'), /^Invalid regular expression: /);
    assert.match(await problemOf('(a)\\1'), /^Invalid regular expression: /);
    assert.match(
      await problemOf('((a{1,1000}){1,1000}){1,1000}'),
      /Invalid regular expression|too much memory|took longer/,
    );
    assert.match(await problemOf('x'.repeat(3_000)), /3000 characters; the maximum is 2000/);
    assert.match(await problemOf('x', ' '.repeat(17 * 2 ** 20)), /text has \d+ characters; the maximum is/);
  });
});

/** Letters without a pattern, so that no engine remembers what comes next. */
function slowText(): string {
  let state = 1;
  let letters = '';
  for (let count = 0; count < 2_000_000; count++) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    letters += state & 65_536 ? 'a' : 'b';
  }
  return letters;
}
