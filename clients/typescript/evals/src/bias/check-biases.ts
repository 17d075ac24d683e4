import type { RowSource } from '../data/open-rows.ts';
import { ArgumentError } from '../errors.ts';
import { toChoices } from '../evaluators/choices.ts';
import { ClassificationEvaluator } from '../evaluators/classification-evaluator.ts';
import type { EvalRecord } from '../evaluators/input-mapping.ts';
import { JudgeEvaluator } from '../metrics/judges/judge-evaluator.ts';
import { withReversedLabels } from '../metrics/judges/judge-file.ts';
import { toModel } from '../models/to-model.ts';
import { shareOf } from '../statistics/interval.ts';
import { BiasReport } from './bias-report.ts';
import { type BiasOptions, BiasRun, isComparing, isOwnPrompt } from './bias-run.ts';
import { type BiasFinding, correctFindings, effectFinding, pairedFinding, points, skipped } from './finding.ts';
import { familyOf } from './model-family.ts';
import { type GroupedVerdict, stratifiedDifference } from './stratified-difference.ts';
import { toMarked, toPlain, withInstruction, withNeutralLabels } from './variants.ts';

/** A judge that changes fewer verdicts than that when it is asked again is steady enough. */
const UNSTEADY = 0.01;

type Check = (run: BiasRun) => Promise<BiasFinding>;

const CHECKS = {
  async repetition(run) {
    const [base, again] = [await run.base(), await run.again()];
    const pairs = base.flatMap((verdict, index) =>
      verdict === undefined || again[index] === undefined ? [] : [verdict === again[index]],
    );
    const { value, low, high } = shareOf(pairs.filter((isSame) => !isSame).length, pairs.length);
    if (value === undefined || low === undefined || high === undefined) {
      return skipped('repetition', 'no row has two verdicts');
    }
    const end = `(${points(low)}% to ${points(high)}%), n = ${pairs.length.toLocaleString('en')}`;
    const isFound = low > UNSTEADY;
    const sentence = isFound
      ? `When it is asked again, it changes ${points(value)}% of its verdicts ${end}: ask several times, or lower its temperature.`
      : `When it is asked again, it keeps its verdicts: ${points(value)}% changed ${end}.`;
    return {
      ...{ check: 'repetition', status: isFound ? 'found' : 'not found', count: pairs.length, effect: value },
      ...{ low, high, pValue: undefined, adjustedPValue: undefined, sentence },
    };
  },
  async order(run) {
    const { evaluator } = run;
    const [first, second] = isComparing(evaluator) ? (evaluator.judge.swap?.labels ?? []) : [];
    if (first === undefined || second === undefined) return skipped('order', 'it does not compare two texts');
    const orders = await run.orders();
    // The second verdict is exchanged back, so the answer at the first place is `first` and then `second`.
    const countOf = (a: string, b: string) =>
      orders.filter(([given, exchanged]) => given === a && exchanged === b).length;
    return pairedFinding(
      'order',
      { ups: countOf(first, second), downs: countOf(second, first), count: orders.length },
      {
        up: 'It prefers whatever comes first',
        down: 'It prefers whatever comes second',
        none: 'The order of the two texts has no clear effect',
      },
    );
  },
  async 'labels reversed'(run) {
    const { evaluator, positive } = run;
    const reversed =
      evaluator instanceof JudgeEvaluator && !isOwnPrompt(evaluator)
        ? evaluator.withJudge(withReversedLabels(evaluator.judge))
        : withReversedChoices(evaluator);
    return run.compare('labels reversed', await run.base(), await run.ask(reversed, run.rows), {
      up: `With the labels in the opposite order, it says ${positive} more often`,
      down: `With the labels in the opposite order, it says ${positive} less often`,
      none: 'The order of the labels has no clear effect',
    });
  },
  async 'labels renamed'(run) {
    const { evaluator, positive } = run;
    if (!(evaluator instanceof JudgeEvaluator) || isOwnPrompt(evaluator)) {
      return skipped('labels renamed', 'the prompt is not that of a judge file, so its labels cannot be renamed');
    }
    if (isComparing(evaluator)) return skipped('labels renamed', 'the labels name the places of the two texts');
    const { judge, originals } = withNeutralLabels(evaluator.judge);
    const verdicts = await run.ask(evaluator.withJudge(judge), run.rows);
    const renamed = verdicts.map((label) => (label === undefined ? undefined : originals.get(label)));
    return run.compare('labels renamed', await run.base(), renamed, {
      up: `With neutral names of the labels, it chooses ${positive} more often`,
      down: `With neutral names of the labels, it chooses ${positive} less often`,
      none: 'The names of the labels have no clear effect',
    });
  },
  async length(run) {
    const { people, positive } = run;
    const lengths = run.rows.map((row) => run.lengthOf(row));
    const groups = new Map<string, number[]>();
    for (const [index, label] of people.entries()) {
      if (label === undefined) continue;
      const indices = groups.get(label) ?? [];
      groups.set(label, indices);
      indices.push(index);
    }
    if (groups.size === 0) {
      return skipped('length', 'no row has a label of people, and long texts may really be better');
    }
    const shares = await run.positiveShares();
    const isPair = isComparing(run.evaluator);
    const verdicts = [...groups].flatMap(([stratum, indices]) => {
      // Rows of one label are split at their own median, so that both groups have rows of each label.
      const middle = isPair ? 0 : medianOf(indices.map((index) => lengths[index] as number));
      return indices.flatMap((index): GroupedVerdict[] => {
        const positiveShare = shares[index];
        if (positiveShare === undefined) return [];
        return [{ stratum, isExposed: (lengths[index] as number) > middle, positiveShare }];
      });
    });
    const found = stratifiedDifference(verdicts);
    if (!found) return skipped('length', 'all texts with one label of people have the same length');
    const what = isPair ? 'the longer of two texts' : 'a long text';
    return effectFinding('length', found, {
      up: `Of rows that people call the same, it says ${positive} more often to ${what}`,
      down: `Of rows that people call the same, it says ${positive} less often to ${what}`,
      none: 'Length has no clear effect among rows that people call the same',
    });
  },
  async formatting(run) {
    const { evaluator, positive } = run;
    const plain = await run.ask(evaluator, run.vary(toPlain));
    const marked = await run.ask(evaluator, run.vary(toMarked));
    return run.compare('formatting', plain, marked, {
      up: `With headings and lists around the same words, it says ${positive} more often`,
      down: `With headings and lists around the same words, it says ${positive} less often`,
      none: 'Headings and lists have no clear effect',
    });
  },
  async 'own family'(run) {
    const { evaluator, positive, people, models } = run;
    const { name } = toModel(evaluator.model);
    const own = familyOf(name);
    if (own === undefined) return skipped('own family', `the family of the judge's model ${name} is unknown`);
    const verdicts = (await run.positiveShares()).flatMap((positiveShare, index): GroupedVerdict[] => {
      const [stratum, model] = [people[index], models[index]];
      const family = typeof model === 'string' ? familyOf(model) : undefined;
      if (positiveShare === undefined || stratum === undefined || family === undefined) return [];
      return [{ stratum, isExposed: family === own, positiveShare }];
    });
    const found = stratifiedDifference(verdicts);
    if (!found) {
      return skipped('own family', 'no label of people has rows of this family and of another one with a known model');
    }
    return effectFinding('own family', found, {
      up: `Of rows that people call the same, it says ${positive} more often to texts of ${own}, its own family`,
      down: `Of rows that people call the same, it says ${positive} less often to texts of ${own}, its own family`,
      none: `Texts of ${own}, its own family, have no clear advantage`,
    });
  },
  /** The instruction asks for the positive label; a judge that reads it as material may also punish it. */
  async instructions(run) {
    const { evaluator, positive } = run;
    const verdicts = await run.ask(
      evaluator,
      run.vary((text) => withInstruction(text, positive)),
    );
    return run.compare('instructions', await run.base(), verdicts, {
      up: `An instruction that is hidden in the text makes it say ${positive} more often`,
      down: `A text with a hidden instruction gets ${positive} less often`,
      none: 'An instruction that is hidden in the text has no clear effect',
    });
  },
} satisfies Record<string, Check>;

export type BiasCheck = keyof typeof CHECKS;

/** Names of the checks, in the order of a report. */
export const BIAS_CHECKS = Object.keys(CHECKS) as readonly BiasCheck[];

/**
 * Asks a judge about variants of rows that must not change its verdict, and compares. A few hundred rows show a bias of ten points.
 * `labels reversed`, `labels renamed`, `instructions` and `repetition` ask about all rows once more each, `formatting` twice. With
 * `repetition`, both verdicts on a row count in `length` and `own family`.
 *
 * @throws {InputError} if a row lacks a field, or a check is unknown
 */
export async function checkBiases(
  evaluator: ClassificationEvaluator<EvalRecord>,
  data: RowSource<EvalRecord>,
  { checks = BIAS_CHECKS, ...options }: BiasOptions & { readonly checks?: readonly BiasCheck[] } = {},
): Promise<BiasReport> {
  if (!(evaluator instanceof ClassificationEvaluator)) {
    throw new ArgumentError('Expected an evaluator that chooses labels by a model, such as a ready-made judge.');
  }
  const unknown = checks.find((check) => !BIAS_CHECKS.includes(check));
  if (unknown !== undefined) {
    throw new ArgumentError(`There is no check ${String(unknown)}; expected some of ${BIAS_CHECKS.join(', ')}.`);
  }
  const run = await BiasRun.open(evaluator, data, options);
  const findings: BiasFinding[] = [];
  for (const check of BIAS_CHECKS) if (checks.includes(check)) findings.push(await CHECKS[check](run));
  const { field, positive, rows } = run;
  return new BiasReport({
    ...{ evaluator: evaluator.name, field, positive, count: rows.length },
    findings: correctFindings(findings),
  });
}

/** The evaluator with its choices in the opposite order: the model sees them in the schema of the answer. */
function withReversedChoices(evaluator: ClassificationEvaluator<EvalRecord>): ClassificationEvaluator<EvalRecord> {
  const choiceList = [...toChoices(evaluator.choices)].reverse();
  return Object.assign(evaluator.bindInputMapping({}), { choiceList });
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}
