import { randomUUID } from 'node:crypto';
import { ArgumentError, describeType } from '../errors.ts';
import type { EvaluationResult } from '../scores/score.ts';
import { toEvaluationResult } from '../scores/to-evaluation-result.ts';
import {
  type EvaluateOptions,
  EvaluatorBase,
  type EvaluatorDescription,
  type EvaluatorOptions,
} from './evaluator-base.ts';
import type { EvalRecord } from './input-mapping.ts';

/** Evaluates a row; may be asynchronous. What it returns is read by `toEvaluationResult`. */
export type EvaluatorFn<RecordType = EvalRecord> = (record: RecordType, options: EvaluateOptions) => unknown;

/** An evaluator of a function. */
export class FunctionEvaluator<RecordType = EvalRecord> extends EvaluatorBase<RecordType> {
  readonly #evaluateFn: EvaluatorFn<RecordType>;
  readonly #version: string | undefined;

  constructor({
    evaluateFn,
    version,
    ...options
  }: EvaluatorOptions<RecordType> & {
    readonly evaluateFn: EvaluatorFn<RecordType>;
    /** Identifies the function in checkpoints; by default its text does. */
    readonly version?: string;
  }) {
    super(options);
    if (typeof evaluateFn !== 'function')
      throw new ArgumentError(`An evaluator is made of a function, and not of ${describeType(evaluateFn)}.`);
    this.#evaluateFn = evaluateFn;
    this.#version = version;
  }

  override describe(): EvaluatorDescription {
    return { ...super.describe(), function: this.#version ?? String(this.#evaluateFn) };
  }

  override bindInputMapping(inputMapping: NonNullable<EvaluatorBase<RecordType>['inputMapping']>): this {
    const { name, kind, optimizationDirection, telemetry } = this;
    const version = this.#version;
    return new FunctionEvaluator({
      name,
      kind,
      optimizationDirection,
      inputMapping,
      evaluateFn: this.#evaluateFn,
      ...(telemetry && { telemetry }),
      ...(version !== undefined && { version }),
    }) as this;
  }

  protected override async evaluateMapped(input: EvalRecord, options: EvaluateOptions): Promise<EvaluationResult> {
    return toEvaluationResult(await this.#evaluateFn(input as RecordType, options));
  }
}

export interface CreateEvaluatorOptions<RecordType> extends Partial<EvaluatorOptions<RecordType>> {
  readonly version?: string;
}

/** An evaluator of a function. Its name is the function's, or random. */
export function createEvaluator<RecordType = EvalRecord>(
  evaluateFn: EvaluatorFn<RecordType>,
  { name, kind = 'CODE', ...options }: CreateEvaluatorOptions<RecordType> = {},
): FunctionEvaluator<RecordType> {
  const named = name ?? (evaluateFn?.name || `evaluator-${randomUUID().slice(0, 8)}`);
  return new FunctionEvaluator({ ...options, name: named, kind, evaluateFn });
}

/** A function whose results are read by the one table: a number is a score, a short text a label. */
export const asEvaluatorFn =
  <RecordType = EvalRecord>(
    evaluateFn: EvaluatorFn<RecordType>,
  ): ((record: RecordType, options?: EvaluateOptions) => Promise<EvaluationResult>) =>
  async (record, options = {}) =>
    toEvaluationResult(await evaluateFn(record, options));
