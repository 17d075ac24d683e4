import { ArgumentError } from '../../errors.ts';
import { SEARCHED_WORD_CHARS_MAX, SEARCHED_WORDS_MAX } from '../limits.ts';
import { compileRegex } from '../regex.ts';
import { bleu } from '../text/bleu.ts';
import { chrf } from '../text/chrf.ts';
import { levenshteinDistance, levenshteinSimilarity } from '../text/levenshtein.ts';
import { rougeL } from '../text/rouge.ts';
import { type CodeMetric, type CodeMetricOptions, defineMetric, quote, readText, toVerdict } from './code-metric.ts';

export interface ExactMatchOptions extends CodeMetricOptions {
  /** True by default. */
  readonly caseSensitive?: boolean;
}

/** Whether `output` equals `expected`, without any normalisation. */
export function createExactMatchEvaluator({ caseSensitive = true, ...options }: ExactMatchOptions = {}): CodeMetric {
  return defineMetric(options, {
    name: 'exact_match',
    settings: { caseSensitive },
    measure(record) {
      const [output, expected] = [readText(record, 'output'), readText(record, 'expected')];
      if (exactMatch(output, expected, { caseSensitive })) return toVerdict(true, 'The texts are equal.');
      return toVerdict(false, `The texts differ: expected ${quote(expected)}, received ${quote(output)}.`);
    },
  });
}

export const exactMatch = (output: string, expected: string, { caseSensitive = true } = {}): boolean =>
  caseSensitive ? output === expected : output.toLowerCase() === expected.toLowerCase();

export interface ContainsOptions extends CodeMetricOptions {
  /** Words, or a text of words with commas between them. */
  readonly words: string | readonly string[];
  /** False by default. */
  readonly caseSensitive?: boolean;
  /** Whether all words must occur. One is enough by default. */
  readonly requireAll?: boolean;
}

/** Whether `output` contains words. */
export function createContainsEvaluator({
  words,
  caseSensitive = false,
  requireAll = false,
  ...options
}: ContainsOptions): CodeMetric {
  const list = toWords(words);
  return defineMetric(options, {
    name: 'contains',
    settings: { words: list, caseSensitive, requireAll },
    measure(record) {
      const missing = missingWords(list, readText(record, 'output'), caseSensitive);
      const isMatch = isEnough(list, missing, requireAll);
      const shown = isMatch ? list.filter((word) => !missing.includes(word)) : missing;
      const many = quote(shown.slice(0, 20).join(', '));
      return toVerdict(isMatch, isMatch ? `The text contains ${many}.` : `The text does not contain ${many}.`);
    },
  });
}

/** Whether a text contains one of the words, or all of them. False without words. */
export function contains(
  text: string,
  words: string | readonly string[],
  { caseSensitive = false, requireAll = false } = {},
): boolean {
  const list = toWords(words);
  return isEnough(list, missingWords(list, text, caseSensitive), requireAll);
}

const isEnough = (words: readonly string[], missing: readonly string[], requireAll: boolean): boolean =>
  words.length > 0 && (requireAll ? missing.length === 0 : missing.length < words.length);

function toWords(words: string | readonly string[]): string[] {
  const list = typeof words === 'string' ? words.split(',') : [...words];
  if (list.length > SEARCHED_WORDS_MAX) {
    throw new ArgumentError(`Expected at most ${SEARCHED_WORDS_MAX} words, received ${list.length}.`);
  }
  return list.flatMap((word) => {
    if (word.length <= SEARCHED_WORD_CHARS_MAX) return word.trim() || [];
    throw new ArgumentError(
      `Expected words of at most ${SEARCHED_WORD_CHARS_MAX} characters, received ${word.length}.`,
    );
  });
}

function missingWords(words: readonly string[], text: string, caseSensitive: boolean): string[] {
  const searched = caseSensitive ? text : text.toLowerCase();
  return words.filter((word) => !searched.includes(caseSensitive ? word : word.toLowerCase()));
}

export interface RegexOptions extends CodeMetricOptions {
  /** A regular expression of JavaScript. */
  readonly pattern: string | RegExp;
  /** Milliseconds for a row, after which one that backtracks is stopped. 2,000 by default. */
  readonly timeoutMs?: number;
  /** Whether the whole text must match. A part is enough by default. */
  readonly fullMatch?: boolean;
  /** True by default. */
  readonly includeExplanation?: boolean;
}

/** Whether a regular expression matches `output`. */
export function createRegexEvaluator({
  pattern,
  fullMatch = false,
  includeExplanation = true,
  timeoutMs,
  ...options
}: RegexOptions): CodeMetric {
  const regex = compileRegex(pattern, timeoutMs);
  return defineMetric(options, {
    name: 'matches_regex',
    settings: { pattern: String(pattern), fullMatch },
    measure(record) {
      const output = readText(record, 'output');
      const count = fullMatch ? Number(regex.matchesWhole(output)) : regex.count(output);
      const score = count > 0 ? 1 : 0;
      if (!includeExplanation) return { score };
      const what = fullMatch ? 'the whole text' : 'the text';
      const times = fullMatch ? '' : ` ${count} ${count === 1 ? 'time' : 'times'}`;
      const found = count > 0 ? `matches ${what}${times}` : `does not match ${what}`;
      return { score, explanation: `${quote(String(pattern))} ${found}.` };
    },
  });
}

/** Whether a regular expression matches a text, or the whole of it. */
export function matchesRegex(text: string, pattern: string | RegExp, { fullMatch = false } = {}): boolean {
  const regex = compileRegex(pattern);
  return fullMatch ? regex.matchesWhole(text) : regex.count(text) > 0;
}

export interface LevenshteinOptions extends CodeMetricOptions {
  /** True by default. */
  readonly caseSensitive?: boolean;
  /** Whether the score is the similarity, from 0 to 1, instead of the number of edits. */
  readonly normalize?: boolean;
}

/** Number of edits between `output` and `expected`. Lower is better, unless it is normalized. */
export function createLevenshteinEvaluator({
  caseSensitive = true,
  normalize = false,
  ...options
}: LevenshteinOptions = {}): CodeMetric {
  const fold = (text: string) => (caseSensitive ? text : text.toLowerCase());
  return defineMetric(options, {
    name: normalize ? 'levenshtein_similarity' : 'levenshtein_distance',
    direction: normalize ? 'MAXIMIZE' : 'MINIMIZE',
    settings: { caseSensitive, normalize },
    measure(record) {
      const [output, expected] = [fold(readText(record, 'output')), fold(readText(record, 'expected'))];
      return { score: normalize ? levenshteinSimilarity(output, expected) : levenshteinDistance(output, expected) };
    },
  });
}

/** BLEU of `output` against `expected`, from 0 to 1. */
export const createBleuEvaluator = (options: CodeMetricOptions = {}): CodeMetric =>
  defineMetric(options, {
    name: 'bleu',
    measure: (record) => ({ score: bleu(readText(record, 'output'), readText(record, 'expected')) }),
  });

/** ROUGE-L of `output` against `expected`: its F-score, with precision and recall in the metadata. */
export const createRougeLEvaluator = (options: CodeMetricOptions = {}): CodeMetric =>
  defineMetric(options, {
    name: 'rouge_l',
    measure(record) {
      const { f1, precision, recall } = rougeL(readText(record, 'output'), readText(record, 'expected'));
      return { score: f1, metadata: { precision, recall } };
    },
  });

/** chrF of `output` against `expected`, from 0 to 1. */
export const createChrfEvaluator = (options: CodeMetricOptions = {}): CodeMetric =>
  defineMetric(options, {
    name: 'chrf',
    measure: (record) => ({ score: chrf(readText(record, 'output'), readText(record, 'expected')) }),
  });
