import { labelsOf, positiveLabel, type RunOptions } from '../calibration/calibrate.ts';
import { BadRow } from '../data/bad-row.ts';
import { openRows, type RowSource } from '../data/open-rows.ts';
import { InputError } from '../errors.ts';
import type { ClassificationEvaluator } from '../evaluators/classification-evaluator.ts';
import { type EvalRecord, mapInput, requireFields } from '../evaluators/input-mapping.ts';
import { JudgeEvaluator, toCamelCase } from '../metrics/judges/judge-evaluator.ts';
import { PreferenceEvaluator } from '../metrics/judges/preference-evaluator.ts';
import { ownValue } from '../own-value.ts';
import { evaluate } from '../runner/evaluation-run.ts';
import { majorityOf } from '../statistics/people-agreement.ts';
import { toText } from '../templates/format-template.ts';
import { type BiasFinding, type EffectWords, pairedFinding } from './finding.ts';

export interface BiasOptions {
  /** The field whose text is varied. `output` if the judge has it, else its last variable. */
  readonly field?: string;
  /** Field with labels of people, which `length` and `own family` need: long answers may really be better. */
  readonly labelField?: string;
  /** Field with the model that wrote the material, for `own family`. `model` by default. */
  readonly modelField?: string;
  /** The label whose rate is compared. By default the one with the highest score. */
  readonly positive?: string;
  /** Options of the runs, such as `concurrency`, `cache` and `maxCost`. */
  readonly run?: RunOptions;
}

/** Rows of one report: each is asked about up to six times. */
const ROWS_MAX = 100_000;

type Verdict = string | undefined;

/** A judge, rows that are mapped to its fields, and its verdicts on them as they are. */
export class BiasRun {
  readonly evaluator: ClassificationEvaluator<EvalRecord>;
  readonly rows: readonly EvalRecord[];
  readonly field: string;
  readonly positive: string;
  /** Labels of people, by row. */
  readonly people: readonly (string | undefined)[];
  /** Models that wrote the material, by row. */
  readonly models: readonly unknown[];
  readonly #run: RunOptions;
  #again: Promise<Verdict[]> | undefined;
  #base: Promise<{ verdicts: Verdict[]; orders: (readonly string[])[] }> | undefined;

  private constructor(
    evaluator: ClassificationEvaluator<EvalRecord>,
    given: readonly EvalRecord[],
    { field, labelField, modelField = 'model', positive, run = {} }: BiasOptions,
  ) {
    const variables = evaluator.promptTemplateVariables;
    this.field = field ?? (variables.includes('output') ? 'output' : (variables.at(-1) ?? ''));
    if (!variables.includes(this.field)) {
      throw new InputError(`${evaluator.name} has no field ${this.field}; expected one of ${variables.join(', ')}.`);
    }
    this.rows = given.map((row, index) => {
      try {
        const mapped = withCamelCaseFields(mapInput(row, evaluator.inputMapping), variables);
        requireFields(mapped, evaluator instanceof JudgeEvaluator ? variables : [this.field]);
        return mapped;
      } catch (error) {
        throw new InputError(`Row ${index}: ${(error as Error).message}`);
      }
    });
    // The rows are mapped already.
    this.evaluator = evaluator.bindInputMapping({});
    this.positive = positiveLabel(evaluator, labelsOf(evaluator), positive);
    this.people = given.map((row) => toLabel(readLabel(row, labelField)));
    this.models = given.map((row) => ownValue(row, modelField));
    this.#run = run;
  }

  static async open(
    evaluator: ClassificationEvaluator<EvalRecord>,
    data: RowSource<EvalRecord>,
    options: BiasOptions,
  ): Promise<BiasRun> {
    const rows: EvalRecord[] = [];
    for await (const row of openRows(data).rows) {
      if (row instanceof BadRow) throw row.error;
      rows.push(row);
      if (rows.length > ROWS_MAX) throw new InputError(`There are over ${ROWS_MAX} rows; give a part of them.`);
    }
    if (rows.length === 0) throw new InputError('There are no rows; a check needs some hundred.');
    return new BiasRun(evaluator, rows, options);
  }

  /** A verdict for each row. Undefined where the judge failed. */
  async ask(evaluator: ClassificationEvaluator<EvalRecord>, rows: readonly EvalRecord[]): Promise<Verdict[]> {
    return (await this.#evaluate(evaluator, rows)).map((score) => score?.label);
  }

  async #evaluate(evaluator: ClassificationEvaluator<EvalRecord>, rows: readonly EvalRecord[], repetition?: number) {
    // Each question has a run of its own, so a checkpoint of one would be that of others.
    const { checkpoint: _, ...run } = this.#run;
    const repeated = repetition === undefined ? {} : { repetition };
    const evaluated = await evaluate({ ...run, ...repeated, data: rows, evaluators: [evaluator] });
    return evaluated.rows.map(({ scores }) => scores[evaluator.name] ?? undefined);
  }

  /** Verdicts on the rows as they are. */
  async base(): Promise<Verdict[]> {
    return (await this.#askBase()).verdicts;
  }

  /** Verdicts of a judge that compares, by order, where both exist. */
  async orders(): Promise<(readonly string[])[]> {
    return (await this.#askBase()).orders;
  }

  #askBase() {
    this.#base ??= this.#evaluate(this.evaluator, this.rows).then((scores) => ({
      verdicts: scores.map((score) => score?.label),
      orders: scores.flatMap((score) => {
        const orders = score?.metadata?.orders;
        return Array.isArray(orders) ? [orders.map(String)] : [];
      }),
    }));
    return this.#base;
  }

  /** The verdicts of a second time, which a cache keeps apart from the first. */
  again(): Promise<Verdict[]> {
    this.#again ??= this.#evaluate(this.evaluator, this.rows, 1).then((scores) => scores.map((score) => score?.label));
    return this.#again;
  }

  /** Shares of positive verdicts by row, over both times if it was asked again. Undefined for a row without a verdict. */
  async positiveShares(): Promise<(number | undefined)[]> {
    const [base, again = []] = [await this.base(), await this.#again];
    return base.map((first, index) => {
      const known = [first, again[index]].filter((verdict) => verdict !== undefined);
      return known.length === 0
        ? undefined
        : known.filter((verdict) => verdict === this.positive).length / known.length;
    });
  }

  /** Rows with another text in the varied field. */
  vary(change: (text: string) => string): EvalRecord[] {
    return this.rows.map((row) => ({ ...row, [this.field]: change(toText(row[this.field])) }));
  }

  /** The change of the rate of positive verdicts from one list to another. */
  compare(check: string, before: readonly Verdict[], after: readonly Verdict[], words: EffectWords): BiasFinding {
    let [ups, downs, count] = [0, 0, 0];
    for (const [index, first] of before.entries()) {
      const second = after[index];
      if (first === undefined || second === undefined) continue;
      count++;
      if (second === this.positive && first !== this.positive) ups++;
      if (first === this.positive && second !== this.positive) downs++;
    }
    return pairedFinding(check, { ups, downs, count }, words);
  }

  /** Length of the varied text; of a judge that compares, how much longer the first text is. */
  lengthOf(row: EvalRecord): number {
    const { evaluator } = this;
    if (!isComparing(evaluator)) return toText(row[this.field]).length;
    const [first, second] = (evaluator.judge.swap?.variables ?? []).map(
      (name) => toText(row[toCamelCase(name)]).length,
    );
    return (first ?? 0) - (second ?? 0);
  }
}

export const isComparing = (evaluator: ClassificationEvaluator<EvalRecord>): evaluator is PreferenceEvaluator =>
  evaluator instanceof PreferenceEvaluator;

export const isOwnPrompt = (evaluator: ClassificationEvaluator<EvalRecord>): boolean =>
  !(evaluator instanceof JudgeEvaluator) || evaluator.metadata.version === undefined;

/** Fields as the prompt names them: rows may have them with underscores. */
function withCamelCaseFields(row: EvalRecord, variables: readonly string[]): EvalRecord {
  const added = Object.entries(row).flatMap(([name, value]) => {
    const camel = toCamelCase(name);
    return camel !== name && variables.includes(camel) && !Object.hasOwn(row, camel) ? [[camel, value]] : [];
  });
  return { ...row, ...Object.fromEntries(added) };
}

const readLabel = (row: EvalRecord, field: string | undefined): unknown =>
  field === undefined ? (ownValue(row, 'humanLabel') ?? ownValue(row, 'human_label')) : ownValue(row, field);

function toLabel(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (typeof value !== 'object' || value === null) return undefined;
  return majorityOf(Object.values(value).filter((label): label is string => typeof label === 'string' && label !== ''));
}
