import { commonSubsequenceLength } from './common-subsequence.ts';
import { tokenize } from './tokens.ts';

export interface OverlapScores {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/**
 * ROUGE-L (Lin 2004): the longest common subsequence of words over the words of the output (precision) and of the reference
 * (recall). Words are not stemmed. Two texts without words are equal.
 */
export function rougeL(output: string, expected: string): OverlapScores {
  const [words, reference] = [tokenize(output), tokenize(expected)];
  if (words.length === 0 && reference.length === 0) return { precision: 1, recall: 1, f1: 1 };
  return overlapScores(commonSubsequenceLength(words, reference), words.length, reference.length);
}

/** Scores of a number of shared items of two collections. */
export function overlapScores(sharedCount: number, outputCount: number, expectedCount: number): OverlapScores {
  const precision = outputCount === 0 ? 0 : sharedCount / outputCount;
  const recall = expectedCount === 0 ? 0 : sharedCount / expectedCount;
  return { precision, recall, f1: sharedCount === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}
