// Made by scripts/generate-web-types.mjs from ../shell.graphql.

import type { Operation } from '../../data/operation.ts';

export type StorageStateData = { readonly serverStatus: { readonly insufficientStorage: boolean } };

export type StorageStateVariables = Record<string, never>;

export const storageState: Operation<StorageStateData, StorageStateVariables> = {
  name: 'storageState',
  text: "query storageState{serverStatus{insufficientStorage}}",
};

export type PaletteResourcesData = { readonly searchResources: readonly ({ readonly __typename: 'Dataset'; readonly id: string; readonly name: string } | { readonly __typename: 'Experiment'; readonly id: string; readonly name: string; readonly dataset: { readonly id: string; readonly name: string } } | { readonly __typename: 'Prompt'; readonly id: string; readonly promptName: string } | { readonly __typename: 'another' })[]; readonly evaluators: { readonly edges: readonly ({ readonly node: { readonly __typename: 'CodeEvaluator'; readonly id: string; readonly name: string } | { readonly __typename: 'LLMEvaluator'; readonly id: string; readonly name: string } | { readonly __typename: 'BuiltInEvaluator'; readonly id: string; readonly name: string } })[] } };

export type PaletteResourcesVariables = { readonly query: string };

export const paletteResources: Operation<PaletteResourcesData, PaletteResourcesVariables> = {
  name: 'paletteResources',
  text: "query paletteResources($query:String!){searchResources(query:$query limitPerType:8 withLabels:true){__typename ...on Dataset{id name}...on Experiment{id name dataset{id name}}...on Prompt{id promptName:name}}evaluators(first:8 filter:{col:name value:$query}){edges{node{__typename ...on LLMEvaluator{id name}...on BuiltInEvaluator{id name}...on CodeEvaluator{id name}}}}}",
};

export type PaletteNodeData = { readonly node: { readonly __typename: 'Dataset'; readonly id: string; readonly name: string } | { readonly __typename: 'Experiment'; readonly id: string; readonly name: string; readonly dataset: { readonly id: string; readonly name: string } } | { readonly __typename: 'Prompt'; readonly id: string; readonly promptName: string } | { readonly __typename: 'another' } };

export type PaletteNodeVariables = { readonly id: string };

export const paletteNode: Operation<PaletteNodeData, PaletteNodeVariables> = {
  name: 'paletteNode',
  text: "query paletteNode($id:ID!){node(id:$id){__typename ...on Dataset{id name}...on Experiment{id name dataset{id name}}...on Prompt{id promptName:name}}}",
};

export type PaletteProjectsData = { readonly projects: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string } })[] } };

export type PaletteProjectsVariables = { readonly name: string };

export const paletteProjects: Operation<PaletteProjectsData, PaletteProjectsVariables> = {
  name: 'paletteProjects',
  text: "query paletteProjects($name:String!){projects(first:12 sort:{col:endTime dir:desc}filter:{col:name value:$name}){edges{node{id name}}}}",
};
