import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { JUDGE_NAMES, readJudge } from '../../../clients/typescript/evals/src/metrics/judges/index.ts';
import {
  CONTRAST_FOLDER,
  type ContrastPair,
  type ContrastRow,
  parseContrastSet,
  readContrastSet,
} from './contrast-sets.ts';

const PAIR_COUNT = 30;
const DOMAIN_COUNT = 6;
/** Pairs in other languages than English. */
const FOREIGN_COUNT = 2;
/** Share of the pairs in which the same label has the longer text: a rule by length must not be good at a set. */
const LONGER_SHARE_MAX = 0.8;

describe('contrast sets', () => {
  test('exist for each ready-made judge, and for nothing else', () => {
    const files = readdirSync(CONTRAST_FOLDER).filter((name) => name !== 'README.md');

    assert.deepEqual(
      files.sort(),
      JUDGE_NAMES.map((name) => `${name}.yaml`),
    );
  });

  for (const name of JUDGE_NAMES) {
    const judge = readJudge(name);
    let parsed: readonly ContrastPair[] | undefined;
    const readPairs = () => {
      parsed ??= readContrastSet(judge);
      return parsed;
    };

    test(`${name}: ${PAIR_COUNT} pairs that differ in one variable, none of them twice`, () => {
      const pairs = readPairs();

      assert.ok(pairs.length >= PAIR_COUNT, `${pairs.length} pairs`);
      assert.deepEqual(pairs.filter(({ rows }) => countDifferences(rows) !== 1).map(toNumber), []);
      assert.deepEqual(findRepeated(pairs.map(({ fact }) => fact)), []);
      assert.deepEqual(findRepeated(pairs.flatMap(({ rows }) => rows.map(({ values }) => JSON.stringify(values)))), []);
    });

    test(`${name}: several domains and languages, and no rule by length`, () => {
      const pairs = readPairs();
      const countLonger = (longer: 0 | 1) =>
        pairs.filter(({ variable, rows }) => lengthOf(rows[longer], variable) > lengthOf(rows[1 - longer]!, variable))
          .length;

      assert.ok(new Set(pairs.map(({ domain }) => domain)).size >= DOMAIN_COUNT);
      assert.ok(pairs.filter(({ language }) => language !== 'en').length >= FOREIGN_COUNT);
      assert.ok(
        countLonger(0) <= pairs.length * LONGER_SHARE_MAX,
        `the first label is longer in ${countLonger(0)} pairs`,
      );
      assert.ok(
        countLonger(1) <= pairs.length * LONGER_SHARE_MAX,
        `the second label is longer in ${countLonger(1)} pairs`,
      );
    });
  }

  const judge = readJudge('refusal');
  const good = { fact: 'f', domain: 'd', input: 'i', output: { refused: 'no', answered: 'yes' } };
  for (const [what, pair, message] of [
    ['a variable that the judge does not have', { ...good, context: 'c' }, /pair 1: context is no variable/],
    ['no variable that differs', { ...good, output: 'o' }, /one variable with a text for each label, received 0/],
    ['two variables that differ', { ...good, input: { refused: 'a', answered: 'b' } }, /received 2/],
    ['a label that the judge does not have', { ...good, output: { refused: 'a', good: 'b' } }, /two labels of the/],
    ['equal texts', { ...good, output: { refused: 'a', answered: 'a' } }, /the two texts of output are equal/],
    ['a missing variable', { ...good, input: undefined }, /a text for input, received/],
    ['an empty text', { ...good, input: ' ' }, /the text of input is empty/],
  ] as const) {
    test(`are rejected with ${what}`, () => {
      assert.throws(() => parseContrastSet(judge, JSON.stringify([pair])), message);
    });
  }
});

const lengthOf = ({ values }: ContrastRow, variable: string): number => values[variable]!.length;

const toNumber = ({ number }: ContrastPair): number => number;

const countDifferences = ([first, second]: ContrastPair['rows']): number =>
  Object.keys(first.values).filter((variable) => first.values[variable] !== second.values[variable]).length;

const findRepeated = (texts: readonly string[]): string[] =>
  texts.filter((text, index) => texts.indexOf(text) !== index);
