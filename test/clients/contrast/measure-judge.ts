import { evaluate, type Model } from '../../../clients/typescript/evals/src/index.ts';
import { createJudgeEvaluator, type JudgeFile } from '../../../clients/typescript/evals/src/metrics/judges/index.ts';
import type { CallTotals, RunProgress } from '../../../clients/typescript/evals/src/runner/index.ts';
import type { ContrastPair, ContrastRow } from './contrast-sets.ts';

/** A row that a judge got wrong, or did not label. */
export interface WrongRow {
  readonly judge: string;
  readonly pair: number;
  readonly fact: string;
  readonly domain: string;
  readonly language: string;
  readonly expected: string;
  /** Null when there is no label. */
  readonly received: string | null;
  readonly explanation?: string;
  readonly errors?: readonly string[];
  readonly values: ContrastRow['values'];
}

/** How a judge does on its contrast set. */
export interface JudgeAccuracy {
  readonly judge: string;
  readonly version: string;
  /** Rows that the model answered: with a label, with another label, or with something else. */
  readonly answeredCount: number;
  readonly rightCount: number;
  /** Pairs of which both rows were answered, and both right. */
  readonly answeredPairCount: number;
  readonly rightPairCount: number;
  /** Answers with a label that the judge does not have; they are not right. */
  readonly labelErrorCount: number;
  /** Answers without a label, such as prose; they are not right. */
  readonly answerErrorCount: number;
  /** Rows without an answer, as after a lost connection. They count neither as right nor as wrong. */
  readonly missingCount: number;
  readonly calls: Readonly<CallTotals>;
  readonly wrong: readonly WrongRow[];
}

export interface MeasureOptions {
  readonly model: Model;
  /** File of results, with which a killed run goes on. */
  readonly checkpoint?: string;
  /** Calls at once; by default the library finds the limit. */
  readonly concurrency?: number;
  readonly onProgress?: (progress: RunProgress) => void;
}

type RowState = 'right' | 'wrong' | 'missing';

/** Asks a model for both rows of each pair. @throws {Error} when the model rejects the key */
export async function measureJudge(
  judge: JudgeFile,
  pairs: readonly ContrastPair[],
  { model, ...options }: MeasureOptions,
): Promise<JudgeAccuracy> {
  const cases = pairs.flatMap((pair) => pair.rows.map((row) => ({ pair, row })));
  const { rows, summary } = await evaluate({
    data: cases.map(({ row }) => row.values),
    evaluators: [createJudgeEvaluator(judge, { model })],
    ...options,
  });
  const wrong: WrongRow[] = [];
  const states = cases.map(({ pair, row }, index): RowState => {
    const score = rows[index]?.scores[judge.name];
    const { exceptions = [], errorKind } = rows[index]?.details[judge.name] ?? {};
    if (score?.label === row.label) return 'right';
    const { number, fact, domain, language } = pair;
    wrong.push({
      ...{ judge: judge.name, pair: number, fact, domain, language, expected: row.label },
      received: score?.label ?? null,
      ...(score?.explanation !== undefined && { explanation: score.explanation }),
      ...(!score && { errors: exceptions }),
      values: row.values,
    });
    return score || errorKind === 'label' || errorKind === 'answer' ? 'wrong' : 'missing';
  });
  const ofPairs = pairs.map((_, index) => [states[2 * index]!, states[2 * index + 1]!] as const);
  const kinds = rows.map(({ details }) => details[judge.name]?.errorKind);
  const count = <Item>(list: readonly Item[], wanted: (item: Item) => boolean) => list.filter(wanted).length;
  return {
    judge: judge.name,
    version: String(judge.version),
    answeredCount: count(states, (state) => state !== 'missing'),
    rightCount: count(states, (state) => state === 'right'),
    answeredPairCount: count(ofPairs, (both) => !both.includes('missing')),
    rightPairCount: count(ofPairs, ([first, second]) => first === 'right' && second === 'right'),
    labelErrorCount: count(kinds, (kind) => kind === 'label'),
    answerErrorCount: count(kinds, (kind) => kind === 'answer'),
    missingCount: count(states, (state) => state === 'missing'),
    calls: summary.calls,
    wrong,
  };
}
