import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type LabelDraft,
  stateOf,
  toggleLabel,
  toLabelChange,
} from '../../../src/web/components/labels/label-choice.ts';
import { labelColor, unusedColor } from '../../../src/web/components/labels/label-color.ts';

const chosen = { all: new Set(['a']), some: new Set(['b']) };
const NONE: LabelDraft = new Map();

test('a label is given, taken away, and left as it was', () => {
  const twice = (id: string) => toggleLabel(chosen, toggleLabel(chosen, NONE, id), id);

  assert.deepEqual(toLabelChange(chosen, toggleLabel(chosen, NONE, 'a')), { ids: [], added: [], removed: ['a'] });
  assert.deepEqual(toLabelChange(chosen, toggleLabel(chosen, NONE, 'c')), {
    ids: ['a', 'c'],
    added: ['c'],
    removed: [],
  });
  assert.equal(twice('a').size, 0);
  assert.equal(twice('c').size, 0);
});

test('a label that some of the objects have is given to all, then to none, then left as it was', () => {
  const states: string[] = [];
  let draft = NONE;
  for (let count = 0; count < 3; count++) {
    draft = toggleLabel(chosen, draft, 'b');
    states.push(stateOf(chosen, draft, 'b'));
  }

  assert.deepEqual(states, ['all', 'none', 'some']);
});

test('only a hex color becomes part of a style, and a new label gets a color that no other has', () => {
  for (const text of ['red', 'url(//x)', '#12', '', null]) assert.equal(labelColor(text), '#69635a');
  assert.equal(labelColor('#ABCDEF'), '#ABCDEF');
  assert.notEqual(unusedColor([{ color: unusedColor([]).toUpperCase() }]), unusedColor([]));
});
