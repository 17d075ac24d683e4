import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { JudgeFile } from '../../../clients/typescript/evals/src/metrics/judges/index.ts';

export const CONTRAST_FOLDER = fileURLToPath(new URL('../../../../test/fixtures/contrast/', import.meta.url));

/** One row for a judge, and the label that a person gives it. */
export interface ContrastRow {
  readonly label: string;
  /** Texts by variable of the judge. */
  readonly values: Readonly<Record<string, string>>;
}

/** Two rows that differ in one fact, and therefore in their label. */
export interface ContrastPair {
  /** Place in the file, from 1. */
  readonly number: number;
  /** The fact in which the rows differ, in words. */
  readonly fact: string;
  readonly domain: string;
  /** Of the rows, such as `en` or `de`. */
  readonly language: string;
  /** The only variable whose texts differ. */
  readonly variable: string;
  /** In the order of the labels of the judge. */
  readonly rows: readonly [ContrastRow, ContrastRow];
}

/** @throws {Error} naming the pair that does not have the form of `test/fixtures/contrast/README.md` */
export function readContrastSet(judge: JudgeFile): readonly ContrastPair[] {
  const bytes = readFileSync(`${CONTRAST_FOLDER}${judge.name}.yaml`);
  return parseContrastSet(judge, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
}

/** @throws {Error} naming the pair that does not have the form of `test/fixtures/contrast/README.md` */
export function parseContrastSet(judge: JudgeFile, text: string): readonly ContrastPair[] {
  const pairs: unknown = parse(text);
  if (!Array.isArray(pairs)) throw new Error(`${judge.name}: expected a list of pairs.`);
  return pairs.map((pair: unknown, index) => {
    try {
      return toPair(judge, index + 1, pair);
    } catch (error) {
      throw new Error(`${judge.name}, pair ${index + 1}: ${error instanceof Error ? error.message : error}`);
    }
  });
}

/** Keys of a pair besides the variables of its judge. */
const OWN_KEYS = ['fact', 'domain', 'language'];

function toPair(judge: JudgeFile, number: number, given: unknown): ContrastPair {
  const pair = toEntries(given);
  const unknown = [...pair.keys()].filter((key) => !OWN_KEYS.includes(key) && !judge.variables.includes(key));
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')} is no variable of the judge.`);
  const varied = judge.variables.filter((variable) => typeof pair.get(variable) === 'object');
  const [variable] = varied;
  if (variable === undefined || varied.length > 1)
    throw new Error(`expected one variable with a text for each label, received ${varied.length}.`);
  const texts = toEntries(pair.get(variable));
  const labels = judge.choices.map(({ label }) => label).filter((label) => texts.has(label));
  const [first, second] = labels;
  if (first === undefined || second === undefined || texts.size !== 2)
    throw new Error(`expected texts for two labels of the judge, received ${[...texts.keys()].join(', ')}.`);
  const toRow = (label: string): ContrastRow => ({
    label,
    values: Object.fromEntries(
      judge.variables.map((name) => [
        name,
        name === variable ? toText(texts.get(label), `${name} of ${label}`) : toText(pair.get(name), name),
      ]),
    ),
  });
  const rows = [toRow(first), toRow(second)] as const;
  if (rows[0].values[variable] === rows[1].values[variable]) throw new Error(`the two texts of ${variable} are equal.`);
  return {
    number,
    fact: toText(pair.get('fact'), 'fact'),
    domain: toText(pair.get('domain'), 'domain'),
    language: pair.has('language') ? toText(pair.get('language'), 'language') : 'en',
    variable,
    rows,
  };
}

function toEntries(given: unknown): ReadonlyMap<string, unknown> {
  if (given === null || typeof given !== 'object' || Array.isArray(given))
    throw new Error(`expected an object, received ${JSON.stringify(given)}.`);
  return new Map(Object.entries(given));
}

function toText(given: unknown, name: string): string {
  if (typeof given !== 'string') throw new Error(`expected a text for ${name}, received ${JSON.stringify(given)}.`);
  if (given.trim() === '') throw new Error(`the text of ${name} is empty.`);
  return given;
}
