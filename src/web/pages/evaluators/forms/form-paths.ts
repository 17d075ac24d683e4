import type { EvaluatorFormData } from './generated/forms.ts';

/** An evaluator of a dataset, as the forms read it. */
export type StoredBinding = Extract<EvaluatorFormData['node'], { readonly __typename: 'DatasetEvaluator' }>;

const join = (...parts: readonly string[]): string => `/${parts.map(encodeURIComponent).join('/')}`;

/** List of the evaluators of a dataset. */
export const evaluatorsPath = (datasetId: string): string => join('datasets', datasetId, 'evaluators');

/** Page of an evaluator of a dataset. */
export const bindingPath = (datasetId: string, bindingId: string): string =>
  join('datasets', datasetId, 'evaluators', bindingId);

export type FormKind = 'llm' | 'code' | 'built-in';

/** Form of a new evaluator of a dataset. */
export const newEvaluatorPath = (datasetId: string, kind: FormKind): string =>
  join('datasets', datasetId, 'evaluators', 'new', kind);

export const editEvaluatorPath = (datasetId: string, bindingId: string): string =>
  join('datasets', datasetId, 'evaluators', bindingId, 'edit');

export const calibrationPath = (datasetId: string, bindingId: string): string =>
  join('datasets', datasetId, 'evaluators', bindingId, 'calibration');
