// Made by scripts/generate-web-types.mjs from ../examples.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type ExampleRowsData = { readonly node: { readonly __typename: 'Dataset'; readonly exampleRows: { readonly count: number; readonly versionId: string | null; readonly rows: readonly ({ readonly id: string; readonly externalId: string | null; readonly revisionId: string; readonly updatedAt: string; readonly input: string; readonly output: string; readonly metadata: string; readonly cells: readonly (string | null)[]; readonly splits: readonly ({ readonly id: string; readonly name: string; readonly color: string })[] })[] } } | { readonly __typename: 'another' } };

export type ExampleRowsVariables = { readonly id: string; readonly offset: number; readonly limit: number; readonly versionId?: string | null; readonly splitIds?: readonly (string)[] | null; readonly filter?: string | null; readonly sort?: { readonly col?: 'example' | 'externalId' | 'updatedAt' | null; readonly path?: readonly (string)[] | null; readonly dir: 'asc' | 'desc' } | null; readonly cells?: readonly (readonly (string)[])[] | null };

export const exampleRows: Operation<ExampleRowsData, ExampleRowsVariables> = {
  name: 'exampleRows',
  text: "query exampleRows($id:ID!$offset:Int!$limit:Int!$versionId:ID$splitIds:[ID!]$filter:String$sort:ExampleRowSort$cells:[[String!]!]){node(id:$id){__typename ...on Dataset{exampleRows(offset:$offset limit:$limit datasetVersionId:$versionId splitIds:$splitIds filter:$filter sort:$sort cells:$cells){count versionId rows{id externalId revisionId updatedAt input output metadata cells splits{id name color}}}}}}",
};

export type ExampleIdsData = { readonly node: { readonly __typename: 'Dataset'; readonly exampleIds: readonly (string)[] } | { readonly __typename: 'another' } };

export type ExampleIdsVariables = { readonly id: string; readonly limit: number; readonly versionId?: string | null; readonly splitIds?: readonly (string)[] | null; readonly filter?: string | null; readonly sort?: { readonly col?: 'example' | 'externalId' | 'updatedAt' | null; readonly path?: readonly (string)[] | null; readonly dir: 'asc' | 'desc' } | null };

export const exampleIds: Operation<ExampleIdsData, ExampleIdsVariables> = {
  name: 'exampleIds',
  text: "query exampleIds($id:ID!$limit:Int!$versionId:ID$splitIds:[ID!]$filter:String$sort:ExampleRowSort){node(id:$id){__typename ...on Dataset{exampleIds(limit:$limit datasetVersionId:$versionId splitIds:$splitIds filter:$filter sort:$sort)}}}",
};

export type ExampleOffsetData = { readonly node: { readonly __typename: 'Dataset'; readonly exampleOffset: number | null } | { readonly __typename: 'another' } };

export type ExampleOffsetVariables = { readonly id: string; readonly exampleId: string; readonly versionId?: string | null; readonly splitIds?: readonly (string)[] | null; readonly filter?: string | null; readonly sort?: { readonly col?: 'example' | 'externalId' | 'updatedAt' | null; readonly path?: readonly (string)[] | null; readonly dir: 'asc' | 'desc' } | null };

export const exampleOffset: Operation<ExampleOffsetData, ExampleOffsetVariables> = {
  name: 'exampleOffset',
  text: "query exampleOffset($id:ID!$exampleId:ID!$versionId:ID$splitIds:[ID!]$filter:String$sort:ExampleRowSort){node(id:$id){__typename ...on Dataset{exampleOffset(exampleId:$exampleId datasetVersionId:$versionId splitIds:$splitIds filter:$filter sort:$sort)}}}",
};

export type ExampleKeysData = { readonly node: { readonly __typename: 'Dataset'; readonly exampleKeys: readonly ({ readonly path: readonly (string)[]; readonly count: number })[] } | { readonly __typename: 'another' } };

export type ExampleKeysVariables = { readonly id: string; readonly versionId?: string | null };

export const exampleKeys: Operation<ExampleKeysData, ExampleKeysVariables> = {
  name: 'exampleKeys',
  text: "query exampleKeys($id:ID!$versionId:ID){node(id:$id){__typename ...on Dataset{exampleKeys(datasetVersionId:$versionId){path count}}}}",
};

export type ExampleContentData = { readonly node: { readonly __typename: 'DatasetExample'; readonly id: string; readonly externalId: string | null; readonly createdAt: string; readonly hasSource: boolean; readonly dataset: { readonly id: string }; readonly content: { readonly revisionId: string; readonly input: string; readonly output: string; readonly metadata: string; readonly updatedAt: string } | null; readonly datasetSplits: readonly ({ readonly id: string; readonly name: string; readonly color: string })[]; readonly span: { readonly id: string; readonly name: string; readonly project: { readonly id: string; readonly name: string }; readonly context: { readonly traceId: string } } | null } | { readonly __typename: 'another' } };

export type ExampleContentVariables = { readonly id: string; readonly versionId?: string | null };

export const exampleContent: Operation<ExampleContentData, ExampleContentVariables> = {
  name: 'exampleContent',
  text: "query exampleContent($id:ID!$versionId:ID){node(id:$id){__typename ...on DatasetExample{id externalId createdAt hasSource dataset{id}content(datasetVersionId:$versionId){revisionId input output metadata updatedAt}datasetSplits{id name color}span{id name project{id name}context{traceId}}}}}",
};

export type ExampleRunsData = { readonly node: { readonly __typename: 'DatasetExample'; readonly experimentRuns: { readonly pageInfo: { readonly hasPreviousPage: boolean; readonly startCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly experimentId: string; readonly repetitionNumber: number; readonly output: unknown | null; readonly error: string | null; readonly startTime: string; readonly latencyMs: number; readonly isCached: boolean; readonly trace: { readonly traceId: string; readonly projectId: string } | null; readonly annotations: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly label: string | null; readonly score: number | null } })[] } } })[] } } | { readonly __typename: 'another' } };

export type ExampleRunsVariables = { readonly id: string; readonly before?: string | null };

export const exampleRuns: Operation<ExampleRunsData, ExampleRunsVariables> = {
  name: 'exampleRuns',
  text: "query exampleRuns($id:ID!$before:String){node(id:$id){__typename ...on DatasetExample{experimentRuns(first:null last:100 before:$before){pageInfo{hasPreviousPage startCursor}edges{node{id experimentId repetitionNumber output error startTime latencyMs isCached trace{traceId projectId}annotations(first:20){edges{node{id name label score}}}}}}}}}",
};

export type ExperimentNamesData = { readonly node: { readonly __typename: 'Dataset'; readonly experiments: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly sequenceNumber: number } })[] } } | { readonly __typename: 'another' } };

export type ExperimentNamesVariables = { readonly id: string };

export const experimentNames: Operation<ExperimentNamesData, ExperimentNamesVariables> = {
  name: 'experimentNames',
  text: "query experimentNames($id:ID!){node(id:$id){__typename ...on Dataset{experiments(first:500){edges{node{id name sequenceNumber}}}}}}",
};

export type SaveExamplesData = { readonly saveDatasetExamples: { readonly version: { readonly id: string } | null; readonly conflicts: readonly ({ readonly example: { readonly id: string; readonly externalId: string | null }; readonly content: { readonly revisionId: string; readonly input: string; readonly output: string; readonly metadata: string; readonly updatedAt: string } | null; readonly version: { readonly createdAt: string; readonly description: string | null; readonly user: { readonly username: string } | null } | null })[] } };

export type SaveExamplesVariables = { readonly input: { readonly datasetId: string; readonly patches?: readonly ({ readonly exampleId: string; readonly revisionId?: string | null; readonly input?: string | null; readonly output?: string | null; readonly metadata?: string | null })[] | null; readonly values?: readonly ({ readonly exampleIds: readonly (string)[]; readonly path: readonly (string)[]; readonly value: string })[] | null; readonly deletions?: readonly ({ readonly exampleId: string; readonly revisionId?: string | null })[] | null; readonly additions?: readonly ({ readonly input: string; readonly output: string; readonly metadata: string; readonly externalId?: string | null })[] | null; readonly versionDescription?: string | null } };

export const saveExamples: Operation<SaveExamplesData, SaveExamplesVariables> = {
  name: 'saveExamples',
  text: "mutation saveExamples($input:SaveDatasetExamplesInput!){saveDatasetExamples(input:$input){version{id}conflicts{example{id externalId}content{revisionId input output metadata updatedAt}version{createdAt description user{username}}}}}",
  access: 'member',
};

export type ChangeExampleSplitsData = { readonly changeDatasetExampleSplits: { readonly dataset: { readonly id: string } } };

export type ChangeExampleSplitsVariables = { readonly input: { readonly datasetId: string; readonly exampleIds: readonly (string)[]; readonly addedSplitIds: readonly (string)[]; readonly removedSplitIds: readonly (string)[] } };

export const changeExampleSplits: Operation<ChangeExampleSplitsData, ChangeExampleSplitsVariables> = {
  name: 'changeExampleSplits',
  text: "mutation changeExampleSplits($input:ChangeDatasetExampleSplitsInput!){changeDatasetExampleSplits(input:$input){dataset{id}}}",
  access: 'member',
};
