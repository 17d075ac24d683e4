// Made by scripts/generate-web-types.mjs from ../experiments.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type ExperimentListData = { readonly node: { readonly __typename: 'Dataset'; readonly experiments: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly __typename: 'Experiment'; readonly id: string; readonly name: string; readonly description: string | null; readonly createdAt: string; readonly sequenceNumber: number; readonly repetitions: number; readonly runCount: number; readonly expectedRunCount: number; readonly errorRate: number | null; readonly averageRunLatencyMs: number | null; readonly isBaseline: boolean; readonly metadata: unknown; readonly user: { readonly username: string } | null; readonly project: { readonly id: string } | null; readonly datasetSplits: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly color: string } })[] }; readonly annotationSummaries: readonly ({ readonly annotationName: string; readonly minScore: number | null; readonly meanScore: number | null; readonly maxScore: number | null; readonly scoreCount: number; readonly labelCount: number; readonly errorCount: number; readonly percentiles: readonly (number)[]; readonly scoreBins: readonly (number)[]; readonly labelFractions: readonly ({ readonly label: string; readonly fraction: number })[] })[]; readonly tags: readonly ({ readonly id: string; readonly name: string })[]; readonly job: { readonly status: 'RUNNING' | 'COMPLETED' | 'STOPPED' | 'ERROR'; readonly isEvaluationOnly: boolean; readonly lastError: { readonly message: string } | null } | null; readonly group: string | null } })[] } } | { readonly __typename: 'another' } };

export type ExperimentListVariables = { readonly id: string; readonly first: number; readonly after?: string | null; readonly search?: string | null; readonly sort?: { readonly col: { readonly field?: 'createdAt' | 'name' | 'repetitions' | 'runCount' | 'errorRate' | 'averageRunLatencyMs' | null; readonly annotationName?: string | null }; readonly dir: 'asc' | 'desc' } | null; readonly groupBy?: string | null; readonly groupKey: string };

export const experimentList: Operation<ExperimentListData, ExperimentListVariables> = {
  name: 'experimentList',
  text: "query experimentList($id:ID!$first:Int!$after:String$search:String$sort:ExperimentSort$groupBy:String$groupKey:String!){node(id:$id){__typename ...on Dataset{experiments(first:$first after:$after filterCondition:$search sort:$sort groupBy:$groupBy){pageInfo{hasNextPage endCursor}edges{node{...ExperimentFields group:metadataValue(key:$groupKey)}}}}}}fragment ExperimentFields on Experiment{__typename id name description createdAt sequenceNumber repetitions runCount expectedRunCount errorRate averageRunLatencyMs isBaseline metadata user{username}project{id}datasetSplits{edges{node{id name color}}}annotationSummaries{annotationName minScore meanScore maxScore scoreCount labelCount errorCount percentiles scoreBins labelFractions{label fraction}}tags{id name}job{status isEvaluationOnly lastError{message}}}",
};

export type ExperimentCostsData = { readonly node: { readonly __typename: 'Dataset'; readonly experiments: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly costSummary: { readonly total: { readonly tokens: number | null; readonly cost: number | null }; readonly prompt: { readonly tokens: number | null; readonly cost: number | null }; readonly completion: { readonly tokens: number | null; readonly cost: number | null } } } })[] } } | { readonly __typename: 'another' } };

export type ExperimentCostsVariables = { readonly id: string; readonly ids: readonly (string)[] };

export const experimentCosts: Operation<ExperimentCostsData, ExperimentCostsVariables> = {
  name: 'experimentCosts',
  text: "query experimentCosts($id:ID!$ids:[ID!]!){node(id:$id){__typename ...on Dataset{experiments(first:1000 filterIds:$ids){edges{node{id costSummary{...ExperimentCost}}}}}}}fragment ExperimentCost on SpanCostSummary{total{tokens cost}prompt{tokens cost}completion{tokens cost}}",
};

export type ExperimentNamesData = { readonly node: { readonly __typename: 'Dataset'; readonly experimentMetadataKeys: readonly (string)[]; readonly experimentAnnotationSummaries: readonly ({ readonly annotationName: string; readonly minScore: number | null; readonly maxScore: number | null })[]; readonly baselineExperiment: { readonly id: string } | null } | { readonly __typename: 'another' } };

export type ExperimentNamesVariables = { readonly id: string };

export const experimentNames: Operation<ExperimentNamesData, ExperimentNamesVariables> = {
  name: 'experimentNames',
  text: "query experimentNames($id:ID!){node(id:$id){__typename ...on Dataset{experimentMetadataKeys experimentAnnotationSummaries{annotationName minScore maxScore}baselineExperiment{id}}}}",
};

export type ExperimentGroupsData = { readonly node: { readonly __typename: 'Dataset'; readonly experimentGroups: readonly ({ readonly value: string | null; readonly experimentCount: number; readonly errorRate: number | null; readonly averageRunLatencyMs: number | null; readonly scores: readonly ({ readonly annotationName: string; readonly meanScore: number })[] })[] } | { readonly __typename: 'another' } };

export type ExperimentGroupsVariables = { readonly id: string; readonly key: string };

export const experimentGroups: Operation<ExperimentGroupsData, ExperimentGroupsVariables> = {
  name: 'experimentGroups',
  text: "query experimentGroups($id:ID!$key:String!){node(id:$id){__typename ...on Dataset{experimentGroups(key:$key){value experimentCount errorRate averageRunLatencyMs scores{annotationName meanScore}}}}}",
};

export type ExperimentChartData = { readonly node: { readonly __typename: 'Dataset'; readonly experiments: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly sequenceNumber: number; readonly isBaseline: boolean; readonly runCount: number; readonly errorRate: number | null; readonly averageRunLatencyMs: number | null; readonly annotationSummaries: readonly ({ readonly annotationName: string; readonly meanScore: number | null })[] } })[] } } | { readonly __typename: 'another' } };

export type ExperimentChartVariables = { readonly id: string; readonly first: number };

export const experimentChart: Operation<ExperimentChartData, ExperimentChartVariables> = {
  name: 'experimentChart',
  text: "query experimentChart($id:ID!$first:Int!){node(id:$id){__typename ...on Dataset{experiments(first:$first){edges{node{id name sequenceNumber isBaseline runCount errorRate averageRunLatencyMs annotationSummaries{annotationName meanScore}}}}}}}",
};

export type ExperimentDetailsData = { readonly node: { readonly __typename: 'Experiment'; readonly id: string; readonly name: string; readonly description: string | null; readonly createdAt: string; readonly sequenceNumber: number; readonly repetitions: number; readonly runCount: number; readonly expectedRunCount: number; readonly errorRate: number | null; readonly averageRunLatencyMs: number | null; readonly isBaseline: boolean; readonly metadata: unknown; readonly user: { readonly username: string } | null; readonly project: { readonly id: string } | null; readonly datasetSplits: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly color: string } })[] }; readonly annotationSummaries: readonly ({ readonly annotationName: string; readonly minScore: number | null; readonly meanScore: number | null; readonly maxScore: number | null; readonly scoreCount: number; readonly labelCount: number; readonly errorCount: number; readonly percentiles: readonly (number)[]; readonly scoreBins: readonly (number)[]; readonly labelFractions: readonly ({ readonly label: string; readonly fraction: number })[] })[]; readonly tags: readonly ({ readonly id: string; readonly name: string })[]; readonly job: { readonly status: 'RUNNING' | 'COMPLETED' | 'STOPPED' | 'ERROR'; readonly isEvaluationOnly: boolean; readonly lastError: { readonly message: string } | null } | null; readonly taskJob: { readonly maxConcurrency: number; readonly taskConfig: { readonly streamModelOutput: boolean; readonly customProvider: { readonly name: string } | null; readonly prompt: { readonly content: unknown; readonly prompt: { readonly id: string; readonly name: string } | null; readonly promptVersion: { readonly id: string; readonly sequenceNumber: number } | null } } | null } | null; readonly projectName: string | null; readonly updatedAt: string; readonly datasetVersion: { readonly id: string; readonly createdAt: string; readonly description: string | null }; readonly costSummary: { readonly total: { readonly tokens: number | null; readonly cost: number | null }; readonly prompt: { readonly tokens: number | null; readonly cost: number | null }; readonly completion: { readonly tokens: number | null; readonly cost: number | null } }; readonly errorGroups: readonly ({ readonly source: 'TASK' | 'EVALUATOR'; readonly evaluatorName: string | null; readonly message: string; readonly count: number; readonly trace: { readonly traceId: string; readonly project: { readonly id: string } } | null })[]; readonly notes: readonly ({ readonly id: string; readonly text: string; readonly createdAt: string; readonly updatedAt: string; readonly user: { readonly id: string; readonly username: string } | null })[] } | { readonly __typename: 'another' } };

export type ExperimentDetailsVariables = { readonly id: string };

export const experimentDetails: Operation<ExperimentDetailsData, ExperimentDetailsVariables> = {
  name: 'experimentDetails',
  text: "query experimentDetails($id:ID!){node(id:$id){__typename ...on Experiment{...ExperimentFields taskJob:job{maxConcurrency taskConfig{streamModelOutput customProvider{name}prompt{content prompt{id name}promptVersion{id sequenceNumber}}}}projectName updatedAt datasetVersion{id createdAt description}costSummary{...ExperimentCost}errorGroups{source evaluatorName message count trace{traceId project{id}}}notes{id text createdAt updatedAt user{id username}}}}}fragment ExperimentFields on Experiment{__typename id name description createdAt sequenceNumber repetitions runCount expectedRunCount errorRate averageRunLatencyMs isBaseline metadata user{username}project{id}datasetSplits{edges{node{id name color}}}annotationSummaries{annotationName minScore meanScore maxScore scoreCount labelCount errorCount percentiles scoreBins labelFractions{label fraction}}tags{id name}job{status isEvaluationOnly lastError{message}}}fragment ExperimentCost on SpanCostSummary{total{tokens cost}prompt{tokens cost}completion{tokens cost}}",
};

export type PatchExperimentData = { readonly patchExperiment: { readonly __typename: 'PatchExperimentPayload' } };

export type PatchExperimentVariables = { readonly input: { readonly experimentId: string; readonly name?: string | null; readonly description?: string | null; readonly metadata?: unknown | null } };

export const patchExperiment: Operation<PatchExperimentData, PatchExperimentVariables> = {
  name: 'patchExperiment',
  text: "mutation patchExperiment($input:PatchExperimentInput!){patchExperiment(input:$input){__typename}}",
  access: 'member',
};

export type SetExperimentBaselineData = { readonly setExperimentBaseline: { readonly __typename: 'SetExperimentBaselinePayload' } };

export type SetExperimentBaselineVariables = { readonly id: string; readonly baseline: boolean };

export const setExperimentBaseline: Operation<SetExperimentBaselineData, SetExperimentBaselineVariables> = {
  name: 'setExperimentBaseline',
  text: "mutation setExperimentBaseline($id:ID!$baseline:Boolean!){setExperimentBaseline(experimentId:$id baseline:$baseline){__typename}}",
  access: 'member',
};

export type DeleteExperimentsData = { readonly deleteExperiments: { readonly __typename: 'ExperimentMutationPayload' } };

export type DeleteExperimentsVariables = { readonly ids: readonly (string)[] };

export const deleteExperiments: Operation<DeleteExperimentsData, DeleteExperimentsVariables> = {
  name: 'deleteExperiments',
  text: "mutation deleteExperiments($ids:[ID!]!){deleteExperiments(input:{experimentIds:$ids}){__typename}}",
  access: 'member',
};

export type TagExperimentData = { readonly tagExperiment: { readonly __typename: 'Experiment' } };

export type TagExperimentVariables = { readonly id: string; readonly name: string };

export const tagExperiment: Operation<TagExperimentData, TagExperimentVariables> = {
  name: 'tagExperiment',
  text: "mutation tagExperiment($id:ID!$name:Identifier!){tagExperiment(experimentId:$id name:$name){__typename}}",
  access: 'member',
};

export type UntagExperimentData = { readonly untagExperiment: { readonly __typename: 'Experiment' } };

export type UntagExperimentVariables = { readonly id: string; readonly name: string };

export const untagExperiment: Operation<UntagExperimentData, UntagExperimentVariables> = {
  name: 'untagExperiment',
  text: "mutation untagExperiment($id:ID!$name:Identifier!){untagExperiment(experimentId:$id name:$name){__typename}}",
  access: 'member',
};

export type StopExperimentData = { readonly stopExperiment: { readonly __typename: 'StopExperimentPayload' } };

export type StopExperimentVariables = { readonly id: string };

export const stopExperiment: Operation<StopExperimentData, StopExperimentVariables> = {
  name: 'stopExperiment',
  text: "mutation stopExperiment($id:ID!){stopExperiment(experimentId:$id){__typename}}",
  access: 'member',
};

export type ResumeExperimentData = { readonly resumeExperiment: { readonly __typename: 'ResumeExperimentPayload' } };

export type ResumeExperimentVariables = { readonly id: string };

export const resumeExperiment: Operation<ResumeExperimentData, ResumeExperimentVariables> = {
  name: 'resumeExperiment',
  text: "mutation resumeExperiment($id:ID!){resumeExperiment(experimentId:$id){__typename}}",
  access: 'member',
};

export type AddExperimentNoteData = { readonly addExperimentNote: { readonly __typename: 'ExperimentNote' } };

export type AddExperimentNoteVariables = { readonly id: string; readonly text: string };

export const addExperimentNote: Operation<AddExperimentNoteData, AddExperimentNoteVariables> = {
  name: 'addExperimentNote',
  text: "mutation addExperimentNote($id:ID!$text:String!){addExperimentNote(experimentId:$id text:$text){__typename}}",
  access: 'member',
};

export type PatchExperimentNoteData = { readonly patchExperimentNote: { readonly __typename: 'ExperimentNote' } };

export type PatchExperimentNoteVariables = { readonly id: string; readonly text: string };

export const patchExperimentNote: Operation<PatchExperimentNoteData, PatchExperimentNoteVariables> = {
  name: 'patchExperimentNote',
  text: "mutation patchExperimentNote($id:ID!$text:String!){patchExperimentNote(id:$id text:$text){__typename}}",
  access: 'member',
};

export type DeleteExperimentNoteData = { readonly deleteExperimentNote: { readonly __typename: 'ExperimentNote' } };

export type DeleteExperimentNoteVariables = { readonly id: string };

export const deleteExperimentNote: Operation<DeleteExperimentNoteData, DeleteExperimentNoteVariables> = {
  name: 'deleteExperimentNote',
  text: "mutation deleteExperimentNote($id:ID!){deleteExperimentNote(id:$id){__typename}}",
  access: 'member',
};
