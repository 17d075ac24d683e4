import { RequestFailure } from '../../data/request.ts';
import { useQuery } from '../../data/use-query.ts';
import { type DatasetHeadData, datasetHead } from './generated/dataset.ts';

export type DatasetHead = Extract<DatasetHeadData['node'], { readonly __typename: 'Dataset' }>;

/** Reads name, labels and counts of a dataset. The failure also tells that the ID does not belong to a dataset. */
export function useDatasetHead(datasetId: string) {
  const { data, failure, refetch } = useQuery(datasetHead, { id: datasetId });
  const dataset = data?.node.__typename === 'Dataset' ? data.node : undefined;
  return { dataset, failure: failure ?? (data && !dataset ? NO_DATASET : undefined), refetch };
}

const NO_DATASET = new RequestFailure(
  'notFound',
  'The dataset does not exist.',
  'The ID does not belong to a dataset. It may have been deleted.',
);
