import type { BuiltInEvaluator, DatasetEvaluator, LlmEvaluator } from '../../../model/evaluators/evaluator.ts';
import type { Domain } from '../../../domain/domain.ts';
import type { BatchLoader, NewLoader } from '../execution/batch-loader.ts';

/** Keys are row ids of the loader's noun. */
export interface EvaluatorLoaders {
  readonly llmEvaluators: BatchLoader<number, LlmEvaluator>;
  readonly builtInEvaluators: BatchLoader<number, BuiltInEvaluator>;
  readonly datasetEvaluators: BatchLoader<number, DatasetEvaluator>;
  /** Evaluators of each dataset by name. */
  readonly evaluatorsOfDatasets: BatchLoader<number, DatasetEvaluator[]>;
  readonly evaluatorCountsOfDatasets: BatchLoader<number, number>;
  readonly bindingsOfEvaluators: BatchLoader<number, readonly { rowId: number; datasetRowId: number }[]>;
  /** Row ids of bindings, by name. */
  readonly evaluatorsOfExperiments: BatchLoader<number, number[]>;
}

/** Mappings may be long. */
const BINDING_COUNT_MAX = 200;
/** Maximum number of datasets whose bindings are read at once. */
const DATASET_COUNT_MAX = 50;

export function createEvaluatorLoaders(newLoader: NewLoader, evaluators: Domain['evaluators']): EvaluatorLoaders {
  const datasetEvaluators = newLoader<number, DatasetEvaluator>(
    (rowIds) => evaluators.findBound(rowIds),
    BINDING_COUNT_MAX,
  );
  return {
    llmEvaluators: newLoader((rowIds) => evaluators.findLlm(rowIds)),
    builtInEvaluators: newLoader((rowIds) => evaluators.findBuiltIn(rowIds)),
    datasetEvaluators,
    evaluatorsOfDatasets: newLoader(async (rowIds) => {
      const found = await evaluators.findOfDatasets(rowIds);
      for (const list of found.values()) for (const one of list) datasetEvaluators.prime(one.rowId, one);
      return found;
    }, DATASET_COUNT_MAX),
    evaluatorCountsOfDatasets: newLoader((rowIds) => evaluators.countOfDatasets(rowIds)),
    bindingsOfEvaluators: newLoader((rowIds) => evaluators.findBindings(rowIds)),
    evaluatorsOfExperiments: newLoader((rowIds) => evaluators.findOfExperiments(rowIds)),
  };
}
