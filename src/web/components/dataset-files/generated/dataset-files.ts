// Made by scripts/generate-web-types.mjs from ../dataset-files.graphql.

import type { Operation } from '../../../data/operation.ts';

export type LatestDatasetVersionData = { readonly node: { readonly __typename: 'Dataset'; readonly id: string; readonly versions: { readonly edges: readonly ({ readonly node: { readonly id: string } })[] } } | { readonly __typename: 'another' } };

export type LatestDatasetVersionVariables = { readonly id: string };

export const latestDatasetVersion: Operation<LatestDatasetVersionData, LatestDatasetVersionVariables> = {
  name: 'latestDatasetVersion',
  text: "query latestDatasetVersion($id:ID!){node(id:$id){__typename ...on Dataset{id versions(first:1){edges{node{id}}}}}}",
};

export type DatasetOfNameData = { readonly datasets: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly exampleCount: number } })[] } };

export type DatasetOfNameVariables = { readonly name: string };

export const datasetOfName: Operation<DatasetOfNameData, DatasetOfNameVariables> = {
  name: 'datasetOfName',
  text: "query datasetOfName($name:String!){datasets(first:200 filter:{col:name value:$name}){edges{node{id name exampleCount}}}}",
};
