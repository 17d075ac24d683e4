import { RowError } from '../../../model/row-error.ts';
import type { Ports } from '../../ports.ts';

/** Checks that evaluators are bound to the dataset. @throws {SpandrelError} `DATASET_EVALUATOR_NOT_FOUND` */
export async function bindingsOf(
  { evaluators }: Pick<Ports, 'evaluators'>,
  datasetRowId: number,
  rowIds: readonly number[],
): Promise<void> {
  const found = rowIds.length === 0 ? new Map() : await evaluators.findBound(rowIds);
  const absent = rowIds.filter((rowId) => found.get(rowId)?.datasetRowId !== datasetRowId);
  if (absent.length === 0) return;
  throw new RowError(
    'DATASET_EVALUATOR_NOT_FOUND',
    'DatasetEvaluator',
    absent,
    (ids) => `DatasetEvaluator with ID ${ids} not found`,
  );
}
