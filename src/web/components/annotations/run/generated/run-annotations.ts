// Made by scripts/generate-web-types.mjs from ../run-annotations.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type RunAnnotationConfigsData = { readonly annotationConfigs: { readonly edges: readonly ({ readonly node: { readonly __typename: 'CategoricalAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly values: readonly ({ readonly label: string; readonly score: number | null })[] } | { readonly __typename: 'ContinuousAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly lowerBound: number | null; readonly upperBound: number | null } | { readonly __typename: 'FreeformAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly threshold: number | null; readonly lowerBound: number | null; readonly upperBound: number | null } })[] } };

export type RunAnnotationConfigsVariables = Record<string, never>;

export const runAnnotationConfigs: Operation<RunAnnotationConfigsData, RunAnnotationConfigsVariables> = {
  name: 'runAnnotationConfigs',
  text: "query runAnnotationConfigs{annotationConfigs(first:100){edges{node{...annotationConfig}}}}fragment annotationConfig on AnnotationConfig{__typename ...on CategoricalAnnotationConfig{id name description optimizationDirection values{label score}}...on ContinuousAnnotationConfig{id name description optimizationDirection lowerBound upperBound}...on FreeformAnnotationConfig{id name description optimizationDirection threshold lowerBound upperBound}}",
};

export type AnnotationsOfRunData = { readonly viewer: { readonly id: string } | null; readonly node: { readonly __typename: 'ExperimentRun'; readonly id: string; readonly personAnnotations: readonly ({ readonly name: string; readonly score: number | null; readonly label: string | null; readonly explanation: string | null; readonly isMine: boolean; readonly author: string | null })[] } | { readonly __typename: 'another' } };

export type AnnotationsOfRunVariables = { readonly id: string };

export const annotationsOfRun: Operation<AnnotationsOfRunData, AnnotationsOfRunVariables> = {
  name: 'annotationsOfRun',
  text: "query annotationsOfRun($id:ID!){viewer{id}node(id:$id){__typename ...on ExperimentRun{id personAnnotations{...personAnnotation}}}}fragment personAnnotation on PersonRunAnnotation{name score label explanation isMine author}",
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
