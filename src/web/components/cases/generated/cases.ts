// Made by scripts/generate-web-types.mjs from ../cases.graphql.

import type { Operation } from '../../../data/operation.ts';

export type CasesOfProjectData = { readonly node: { readonly __typename: 'Project'; readonly id: string; readonly name: string; readonly spanMapping: { readonly input: readonly ({ readonly name: string; readonly path: string })[] | null; readonly output: readonly ({ readonly name: string; readonly path: string })[] | null; readonly metadata: readonly ({ readonly name: string; readonly path: string })[] | null } | null } | { readonly __typename: 'another' } };

export type CasesOfProjectVariables = { readonly id: string };

export const casesOfProject: Operation<CasesOfProjectData, CasesOfProjectVariables> = {
  name: 'casesOfProject',
  text: "query casesOfProject($id:ID!){node(id:$id){__typename ...on Project{id name spanMapping{input{name path}output{name path}metadata{name path}}}}}",
};

export type DatasetChoicesData = { readonly datasets: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly exampleCount: number } })[] } };

export type DatasetChoicesVariables = { readonly name: string };

export const datasetChoices: Operation<DatasetChoicesData, DatasetChoicesVariables> = {
  name: 'datasetChoices',
  text: "query datasetChoices($name:String!){datasets(first:50 sort:{col:createdAt dir:desc}filter:{value:$name}){edges{node{id name exampleCount}}}}",
};

export type PreviewExamplesData = { readonly previewSpanExamples: readonly ({ readonly spanId: string; readonly input: unknown; readonly output: unknown; readonly metadata: unknown; readonly missingPaths: readonly (string)[]; readonly repetition: 'SPAN' | 'CONTENT' | null })[] };

export type PreviewExamplesVariables = { readonly input: { readonly spanIds: readonly (string)[]; readonly mapping: { readonly input?: readonly ({ readonly name: string; readonly path: string })[] | null; readonly output?: readonly ({ readonly name: string; readonly path: string })[] | null; readonly metadata?: readonly ({ readonly name: string; readonly path: string })[] | null }; readonly datasetId?: string | null } };

export const previewExamples: Operation<PreviewExamplesData, PreviewExamplesVariables> = {
  name: 'previewExamples',
  text: "query previewExamples($input:PreviewSpanExamplesInput!){previewSpanExamples(input:$input){spanId input output metadata missingPaths repetition}}",
};

export type ListedSpanIdsData = { readonly node: { readonly __typename: 'Project'; readonly spans: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string } })[] } } | { readonly __typename: 'another' } };

export type ListedSpanIdsVariables = { readonly id: string; readonly after?: string | null; readonly timeRange?: { readonly start?: string | null; readonly end?: string | null } | null; readonly rootSpansOnly: boolean; readonly filterCondition?: string | null };

export const listedSpanIds: Operation<ListedSpanIdsData, ListedSpanIdsVariables> = {
  name: 'listedSpanIds',
  text: "query listedSpanIds($id:ID!$after:String$timeRange:TimeRange$rootSpansOnly:Boolean!$filterCondition:String){node(id:$id){__typename ...on Project{spans(first:1000 after:$after timeRange:$timeRange rootSpansOnly:$rootSpansOnly filterCondition:$filterCondition){pageInfo{hasNextPage endCursor}edges{node{id}}}}}}",
};

export type CreateCaseDatasetData = { readonly createDataset: { readonly dataset: { readonly id: string; readonly name: string; readonly exampleCount: number } } };

export type CreateCaseDatasetVariables = { readonly name: string };

export const createCaseDataset: Operation<CreateCaseDatasetData, CreateCaseDatasetVariables> = {
  name: 'createCaseDataset',
  text: "mutation createCaseDataset($name:String!){createDataset(input:{name:$name}){dataset{id name exampleCount}}}",
  access: 'member',
};

export type AddSpanExampleData = { readonly addSpanExample: { readonly addedCount: number; readonly repeatedSpanCount: number; readonly repeatedContentCount: number } };

export type AddSpanExampleVariables = { readonly input: { readonly datasetId: string; readonly spanId: string; readonly input: unknown; readonly output: unknown; readonly metadata: unknown; readonly splitNames?: readonly (string)[] | null; readonly keepsRepeated?: boolean | null } };

export const addSpanExample: Operation<AddSpanExampleData, AddSpanExampleVariables> = {
  name: 'addSpanExample',
  text: "mutation addSpanExample($input:AddSpanExampleInput!){addSpanExample(input:$input){addedCount repeatedSpanCount repeatedContentCount}}",
  access: 'member',
};

export type RememberSpanMappingData = { readonly rememberSpanMapping: { readonly __typename: 'SpanMapping' } };

export type RememberSpanMappingVariables = { readonly input: { readonly projectId: string; readonly mapping: { readonly input?: readonly ({ readonly name: string; readonly path: string })[] | null; readonly output?: readonly ({ readonly name: string; readonly path: string })[] | null; readonly metadata?: readonly ({ readonly name: string; readonly path: string })[] | null } } };

export const rememberSpanMapping: Operation<RememberSpanMappingData, RememberSpanMappingVariables> = {
  name: 'rememberSpanMapping',
  text: "mutation rememberSpanMapping($input:RememberSpanMappingInput!){rememberSpanMapping(input:$input){__typename}}",
  access: 'member',
};

export type SaveDatasetSourceData = { readonly saveDatasetSource: { readonly id: string; readonly newMatchCount: number } };

export type SaveDatasetSourceVariables = { readonly input: { readonly projectId: string; readonly datasetId: string; readonly name: string; readonly filter: string; readonly mapping: { readonly input?: readonly ({ readonly name: string; readonly path: string })[] | null; readonly output?: readonly ({ readonly name: string; readonly path: string })[] | null; readonly metadata?: readonly ({ readonly name: string; readonly path: string })[] | null }; readonly splitNames?: readonly (string)[] | null; readonly isFromNow?: boolean | null } };

export const saveDatasetSource: Operation<SaveDatasetSourceData, SaveDatasetSourceVariables> = {
  name: 'saveDatasetSource',
  text: "mutation saveDatasetSource($input:SaveDatasetSourceInput!){saveDatasetSource(input:$input){id newMatchCount}}",
  access: 'member',
};

export type DeleteDatasetSourceData = { readonly deleteDatasetSource: { readonly id: string } };

export type DeleteDatasetSourceVariables = { readonly id: string };

export const deleteDatasetSource: Operation<DeleteDatasetSourceData, DeleteDatasetSourceVariables> = {
  name: 'deleteDatasetSource',
  text: "mutation deleteDatasetSource($id:ID!){deleteDatasetSource(id:$id){id}}",
  access: 'member',
};

export type SourcesOfDatasetData = { readonly node: { readonly __typename: 'Dataset'; readonly sources: readonly ({ readonly id: string; readonly name: string; readonly filter: string; readonly splitNames: readonly (string)[]; readonly addedAt: string | null; readonly newMatchCount: number; readonly project: { readonly id: string; readonly name: string }; readonly dataset: { readonly id: string; readonly name: string } })[] } | { readonly __typename: 'another' } };

export type SourcesOfDatasetVariables = { readonly id: string };

export const sourcesOfDataset: Operation<SourcesOfDatasetData, SourcesOfDatasetVariables> = {
  name: 'sourcesOfDataset',
  text: "query sourcesOfDataset($id:ID!){node(id:$id){__typename ...on Dataset{sources{...source}}}}fragment source on DatasetSource{id name filter splitNames addedAt newMatchCount project{id name}dataset{id name}}",
};

export type SourcesOfProjectData = { readonly node: { readonly __typename: 'Project'; readonly datasetSources: readonly ({ readonly id: string; readonly name: string; readonly filter: string; readonly splitNames: readonly (string)[]; readonly addedAt: string | null; readonly newMatchCount: number; readonly project: { readonly id: string; readonly name: string }; readonly dataset: { readonly id: string; readonly name: string } })[] } | { readonly __typename: 'another' } };

export type SourcesOfProjectVariables = { readonly id: string };

export const sourcesOfProject: Operation<SourcesOfProjectData, SourcesOfProjectVariables> = {
  name: 'sourcesOfProject',
  text: "query sourcesOfProject($id:ID!){node(id:$id){__typename ...on Project{datasetSources{...source}}}}fragment source on DatasetSource{id name filter splitNames addedAt newMatchCount project{id name}dataset{id name}}",
};
