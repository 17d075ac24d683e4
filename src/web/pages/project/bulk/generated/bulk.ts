// Made by scripts/generate-web-types.mjs from ../bulk.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type DeleteTracesData = { readonly deleteTraces: { readonly __typename: 'Query' } };

export type DeleteTracesVariables = { readonly traceIds: readonly (string)[] };

export const deleteTraces: Operation<DeleteTracesData, DeleteTracesVariables> = {
  name: 'deleteTraces',
  text: "mutation deleteTraces($traceIds:[ID!]!){deleteTraces(traceIds:$traceIds){__typename}}",
  access: 'member',
};

export type TransferTracesData = { readonly transferTracesToProject: { readonly __typename: 'Query' } };

export type TransferTracesVariables = { readonly traceIds: readonly (string)[]; readonly projectId: string };

export const transferTraces: Operation<TransferTracesData, TransferTracesVariables> = {
  name: 'transferTraces',
  text: "mutation transferTraces($traceIds:[ID!]!$projectId:ID!){transferTracesToProject(traceIds:$traceIds projectId:$projectId){__typename}}",
  access: 'member',
};

export type BulkProjectsData = { readonly projects: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string } })[] } };

export type BulkProjectsVariables = { readonly name: string };

export const bulkProjects: Operation<BulkProjectsData, BulkProjectsVariables> = {
  name: 'bulkProjects',
  text: "query bulkProjects($name:String!){projects(first:50 filter:{col:name value:$name}sort:{col:endTime dir:desc}){edges{node{id name}}}}",
};

export type AnnotateSpansData = { readonly createSpanAnnotations: { readonly __typename: 'SpanAnnotationMutationPayload' } };

export type AnnotateSpansVariables = { readonly input: readonly ({ readonly spanId: string; readonly name: string; readonly annotatorKind: 'LLM' | 'HUMAN' | 'CODE'; readonly label?: string | null; readonly score?: number | null; readonly explanation?: string | null; readonly metadata: unknown; readonly source: 'API' | 'APP'; readonly identifier?: string | null })[] };

export const annotateSpans: Operation<AnnotateSpansData, AnnotateSpansVariables> = {
  name: 'annotateSpans',
  text: "mutation annotateSpans($input:[CreateSpanAnnotationInput!]!){createSpanAnnotations(input:$input){__typename}}",
  access: 'member',
};

export type AnnotateTracesData = { readonly createTraceAnnotations: { readonly __typename: 'TraceAnnotationMutationPayload' } };

export type AnnotateTracesVariables = { readonly input: readonly ({ readonly traceId: string; readonly name: string; readonly annotatorKind: 'LLM' | 'HUMAN' | 'CODE'; readonly label?: string | null; readonly score?: number | null; readonly explanation?: string | null; readonly metadata: unknown; readonly source: 'API' | 'APP'; readonly identifier?: string | null })[] };

export const annotateTraces: Operation<AnnotateTracesData, AnnotateTracesVariables> = {
  name: 'annotateTraces',
  text: "mutation annotateTraces($input:[CreateTraceAnnotationInput!]!){createTraceAnnotations(input:$input){__typename}}",
  access: 'member',
};

export type BulkConfigsData = { readonly viewer: { readonly id: string } | null; readonly node: { readonly __typename: 'Project'; readonly id: string; readonly annotationConfigs: { readonly edges: readonly ({ readonly node: { readonly __typename: 'CategoricalAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly values: readonly ({ readonly label: string; readonly score: number | null })[] } | { readonly __typename: 'ContinuousAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly lowerBound: number | null; readonly upperBound: number | null } | { readonly __typename: 'FreeformAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly threshold: number | null; readonly lowerBound: number | null; readonly upperBound: number | null } })[] } } | { readonly __typename: 'another' } };

export type BulkConfigsVariables = { readonly id: string };

export const bulkConfigs: Operation<BulkConfigsData, BulkConfigsVariables> = {
  name: 'bulkConfigs',
  text: "query bulkConfigs($id:ID!){viewer{id}node(id:$id){__typename ...on Project{...projectAnnotationConfigs}}}fragment projectAnnotationConfigs on Project{id annotationConfigs(first:100){edges{node{...annotationConfig}}}}fragment annotationConfig on AnnotationConfig{__typename ...on CategoricalAnnotationConfig{id name description optimizationDirection values{label score}}...on ContinuousAnnotationConfig{id name description optimizationDirection lowerBound upperBound}...on FreeformAnnotationConfig{id name description optimizationDirection threshold lowerBound upperBound}}",
};
