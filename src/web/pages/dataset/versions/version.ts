import type { DatasetVersionsData } from './generated/versions.ts';

export type Version = Extract<
  DatasetVersionsData['node'],
  { readonly __typename: 'Dataset' }
>['versions']['edges'][number]['node'];
