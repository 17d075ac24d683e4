import { ArgumentError } from '../errors.ts';
import { chance } from './chance.ts';

export interface FakeJudgeOptions {
  /** Probability of the positive label where the truth is good; default 0.9. */
  readonly sensitivity?: number;
  /** Probability of the negative label elsewhere; default 0.9. */
  readonly specificity?: number;
  /** Reads the truth from the text of a prompt without its system messages. By default a mark `truth=1` or `truth=0`, else by chance. */
  readonly truth?: (text: string) => boolean;
  /** The label of good material; default: the first one. */
  readonly positive?: string;
  /**
   * Probabilities that a bias decides: `length` and `formatting` and `instructions` make a positive label of material that is
   * long, formatted or contains an instruction, `first_label` the label that is listed first; other names are patterns.
   */
  readonly biases?: Readonly<Record<string, number>>;
  /** Characters of this text from which it is long; default 600. */
  readonly longChars?: number;
  readonly seed?: number | string;
}

const NAMED = new Map([
  ['formatting', /(^|\n)(#+ |[-*] |\d+\. |```)|\*\*/],
  ['instructions', /ignore (all|the|any|previous)|you must (answer|rate|choose)|give (it )?(a|the) (full|best)/i],
]);
const LONG_CHARS = 600;

/** A judge whose sensitivity, specificity and biases are known. */
export interface FakeJudge {
  /** The same text, labels and repetition give the same label. */
  decide(text: string, labels: readonly string[], repetition?: number): string;
  /** Probability of the positive label without biases. */
  probability(text: string): number;
  readonly positive: string | undefined;
}

/** @throws {ArgumentError} for a number that is no probability */
export function createFakeJudge(options: FakeJudgeOptions = {}): FakeJudge {
  const {
    sensitivity = 0.9,
    specificity = 0.9,
    truth = markedTruth,
    positive,
    biases = {},
    longChars = LONG_CHARS,
    seed = 0,
  } = options;
  for (const [name, value] of Object.entries({ sensitivity, specificity, ...biases })) {
    if (!(value >= 0 && value <= 1)) throw new ArgumentError(`${name} is a probability from 0 to 1, and not ${value}.`);
  }
  const patterns = Object.entries(biases).map(([name, probability]) => ({
    name,
    probability,
    pattern: NAMED.get(name) ?? new RegExp(name),
  }));
  const probability = (text: string) => (truth(text) ? sensitivity : 1 - specificity);
  return {
    positive,
    probability,
    decide(text, labels, repetition = 0) {
      const good = positive !== undefined && labels.includes(positive) ? positive : (labels[0] ?? 'good');
      const bad = labels.find((label) => label !== good) ?? good;
      let isGood = chance(seed, 'label', repetition, text) < probability(text);
      for (const { name, probability: share, pattern } of patterns) {
        if (chance(seed, name, repetition, text) >= share) continue;
        if (name === 'first_label') isGood = labels[0] === good;
        else if (name === 'length') isGood ||= text.length > longChars;
        else isGood ||= pattern.test(text);
      }
      return isGood ? good : bad;
    },
  };
}

function markedTruth(text: string): boolean {
  const mark = /truth=([01])/.exec(text);
  return mark ? mark[1] === '1' : chance('truth', text) < 0.5;
}
