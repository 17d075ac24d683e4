import type { EvaluateOptions } from '../../evaluators/evaluator-base.ts';
import type { EvalRecord } from '../../evaluators/input-mapping.ts';
import type { EvaluationResult } from '../../scores/score.ts';
import { JudgeEvaluator, toCamelCase } from './judge-evaluator.ts';
import { type JudgeFile, readJudge } from './judge-file.ts';

/**
 * Lets a model compare two answers in both orders. The label is the one that both orders agree on; otherwise it is the remaining
 * choice, a tie. The metadata has the label of each order, and whether they agree.
 */
export class PreferenceEvaluator extends JudgeEvaluator {
  protected override async evaluateMapped(input: EvalRecord, options: EvaluateOptions): Promise<EvaluationResult> {
    const { swap } = this.judge;
    if (!swap) return super.evaluateMapped(input, options);
    const labels = labelsBySwap(this.judge);
    const [given, swapped] = await Promise.all([
      super.evaluateMapped(input, options),
      super.evaluateMapped(swapFields(input, swap.variables), options),
    ]);
    const inGivenOrder = labels.get(swapped.label ?? '') ?? swapped.label;
    const isAgreed = given.label === inGivenOrder;
    const tie = this.judge.choices.find(({ label }) => !labels.has(label));
    const label = isAgreed ? given.label : tie?.label;
    const score = this.judge.choices.find((choice) => choice.label === label)?.score ?? 0.5;
    const explanation = isAgreed
      ? given.explanation
      : `The orders disagree. As given, ${given.label}: ${given.explanation ?? ''} Exchanged, ${inGivenOrder}: ${swapped.explanation ?? ''}`;
    return {
      score,
      ...(label !== undefined && { label }),
      ...(explanation !== undefined && { explanation }),
      metadata: {
        ...given.metadata,
        ...sumUsage(given.metadata, swapped.metadata),
        orders: [given.label, inGivenOrder],
        ordersAgree: isAgreed,
      },
    };
  }
}

/** Each of the two labels that a change of the order exchanges, to the other. Labels may have been renamed. */
function labelsBySwap({ choices, swap, name }: JudgeFile): Map<string, string> {
  const own = swap?.labels ?? [];
  const original = own.every((label) => choices.some((choice) => choice.label === label))
    ? own
    : own.map(
        (label) => choices[readJudge(name).choices.findIndex((choice) => choice.label === label)]?.label ?? label,
      );
  const [first = '', second = ''] = original;
  return new Map([
    [first, second],
    [second, first],
  ]);
}

function swapFields(input: EvalRecord, [first, second]: readonly [string, string]): EvalRecord {
  const pairs = [
    [first, second],
    [toCamelCase(first), toCamelCase(second)],
  ] as const;
  const exchanged = pairs.flatMap(([a, b]) => {
    if (!Object.hasOwn(input, a) || !Object.hasOwn(input, b)) return [];
    return [
      [a, input[b]],
      [b, input[a]],
    ];
  });
  return { ...input, ...Object.fromEntries(exchanged) };
}

type Metadata = Readonly<Record<string, unknown>> | undefined;

/** Tokens and cost of both calls together. */
function sumUsage(first: Metadata, second: Metadata): Record<string, number> {
  const summed = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'cost'].flatMap((key) => {
    const values = [first?.[key], second?.[key]].filter((value) => typeof value === 'number');
    return values.length === 0 ? [] : [[key, values.reduce((sum, value) => sum + value, 0)] as const];
  });
  return Object.fromEntries(summed);
}
