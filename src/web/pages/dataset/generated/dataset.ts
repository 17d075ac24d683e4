// Made by scripts/generate-web-types.mjs from ../dataset.graphql.

import type { Operation } from '../../../data/operation.ts';

export type DatasetHeadData = { readonly node: { readonly __typename: 'Dataset'; readonly id: string; readonly name: string; readonly description: string | null; readonly metadata: unknown; readonly exampleCount: number; readonly experimentCount: number; readonly labels: readonly ({ readonly id: string; readonly name: string; readonly color: string })[] } | { readonly __typename: 'another' } };

export type DatasetHeadVariables = { readonly id: string };

export const datasetHead: Operation<DatasetHeadData, DatasetHeadVariables> = {
  name: 'datasetHead',
  text: "query datasetHead($id:ID!){node(id:$id){__typename ...on Dataset{id name description metadata exampleCount experimentCount labels{id name color}}}}",
};
