import { describeType, InputError } from '../../errors.ts';
import type { EvaluateOptions, OptimizationDirection } from '../../evaluators/evaluator-base.ts';
import { createEvaluator, type FunctionEvaluator } from '../../evaluators/function-evaluator.ts';
import type { EvalRecord, InputMapping } from '../../evaluators/input-mapping.ts';
import type { Telemetry } from '../../evaluators/telemetry.ts';
import { ownValue } from '../../own-value.ts';
import type { EvaluationResult } from '../../scores/score.ts';
import { EXPLAINED_CHARS_MAX } from '../limits.ts';

/** What every code metric takes. */
export interface CodeMetricOptions {
  /** Replaces the name of the metric. */
  readonly name?: string;
  readonly optimizationDirection?: OptimizationDirection | 'NEUTRAL';
  readonly inputMapping?: InputMapping;
  readonly telemetry?: Telemetry;
}

export type CodeMetric = FunctionEvaluator<EvalRecord>;

interface Definition {
  readonly name: string;
  readonly direction?: OptimizationDirection;
  /** Settings that change scores: they are part of the identity of the evaluator. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly measure: (record: EvalRecord, options: EvaluateOptions) => EvaluationResult | Promise<EvaluationResult>;
}

/** An evaluator without a model. */
export function defineMetric(options: CodeMetricOptions, definition: Definition): CodeMetric {
  const { name, direction = 'MAXIMIZE', settings = {}, measure } = definition;
  const { inputMapping, telemetry } = options;
  return createEvaluator<EvalRecord>(measure, {
    name: options.name ?? name,
    optimizationDirection: options.optimizationDirection ?? direction,
    version: `${name} ${JSON.stringify(settings)}`,
    ...(inputMapping && { inputMapping }),
    ...(telemetry && { telemetry }),
  });
}

/** A field of a row. @throws {InputError} when the row does not have it */
export function readField(record: EvalRecord, name: string): unknown {
  const value = ownValue(record, name);
  if (value !== undefined) return value;
  const names = Object.keys(record).slice(0, 20).join(', ');
  throw new InputError(
    `The field ${name} is missing in the row, which has ${names || 'no fields'}; map it with an input mapping.`,
  );
}

/** A text of a row. Numbers and booleans are converted. @throws {InputError} */
export function readText(record: EvalRecord, name: string): string {
  const value = readField(record, name);
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new InputError(
    `Expected a text as ${name}, received ${describeType(value)}. Convert it with an input mapping.`,
  );
}

export function readList(record: EvalRecord, name: string): readonly unknown[] {
  const value = readField(record, name);
  if (Array.isArray(value)) return value;
  throw new InputError(`Expected a list as ${name}, received ${describeType(value)}.`);
}

/** 1 and `True`, or 0 and `False`. */
export const toVerdict = (isMatch: boolean, explanation: string): EvaluationResult => ({
  score: isMatch ? 1 : 0,
  label: isMatch ? 'True' : 'False',
  explanation,
});

/** A text in quotation marks, cut at a limit. */
export const quote = (text: string): string =>
  `"${text.slice(0, EXPLAINED_CHARS_MAX)}${text.length > EXPLAINED_CHARS_MAX ? '…' : ''}"`;
