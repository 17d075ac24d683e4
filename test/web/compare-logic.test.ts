import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { diffJson } from '../../src/web/components/diff/diff-json.ts';
import { diffTexts } from '../../src/web/components/diff/diff-text.ts';
import { isLatencyDifferent } from '../../src/web/pages/compare/pair-trees.ts';
import { matchCalls } from '../../src/web/pages/trace/conversation/match-calls.ts';

const words = fc
  .array(fc.constantFrom('a', 'b', 'c', ' ', '\n', 'word', '.'), { maxLength: 40 })
  .map((all) => all.join(''));

describe('a difference of texts', () => {
  test('contains both texts, and does not mark equal text at the same position', () => {
    fc.assert(
      fc.property(words, words, (left, right) => {
        const parts = diffTexts(left, right);
        const side = (of: 'left' | 'right') =>
          parts.flatMap((part) => (part.of === 'both' || part.of === of ? [part.text] : [])).join('');

        assert.equal(side('left'), left);
        assert.equal(side('right'), right);
        if (left === right) assert(parts.every(({ of }) => of === 'both'));
      }),
    );
  });

  test('compares large texts by lines and large lines as a whole, in less than a minute', () => {
    const lines = (changed: number) =>
      Array.from({ length: 1_800 }, (_, index) => `line ${index === changed ? 'new' : index} of many\n`).join('');
    const marked = diffTexts(lines(-1), lines(900)).filter(({ of }) => of !== 'both');
    const wholes = diffTexts(`x ${'a '.repeat(90_000)}y`, `z ${'b '.repeat(90_000)}w`);

    assert.equal(marked.map(({ text }) => text.trim()).join(' | '), '900 | new');
    assert.deepEqual(
      wholes.map(({ of }) => of),
      ['left', 'right'],
    );
  });
});

test('compares attributes leaf by leaf', () => {
  const diffs = diffJson(
    { llm: { model_name: 'm-1', tools: [1, 2] }, same: 'x' },
    { llm: { model_name: 'm-2', tools: [1] }, same: 'x', added: true },
  );

  assert.deepEqual(
    diffs.filter(({ left, right }) => left !== right),
    [
      { path: 'llm.model_name', left: 'm-1', right: 'm-2' },
      { path: 'llm.tools.1', left: '2', right: undefined },
      { path: 'added', left: undefined, right: 'true' },
    ],
  );
});

test('assigns a call to the step with its ID, else to the first unassigned step with its name', () => {
  const call = (id: string | undefined, name: string) => ({ id, name, arguments: undefined });
  const step = (name: string, toolCallId?: string) => ({ name, toolCallId });

  const matches = matchCalls(
    [call('c1', 'search'), call('c2', 'search'), call('c3', 'weather'), call(undefined, 'search')],
    [step('search'), step('search', 'c1'), step('search'), step('other')],
  );

  assert.deepEqual([...matches].sort(), [
    [0, 1],
    [1, 0],
    [3, 2],
  ]);
});

test('counts a time difference from a quarter on, and always from a second on', () => {
  assert.equal(isLatencyDifferent(270, 610), true);
  assert.equal(isLatencyDifferent(270, 300), false);
  assert.equal(isLatencyDifferent(1, 4), false);
  assert.equal(isLatencyDifferent(19_700, 22_800), true);
  assert.equal(isLatencyDifferent(22_800, 22_000), false);
});
