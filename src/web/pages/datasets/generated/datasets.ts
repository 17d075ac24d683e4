// Made by scripts/generate-web-types.mjs from ../datasets.graphql.

import type { Operation } from '../../../data/operation.ts';

export type DatasetListData = { readonly datasets: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly description: string | null; readonly metadata: unknown; readonly createdAt: string; readonly lastUpdatedAt: string | null; readonly exampleCount: number; readonly experimentCount: number; readonly evaluatorCount: number; readonly createdBy: { readonly username: string } | null; readonly updatedBy: { readonly username: string } | null; readonly labels: readonly ({ readonly id: string; readonly name: string; readonly description: string | null; readonly color: string })[] } })[] } };

export type DatasetListVariables = { readonly first: number; readonly after?: string | null; readonly sort?: { readonly col: 'createdAt' | 'name'; readonly dir: 'asc' | 'desc' } | null; readonly filter?: { readonly col?: 'name' | null; readonly value?: string | null; readonly filterLabels?: readonly (string)[] | null } | null };

export const datasetList: Operation<DatasetListData, DatasetListVariables> = {
  name: 'datasetList',
  text: "query datasetList($first:Int!$after:String$sort:DatasetSort$filter:DatasetFilter){datasets(first:$first after:$after sort:$sort filter:$filter){pageInfo{hasNextPage endCursor}edges{node{id name description metadata createdAt lastUpdatedAt exampleCount experimentCount evaluatorCount createdBy{username}updatedBy{username}labels{id name description color}}}}}",
};

export type DatasetContentsData = { readonly node: { readonly __typename: 'Dataset'; readonly id: string; readonly exampleCount: number; readonly experimentCount: number; readonly experiments: { readonly edges: readonly ({ readonly node: { readonly runCount: number } })[] } } | { readonly __typename: 'another' } };

export type DatasetContentsVariables = { readonly id: string };

export const datasetContents: Operation<DatasetContentsData, DatasetContentsVariables> = {
  name: 'datasetContents',
  text: "query datasetContents($id:ID!){node(id:$id){__typename ...on Dataset{id exampleCount experimentCount(includeEphemeral:true)experiments(first:1000 includeEphemeral:true){edges{node{runCount}}}}}}",
};

export type CreateDatasetData = { readonly createDataset: { readonly dataset: { readonly id: string } } };

export type CreateDatasetVariables = { readonly input: { readonly name: string; readonly description?: string | null; readonly metadata?: unknown | null } };

export const createDataset: Operation<CreateDatasetData, CreateDatasetVariables> = {
  name: 'createDataset',
  text: "mutation createDataset($input:CreateDatasetInput!){createDataset(input:$input){dataset{id}}}",
  access: 'member',
};

export type PatchDatasetData = { readonly patchDataset: { readonly dataset: { readonly id: string } } };

export type PatchDatasetVariables = { readonly input: { readonly datasetId: string; readonly name?: string | null; readonly description?: string | null; readonly metadata?: unknown | null } };

export const patchDataset: Operation<PatchDatasetData, PatchDatasetVariables> = {
  name: 'patchDataset',
  text: "mutation patchDataset($input:PatchDatasetInput!){patchDataset(input:$input){dataset{id}}}",
  access: 'member',
};

export type DeleteDatasetData = { readonly deleteDataset: { readonly __typename: 'DatasetMutationPayload' } };

export type DeleteDatasetVariables = { readonly id: string };

export const deleteDataset: Operation<DeleteDatasetData, DeleteDatasetVariables> = {
  name: 'deleteDataset',
  text: "mutation deleteDataset($id:ID!){deleteDataset(input:{datasetId:$id}){__typename}}",
  access: 'member',
};
