import { bindingPath } from './forms/form-paths.ts';
import type { DatasetEvaluatorListData, EvaluatorListData } from './generated/evaluators.ts';

/** An evaluator of a dataset. */
export type DatasetEvaluator = Extract<
  DatasetEvaluatorListData['node'],
  { readonly __typename: 'Dataset' }
>['datasetEvaluators']['edges'][number]['node'];

type ListedEvaluator = EvaluatorListData['evaluators']['edges'][number]['node'];

/** A row of the table: an evaluator of a dataset, or the head of the datasets of an evaluator below it. */
export type EvaluatorRow = DatasetEvaluator | (ListedEvaluator & { readonly isHead: true });

export const isHead = (row: EvaluatorRow): row is ListedEvaluator & { readonly isHead: true } => 'isHead' in row;

/** Each evaluator, followed by its uses. */
export const toRows = (evaluators: readonly ListedEvaluator[]): EvaluatorRow[] =>
  evaluators.flatMap((evaluator): EvaluatorRow[] => [{ ...evaluator, isHead: true }, ...evaluator.datasetEvaluators]);

export function kindOf(row: EvaluatorRow): string {
  const type = isHead(row) ? row.__typename : row.evaluator.__typename;
  return type === 'LLMEvaluator' ? 'LLM' : type === 'CodeEvaluator' ? 'Code' : 'Built-in';
}

/** An evaluator on a page of its dataset. */
export const evaluatorPath = ({ id, dataset }: EvaluatorUse): string => bindingPath(dataset.id, id);

interface EvaluatorUse {
  readonly id: string;
  readonly dataset: { readonly id: string };
}

/** Agreement in a cell: `84% of 50, κ 0.62`, or `r 0.81 of 50`. */
export function shortAgreement({ agreement }: Pick<DatasetEvaluator, 'agreement'>): string | undefined {
  if (agreement?.labels) {
    const { share, count, kappa } = agreement.labels;
    return `${Math.round(share * 100)}% of ${count}${kappa === null ? '' : `, κ ${kappa.toFixed(2)}`}`;
  }
  if (!agreement?.scores) return undefined;
  const { correlation, count } = agreement.scores;
  return correlation === null ? `${count} ${count === 1 ? 'run' : 'runs'}` : `r ${correlation.toFixed(2)} of ${count}`;
}
