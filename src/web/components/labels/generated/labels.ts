// Made by scripts/generate-web-types.mjs from ../labels.graphql.

import type { Operation } from '../../../data/operation.ts';

export type AllDatasetLabelsData = { readonly datasetLabels: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly description: string | null; readonly color: string; readonly usageCount: number } })[] } };

export type AllDatasetLabelsVariables = { readonly after?: string | null };

export const allDatasetLabels: Operation<AllDatasetLabelsData, AllDatasetLabelsVariables> = {
  name: 'allDatasetLabels',
  text: "query allDatasetLabels($after:String){datasetLabels(first:100 after:$after){pageInfo{hasNextPage endCursor}edges{node{id name description color usageCount}}}}",
};

export type AllSplitsData = { readonly datasetSplits: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly description: string | null; readonly color: string } })[] } };

export type AllSplitsVariables = { readonly after?: string | null };

export const allSplits: Operation<AllSplitsData, AllSplitsVariables> = {
  name: 'allSplits',
  text: "query allSplits($after:String){datasetSplits(first:100 after:$after){pageInfo{hasNextPage endCursor}edges{node{id name description color}}}}",
};

export type AllPromptLabelsData = { readonly promptLabels: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly description: string | null; readonly color: string | null; readonly usageCount: number } })[] } };

export type AllPromptLabelsVariables = { readonly after?: string | null };

export const allPromptLabels: Operation<AllPromptLabelsData, AllPromptLabelsVariables> = {
  name: 'allPromptLabels',
  text: "query allPromptLabels($after:String){promptLabels(first:100 after:$after){pageInfo{hasNextPage endCursor}edges{node{id name description color usageCount}}}}",
};

export type CreateDatasetLabelData = { readonly createDatasetLabel: { readonly datasetLabel: { readonly id: string } } };

export type CreateDatasetLabelVariables = { readonly input: { readonly name: string; readonly description?: string | null; readonly color: string; readonly datasetIds?: readonly (string)[] | null } };

export const createDatasetLabel: Operation<CreateDatasetLabelData, CreateDatasetLabelVariables> = {
  name: 'createDatasetLabel',
  text: "mutation createDatasetLabel($input:CreateDatasetLabelInput!){createDatasetLabel(input:$input){datasetLabel{id}}}",
  access: 'member',
};

export type CreateSplitData = { readonly createDatasetSplit: { readonly datasetSplit: { readonly id: string } } };

export type CreateSplitVariables = { readonly input: { readonly name: string; readonly description?: string | null; readonly color: string; readonly metadata?: unknown | null } };

export const createSplit: Operation<CreateSplitData, CreateSplitVariables> = {
  name: 'createSplit',
  text: "mutation createSplit($input:CreateDatasetSplitInput!){createDatasetSplit(input:$input){datasetSplit{id}}}",
  access: 'member',
};

export type CreatePromptLabelData = { readonly createPromptLabel: { readonly promptLabels: readonly ({ readonly id: string })[] } };

export type CreatePromptLabelVariables = { readonly input: { readonly name: string; readonly description?: string | null; readonly color: string } };

export const createPromptLabel: Operation<CreatePromptLabelData, CreatePromptLabelVariables> = {
  name: 'createPromptLabel',
  text: "mutation createPromptLabel($input:CreatePromptLabelInput!){createPromptLabel(input:$input){promptLabels{id}}}",
  access: 'member',
};

export type PatchDatasetLabelData = { readonly patchDatasetLabel: { readonly datasetLabel: { readonly id: string } } };

export type PatchDatasetLabelVariables = { readonly input: { readonly datasetLabelId: string; readonly name?: string | null; readonly description?: string | null; readonly color?: string | null } };

export const patchDatasetLabel: Operation<PatchDatasetLabelData, PatchDatasetLabelVariables> = {
  name: 'patchDatasetLabel',
  text: "mutation patchDatasetLabel($input:PatchDatasetLabelInput!){patchDatasetLabel(input:$input){datasetLabel{id}}}",
  access: 'member',
};

export type PatchSplitData = { readonly patchDatasetSplit: { readonly datasetSplit: { readonly id: string } } };

export type PatchSplitVariables = { readonly input: { readonly datasetSplitId: string; readonly name?: string | null; readonly description?: string | null; readonly color?: string | null; readonly metadata?: unknown | null } };

export const patchSplit: Operation<PatchSplitData, PatchSplitVariables> = {
  name: 'patchSplit',
  text: "mutation patchSplit($input:PatchDatasetSplitInput!){patchDatasetSplit(input:$input){datasetSplit{id}}}",
  access: 'member',
};

export type PatchPromptLabelData = { readonly patchPromptLabel: { readonly promptLabels: readonly ({ readonly id: string })[] } };

export type PatchPromptLabelVariables = { readonly input: { readonly promptLabelId: string; readonly name?: string | null; readonly description?: string | null; readonly color?: string | null } };

export const patchPromptLabel: Operation<PatchPromptLabelData, PatchPromptLabelVariables> = {
  name: 'patchPromptLabel',
  text: "mutation patchPromptLabel($input:PatchPromptLabelInput!){patchPromptLabel(input:$input){promptLabels{id}}}",
  access: 'member',
};

export type DeleteDatasetLabelData = { readonly deleteDatasetLabels: { readonly __typename: 'DeleteDatasetLabelsMutationPayload' } };

export type DeleteDatasetLabelVariables = { readonly id: string };

export const deleteDatasetLabel: Operation<DeleteDatasetLabelData, DeleteDatasetLabelVariables> = {
  name: 'deleteDatasetLabel',
  text: "mutation deleteDatasetLabel($id:ID!){deleteDatasetLabels(input:{datasetLabelIds:[$id]}){__typename}}",
  access: 'member',
};

export type DeleteSplitData = { readonly deleteDatasetSplits: { readonly __typename: 'DeleteDatasetSplitsMutationPayload' } };

export type DeleteSplitVariables = { readonly id: string };

export const deleteSplit: Operation<DeleteSplitData, DeleteSplitVariables> = {
  name: 'deleteSplit',
  text: "mutation deleteSplit($id:ID!){deleteDatasetSplits(input:{datasetSplitIds:[$id]}){__typename}}",
  access: 'member',
};

export type DeletePromptLabelData = { readonly deletePromptLabels: { readonly __typename: 'PromptLabelDeleteMutationPayload' } };

export type DeletePromptLabelVariables = { readonly id: string };

export const deletePromptLabel: Operation<DeletePromptLabelData, DeletePromptLabelVariables> = {
  name: 'deletePromptLabel',
  text: "mutation deletePromptLabel($id:ID!){deletePromptLabels(input:{promptLabelIds:[$id]}){__typename}}",
  access: 'member',
};

export type SetDatasetLabelsData = { readonly setDatasetLabels: { readonly __typename: 'SetDatasetLabelsMutationPayload' } };

export type SetDatasetLabelsVariables = { readonly id: string; readonly labelIds: readonly (string)[] };

export const setDatasetLabels: Operation<SetDatasetLabelsData, SetDatasetLabelsVariables> = {
  name: 'setDatasetLabels',
  text: "mutation setDatasetLabels($id:ID!$labelIds:[ID!]!){setDatasetLabels(input:{datasetId:$id datasetLabelIds:$labelIds}){__typename}}",
  access: 'member',
};

export type AddPromptLabelsData = { readonly setPromptLabels: { readonly __typename: 'PromptLabelAssociationMutationPayload' } };

export type AddPromptLabelsVariables = { readonly id: string; readonly labelIds: readonly (string)[] };

export const addPromptLabels: Operation<AddPromptLabelsData, AddPromptLabelsVariables> = {
  name: 'addPromptLabels',
  text: "mutation addPromptLabels($id:ID!$labelIds:[ID!]!){setPromptLabels(input:{promptId:$id promptLabelIds:$labelIds}){__typename}}",
  access: 'member',
};

export type RemovePromptLabelsData = { readonly unsetPromptLabels: { readonly __typename: 'PromptLabelAssociationMutationPayload' } };

export type RemovePromptLabelsVariables = { readonly id: string; readonly labelIds: readonly (string)[] };

export const removePromptLabels: Operation<RemovePromptLabelsData, RemovePromptLabelsVariables> = {
  name: 'removePromptLabels',
  text: "mutation removePromptLabels($id:ID!$labelIds:[ID!]!){unsetPromptLabels(input:{promptId:$id promptLabelIds:$labelIds}){__typename}}",
  access: 'member',
};
