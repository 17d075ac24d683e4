import { ConfirmDialog } from '../../components/Dialog.tsx';
import { toast } from '../../components/toasts.tsx';
import { send } from '../../data/request.ts';
import { useChange } from '../../data/use-change.ts';
import { useQuery } from '../../data/use-query.ts';
import { formatCount } from '../../format/numbers.ts';
import type { DatasetRow } from './dataset-row.ts';
import { type DatasetContentsData, datasetContents, deleteDataset } from './generated/datasets.ts';

interface DeleteDatasetProps {
  readonly dataset: Pick<DatasetRow, 'id' | 'name'>;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Deletes a dataset after saying how much is deleted with it. */
export function DeleteDataset({ dataset: { id, name }, onClose, onDeleted }: DeleteDatasetProps) {
  const change = useChange();
  const { data, failure } = useQuery(datasetContents, { id });
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      isOpen
      onClose={onClose}
      consequence={
        <>
          {data
            ? describe(data)
            : failure
              ? 'This deletes the dataset with its examples, versions and experiments.'
              : 'Counting…'}{' '}
          You cannot undo it.
        </>
      }
      action="Delete dataset"
      isBusy={change.isBusy || (!data && !failure)}
      problem={change.problem}
      onConfirm={() =>
        void change.run(
          () => send(deleteDataset, { id }),
          () => {
            toast(`${name} deleted.`);
            onClose();
            onDeleted();
          },
        )
      }
    />
  );
}

function describe({ node }: DatasetContentsData): string {
  if (node.__typename !== 'Dataset') return 'The dataset does not exist any more.';
  const examples = `This deletes the dataset with its ${plural(node.exampleCount, 'example')} and all versions.`;
  if (node.experimentCount === 0) return `${examples} It has no experiments.`;
  const runCount = node.experiments.edges.reduce((sum, { node: { runCount: count } }) => sum + count, 0);
  return `${examples} Its ${plural(node.experimentCount, 'experiment')} with ${plural(runCount, 'run')} and their traces are deleted, too.`;
}

const plural = (count: number, noun: string): string => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
