import { ArgumentError } from '../errors.ts';
import type { ModelCaller } from '../models/model.ts';
import type { EvaluationResult } from '../scores/score.ts';
import { checkMapping, type EvalRecord, type InputMapping, mapInput } from './input-mapping.ts';
import { type Telemetry, traceEvaluation } from './telemetry.ts';

export type EvaluatorKind = 'CODE' | 'LLM';

/** `NONE` is also accepted as `NEUTRAL`. */
export type OptimizationDirection = 'MAXIMIZE' | 'MINIMIZE' | 'NONE';

/** What a run passes to evaluators. */
export interface EvaluateOptions {
  /** Sends the calls of models; by default directly, with few repeats. */
  readonly caller?: ModelCaller;
  readonly signal?: AbortSignal;
  /** Number of this evaluation among repetitions of one row. */
  readonly repetition?: number;
}

export interface EvaluatorOptions<RecordType> {
  readonly name: string;
  readonly kind: EvaluatorKind;
  readonly optimizationDirection?: OptimizationDirection | 'NEUTRAL';
  readonly inputMapping?: InputMapping<RecordType>;
  readonly telemetry?: Telemetry;
}

/** A JSON description of an evaluator: equal descriptions give comparable scores. */
export type EvaluatorDescription = Readonly<Record<string, unknown>> & { readonly name: string };

/** Base of all evaluators. An evaluator is never changed: binding makes a new one. */
export abstract class EvaluatorBase<RecordType = EvalRecord> {
  readonly name: string;
  readonly kind: EvaluatorKind;
  readonly optimizationDirection: OptimizationDirection;
  readonly inputMapping: InputMapping<RecordType> | undefined;
  readonly telemetry: Telemetry | undefined;
  /** First names of the variables of the prompt; empty without a prompt. */
  readonly promptTemplateVariables: readonly string[] = [];

  constructor({
    name,
    kind,
    optimizationDirection = 'MAXIMIZE',
    inputMapping,
    telemetry,
  }: EvaluatorOptions<RecordType>) {
    if (typeof name !== 'string' || !name.trim()) throw new ArgumentError('An evaluator needs a name.');
    if (inputMapping) checkMapping(inputMapping);
    this.name = name;
    this.kind = kind;
    this.optimizationDirection = toDirection(optimizationDirection);
    this.inputMapping = inputMapping;
    this.telemetry = telemetry;
  }

  /**
   * Evaluates one row, after the input mapping.
   *
   * @throws {InputError} when the row does not fit, {AnswerError} when a model's answer cannot be used
   */
  evaluate(record: RecordType, options: EvaluateOptions = {}): Promise<EvaluationResult> {
    return traceEvaluation(
      this,
      () => mapInput(record as EvalRecord, this.inputMapping),
      (input) => this.evaluateMapped(input, options),
    );
  }

  /** What this evaluator does, without its functions' behaviour beyond their text. */
  describe(): EvaluatorDescription {
    return {
      name: this.name,
      kind: this.kind,
      optimizationDirection: this.optimizationDirection,
      ...(this.inputMapping && { inputMapping: describeMapping(this.inputMapping) }),
    };
  }

  /** A new evaluator with this input mapping in place of its own. */
  bindInputMapping(inputMapping: InputMapping<RecordType>): this {
    checkMapping(inputMapping);
    const bound = Object.create(Object.getPrototypeOf(this) as object) as this;
    return Object.assign(bound, this, { inputMapping });
  }

  protected abstract evaluateMapped(input: EvalRecord, options: EvaluateOptions): Promise<EvaluationResult>;
}

const describeMapping = (mapping: InputMapping) =>
  Object.fromEntries(Object.entries(mapping).map(([field, source]) => [field, String(source)]));

function toDirection(direction: string): OptimizationDirection {
  const upper = String(direction).toUpperCase();
  if (upper === 'NEUTRAL') return 'NONE';
  if (upper === 'MAXIMIZE' || upper === 'MINIMIZE' || upper === 'NONE') return upper;
  throw new ArgumentError(`The optimization direction is MAXIMIZE, MINIMIZE or NONE, and not "${direction}".`);
}
