import type { DatasetTabProps } from '../dataset-tabs.ts';
import { ExperimentPage } from './details/ExperimentPage.tsx';
import { ExperimentsTable } from './ExperimentsTable.tsx';
import './experiments.css';

/** The experiments of a dataset, or one of them. */
export function ExperimentsTab({ dataset, itemId, onChange }: DatasetTabProps) {
  if (itemId !== undefined) return <ExperimentPage key={itemId} datasetId={dataset.id} experimentId={itemId} />;
  return <ExperimentsTable dataset={dataset} onChange={onChange} />;
}
