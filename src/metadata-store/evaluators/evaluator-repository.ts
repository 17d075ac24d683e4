import { type BoundToDatabase, bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { bindLlmEvaluator, bindStoredEvaluator, updateLlmBinding, updateStoredBinding } from './bind-evaluators.ts';
import { syncBuiltInEvaluators } from './builtin-evaluators.ts';
import {
  addCodeVersion,
  createCodeEvaluator,
  findCodeEvaluators,
  findCodeVersionIds,
  findCodeVersions,
  updateCodeEvaluator,
} from './code-evaluators.ts';
import {
  countEvaluatorsOfDatasets,
  findBindingsOfEvaluators,
  findDatasetEvaluators,
  findEvaluatorsOfDatasets,
  findEvaluatorsOfExperiments,
} from './dataset-evaluators.ts';
import { deleteAuthoredEvaluators, deleteDatasetEvaluators } from './delete-evaluators.ts';
import { findAnnotationPairs, findRecentResults } from './evaluator-results.ts';
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
  findCode: findCodeEvaluators,
  findCodeVersions,
  findCodeVersionIds,
  createCode: createCodeEvaluator,
  updateCode: updateCodeEvaluator,
  addCodeVersion,
  syncBuiltIn: syncBuiltInEvaluators,
  findBound: findDatasetEvaluators,
  findOfDatasets: findEvaluatorsOfDatasets,
  countOfDatasets: countEvaluatorsOfDatasets,
  findBindings: findBindingsOfEvaluators,
  findOfExperiments: findEvaluatorsOfExperiments,
  bindStored: bindStoredEvaluator,
  bindLlm: bindLlmEvaluator,
  updateStored: updateStoredBinding,
  updateLlm: updateLlmBinding,
  findRecentResults,
  findAnnotationPairs,
  unbind: deleteDatasetEvaluators,
  deleteAuthored: deleteAuthoredEvaluators,
};

/** The repository of evaluators and their bindings to datasets, each function with its database bound. */
export type EvaluatorRepository = BoundToDatabase<typeof FUNCTIONS>;
export const evaluatorRepository = (db: Db): EvaluatorRepository => bindToDatabase(db, FUNCTIONS);
