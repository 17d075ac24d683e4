import type { EvaluatorBase } from './evaluator-base.ts';
import type { InputMapping } from './input-mapping.ts';

/**
 * A new evaluator that reads its fields from where the mapping says: a key of the row, a JSONPath, or a function of the row.
 * The own fields of a row stay.
 */
export const bindEvaluator = <RecordType, Evaluator extends EvaluatorBase<never>>(
  evaluator: Evaluator,
  { inputMapping }: { readonly inputMapping: InputMapping<RecordType> },
): Evaluator => evaluator.bindInputMapping(inputMapping as never);
