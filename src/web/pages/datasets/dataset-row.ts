import type { DatasetListData } from './generated/datasets.ts';

/** A dataset in the list. */
export type DatasetRow = DatasetListData['datasets']['edges'][number]['node'];

export const datasetPath = ({ id }: Pick<DatasetRow, 'id'>): string => `/datasets/${encodeURIComponent(id)}`;
