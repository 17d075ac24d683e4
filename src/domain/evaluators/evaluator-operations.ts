import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { bindBuiltIn, bindLlm, changeBuiltIn, changeLlm } from './bind-evaluators.ts';
import { deleteLlmEvaluators, unbindEvaluators } from './delete-evaluators.ts';

/** Reads that need no rule. */
const QUERIES = [
  'findRefs',
  'count',
  'listBuiltInIds',
  'findLlm',
  'findBuiltIn',
  'findBound',
  'findOfDatasets',
  'countOfDatasets',
  'findBindings',
  'findOfExperiments',
] as const;

const OPERATIONS = {
  bindBuiltIn,
  bindLlm,
  changeBuiltIn,
  changeLlm,
  unbind: unbindEvaluators,
  deleteLlm: deleteLlmEvaluators,
};

/** All operations of API layers on evaluators and their bindings to datasets. */
export const createEvaluatorOperations = (ports: Ports) => ({
  ...pick(ports.evaluators, ...QUERIES),
  ...bindToPorts(ports, OPERATIONS),
});

export type EvaluatorOperations = ReturnType<typeof createEvaluatorOperations>;
