import type { LazyComponent } from '../../components/lazy.tsx';
import type { DatasetHead } from './dataset-head.ts';

export interface DatasetTabProps {
  readonly dataset: DatasetHead;
  /** ID of the open experiment, example or evaluator. */
  readonly itemId: string | undefined;
  /** Reads name, labels and counts again after a change. */
  readonly onChange: () => void;
}

export interface DatasetTab {
  /** Segment of the address. */
  readonly id: string;
  readonly label: string;
  readonly Tab: LazyComponent<DatasetTabProps>;
}

/** Address of a tab of a dataset, or of an item of a tab. */
export const tabPath = (datasetId: string, ...rest: readonly string[]): string =>
  `/${['datasets', datasetId, ...rest].map(encodeURIComponent).join('/')}`;
