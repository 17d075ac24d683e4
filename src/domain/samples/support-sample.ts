import { ORDER_CASES } from './order-cases.ts';
import { PRODUCT_CASES, UNANSWERED_CASES } from './product-cases.ts';
import type { SupportCase, WrittenAnswer } from './support-case.ts';

/** Value of the key `sample` in the metadata of everything that the sample consists of. */
export const SAMPLE_MARK = 'support-questions';
export const SAMPLE_DATASET_NAME = 'Sample: support questions';
export const SAMPLE_PROMPT_NAME = 'sample-support-answer';
export const SAMPLE_MODEL = 'gpt-4o-mini';

export const SAMPLE_DESCRIPTION =
  'Sample data. 40 questions to the support of a shop for hiking gear, with expected answers. The questions, answers and scores were written by hand; no model was called.';

interface SampleSplit {
  readonly name: string;
  readonly cases: readonly SupportCase[];
}

/** Splits are shared by all datasets, so their names say that they belong to the sample. */
export const SAMPLE_SPLITS: readonly SampleSplit[] = [
  { name: 'sample: orders', cases: ORDER_CASES },
  { name: 'sample: products', cases: PRODUCT_CASES },
  { name: 'sample: not in the handbook', cases: UNANSWERED_CASES },
];

const SYSTEM = 'You answer questions of customers of a shop for hiking gear.';

/** Versions of the prompt, oldest first. The first two have an experiment each. */
export const SAMPLE_VERSIONS = [
  {
    description: 'Short answers from memory',
    system: `${SYSTEM} Answer in one short sentence.`,
    tag: { name: 'production', description: 'The version that customers see' },
  },
  {
    description: 'Complete answers from the handbook',
    system: `${SYSTEM} Answer from the handbook below. Give the conditions, numbers and the next step, in at most three sentences. Always give an answer.\n\nHandbook:\n{{handbook}}`,
    tag: { name: 'staging', description: 'Candidate for production' },
  },
  {
    description: 'Admits what the handbook does not say; not tested yet',
    system: `${SYSTEM} Answer from the handbook below. Give the conditions, numbers and the next step, in at most three sentences. If the handbook does not answer the question, say so and name where the customer can ask.\n\nHandbook:\n{{handbook}}`,
    tag: { name: 'draft', description: 'Next experiment' },
  },
] as const;

interface SampleExperiment {
  readonly name: string;
  readonly description: string;
  readonly answerOf: (one: SupportCase) => WrittenAnswer;
  /** Latency of an answer: a fixed part, a part per word, and a spread, in ms. */
  readonly latency: { readonly base: number; readonly perWord: number; readonly spread: number };
  /** IDs of questions whose run fails. */
  readonly failed: ReadonlyMap<string, string>;
  /** Tokens of the handbook in the request. */
  readonly contextTokenCount: number;
}

/** The baseline first. */
export const SAMPLE_EXPERIMENTS: readonly SampleExperiment[] = [
  {
    name: 'Version 1: short answers',
    description: 'Sample data. The first version of the prompt on all questions.',
    answerOf: ({ short }) => short,
    latency: { base: 420, perWord: 14, spread: 380 },
    failed: new Map([['double-charge', 'RateLimitError: 429 Rate limit reached, try again in 1.2 s']]),
    contextTokenCount: 0,
  },
  {
    name: 'Version 2: answers from the handbook',
    description: 'Sample data. The second version of the prompt on all questions.',
    answerOf: ({ handbook }) => handbook,
    latency: { base: 1_150, perWord: 24, spread: 900 },
    failed: new Map([
      ['promo-code', 'TimeoutError: no answer within 10 s'],
      ['crampon-fit', 'RateLimitError: 429 Rate limit reached, try again in 0.8 s'],
    ]),
    contextTokenCount: 1_850,
  },
];

/** Questions whose answers a person has reviewed, and the person's score of both answers. Null: not reviewed. */
export const SAMPLE_REVIEWS: ReadonlyMap<string, readonly [number | null, number | null]> = new Map([
  ['return-worn-boots', [0, 1]],
  ['sale-item-refund', [0, 1]],
  ['refund-when', [1, 1]],
  ['guest-order', [0, 1]],
  ['tent-winter', [0, 1]],
  ['bag-wash', [1, 1]],
  ['weather', [1, 0]],
  ['medicine', [1, 0]],
  ['route-difficulty', [1, 0]],
  ['order-of-friend', [1, 1]],
  ['future-product', [1, 1]],
  ['mat-warmth', [null, 1]],
]);

export const countWords = (text: string): number => text.split(/\s+/).length;

/** Score of brevity that is computed from the text: 1 up to 15 words, then less. */
export const brevityOf = (text: string): number => Math.round(Math.min(1, 15 / countWords(text)) * 100) / 100;

/** A number in [0, 1) that depends on the text alone, so that the sample is the same on every server. */
export function fractionOf(text: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  return (hash >>> 0) / 2 ** 32;
}
