import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { measureAgreement } from './agreement/measure-agreement.ts';
import { bindBuiltIn, bindLlm, changeBuiltIn, changeLlm } from './bind-evaluators.ts';
import { bindCode, changeCode } from './code/bind-code-evaluators.ts';
import { addCodeVersion, createCodeEvaluator, patchCodeEvaluator, readInputs } from './code/change-code-evaluators.ts';
import { deleteAuthoredEvaluators, unbindEvaluators } from './delete-evaluators.ts';
import { listJudgeTemplates } from './judge-templates.ts';
import { previewEvaluators } from './preview-evaluators.ts';
import { previewInputs } from './preview-inputs.ts';

/** Reads that need no rule. */
const QUERIES = [
  'findRefs',
  'count',
  'listBuiltInIds',
  'findLlm',
  'findBuiltIn',
  'findCode',
  'findCodeVersions',
  'findCodeVersionIds',
  'findBound',
  'findOfDatasets',
  'countOfDatasets',
  'findBindings',
  'findOfExperiments',
  'findRecentResults',
] as const;

const OPERATIONS = {
  bindBuiltIn,
  bindLlm,
  changeBuiltIn,
  changeLlm,
  unbind: unbindEvaluators,
  deleteAuthored: deleteAuthoredEvaluators,
  bindCode,
  changeCode,
  createCode: createCodeEvaluator,
  patchCode: patchCodeEvaluator,
  addCodeVersion,
  measureAgreement,
  readCodeInputs: readInputs,
  previewInputs,
  previewEvaluators,
  listJudgeTemplates,
};

/** All operations of API layers on evaluators and their bindings to datasets. */
export const createEvaluatorOperations = (ports: Ports) => ({
  ...pick(ports.evaluators, ...QUERIES),
  ...bindToPorts(ports, OPERATIONS),
});

export type EvaluatorOperations = ReturnType<typeof createEvaluatorOperations>;
