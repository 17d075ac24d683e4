import { type BoundToDatabase, bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { bindBuiltInEvaluator, bindLlmEvaluator, updateBuiltInBinding, updateLlmBinding } from './bind-evaluators.ts';
import { syncBuiltInEvaluators } from './builtin-evaluators.ts';
import {
  countEvaluatorsOfDatasets,
  findBindingsOfEvaluators,
  findDatasetEvaluators,
  findEvaluatorsOfDatasets,
  findEvaluatorsOfExperiments,
} from './dataset-evaluators.ts';
import { deleteDatasetEvaluators, deleteLlmEvaluators } from './delete-evaluators.ts';
import {
  countEvaluators,
  findBuiltInEvaluators,
  findEvaluatorRefs,
  findLlmEvaluators,
  listBuiltInIds,
} from './evaluators.ts';

const FUNCTIONS = {
  findRefs: findEvaluatorRefs,
  count: countEvaluators,
  listBuiltInIds,
  findLlm: findLlmEvaluators,
  findBuiltIn: findBuiltInEvaluators,
  syncBuiltIn: syncBuiltInEvaluators,
  findBound: findDatasetEvaluators,
  findOfDatasets: findEvaluatorsOfDatasets,
  countOfDatasets: countEvaluatorsOfDatasets,
  findBindings: findBindingsOfEvaluators,
  findOfExperiments: findEvaluatorsOfExperiments,
  bindBuiltIn: bindBuiltInEvaluator,
  bindLlm: bindLlmEvaluator,
  updateBuiltIn: updateBuiltInBinding,
  updateLlm: updateLlmBinding,
  unbind: deleteDatasetEvaluators,
  deleteLlm: deleteLlmEvaluators,
};

/** The repository of evaluators and their bindings to datasets, each function with its database bound. */
export type EvaluatorRepository = BoundToDatabase<typeof FUNCTIONS>;
export const evaluatorRepository = (db: Db): EvaluatorRepository => bindToDatabase(db, FUNCTIONS);
