// Made by scripts/generate-web-types.mjs from ../annotate.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type RunAnnotationConfigsData = { readonly annotationConfigs: { readonly edges: readonly ({ readonly node: { readonly __typename: 'CategoricalAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly values: readonly ({ readonly label: string; readonly score: number | null })[] } | { readonly __typename: 'ContinuousAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly lowerBound: number | null; readonly upperBound: number | null } | { readonly __typename: 'FreeformAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly threshold: number | null; readonly lowerBound: number | null; readonly upperBound: number | null } })[] } };

export type RunAnnotationConfigsVariables = Record<string, never>;

export const runAnnotationConfigs: Operation<RunAnnotationConfigsData, RunAnnotationConfigsVariables> = {
  name: 'runAnnotationConfigs',
  text: "query runAnnotationConfigs{annotationConfigs(first:100){edges{node{...annotationConfig}}}}fragment annotationConfig on AnnotationConfig{__typename ...on CategoricalAnnotationConfig{id name description optimizationDirection values{label score}}...on ContinuousAnnotationConfig{id name description optimizationDirection lowerBound upperBound}...on FreeformAnnotationConfig{id name description optimizationDirection threshold lowerBound upperBound}}",
};

export type AnnotateExperimentRunData = { readonly run: { readonly id: string } };

export type AnnotateExperimentRunVariables = { readonly input: { readonly runId: string; readonly name: string; readonly score?: number | null; readonly label?: string | null; readonly explanation?: string | null } };

export const annotateExperimentRun: Operation<AnnotateExperimentRunData, AnnotateExperimentRunVariables> = {
  name: 'annotateExperimentRun',
  text: "mutation annotateExperimentRun($input:AnnotateExperimentRunInput!){run:annotateExperimentRun(input:$input){id}}",
  access: 'member',
};

export type DeleteExperimentRunAnnotationData = { readonly run: { readonly id: string } };

export type DeleteExperimentRunAnnotationVariables = { readonly runId: string; readonly name: string };

export const deleteExperimentRunAnnotation: Operation<DeleteExperimentRunAnnotationData, DeleteExperimentRunAnnotationVariables> = {
  name: 'deleteExperimentRunAnnotation',
  text: "mutation deleteExperimentRunAnnotation($runId:ID!$name:String!){run:deleteExperimentRunAnnotation(runId:$runId name:$name){id}}",
  access: 'member',
};

export type DeleteExperimentRunPreferenceData = { readonly deleted: { readonly __typename: 'DeleteExperimentRunPreferencePayload' } };

export type DeleteExperimentRunPreferenceVariables = { readonly runIds: readonly (string)[] };

export const deleteExperimentRunPreference: Operation<DeleteExperimentRunPreferenceData, DeleteExperimentRunPreferenceVariables> = {
  name: 'deleteExperimentRunPreference',
  text: "mutation deleteExperimentRunPreference($runIds:[ID!]!){deleted:deleteExperimentRunPreference(runIds:$runIds){__typename}}",
  access: 'member',
};

export type PreferExperimentRunData = { readonly preferred: { readonly __typename: 'PreferExperimentRunPayload' } };

export type PreferExperimentRunVariables = { readonly input: { readonly runIds: readonly (string)[]; readonly preferredRunId?: string | null; readonly explanation?: string | null } };

export const preferExperimentRun: Operation<PreferExperimentRunData, PreferExperimentRunVariables> = {
  name: 'preferExperimentRun',
  text: "mutation preferExperimentRun($input:PreferExperimentRunInput!){preferred:preferExperimentRun(input:$input){__typename}}",
  access: 'member',
};
