// Made by scripts/generate-web-types.mjs from ../annotations.graphql.

import type { Operation } from '../../../data/operation.ts';

export type AnnotationsOfSpanData = { readonly node: { readonly __typename: 'Span'; readonly id: string; readonly annotations: readonly ({ readonly id: string; readonly name: string; readonly annotatorKind: 'LLM' | 'HUMAN' | 'CODE'; readonly label: string | null; readonly score: number | null; readonly explanation: string | null; readonly source: 'API' | 'APP'; readonly createdAt: string; readonly updatedAt: string })[]; readonly project: { readonly annotationConfigs: { readonly edges: readonly ({ readonly node: { readonly __typename: 'CategoricalAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly values: readonly ({ readonly label: string; readonly score: number | null })[] } | { readonly __typename: 'ContinuousAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly lowerBound: number | null; readonly upperBound: number | null } | { readonly __typename: 'FreeformAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly lowerBound: number | null; readonly upperBound: number | null } | { readonly __typename: 'another' } })[] } } } | { readonly __typename: 'another' } };

export type AnnotationsOfSpanVariables = { readonly id: string };

export const annotationsOfSpan: Operation<AnnotationsOfSpanData, AnnotationsOfSpanVariables> = {
  name: 'annotationsOfSpan',
  text: "query annotationsOfSpan($id:ID!){node(id:$id){__typename ...on Span{id annotations:spanAnnotations(sort:{col:createdAt dir:asc}){id name annotatorKind label score explanation source createdAt updatedAt}project{annotationConfigs(first:100){edges{node{__typename ...on CategoricalAnnotationConfig{id name description values{label score}}...on ContinuousAnnotationConfig{id name description lowerBound upperBound}...on FreeformAnnotationConfig{id name description lowerBound upperBound}}}}}}}}",
};

export type AnnotationsOfTraceData = { readonly node: { readonly __typename: 'Trace'; readonly id: string; readonly annotations: readonly ({ readonly id: string; readonly name: string; readonly annotatorKind: 'LLM' | 'HUMAN' | 'CODE'; readonly label: string | null; readonly score: number | null; readonly explanation: string | null; readonly source: 'API' | 'APP'; readonly createdAt: string; readonly updatedAt: string })[]; readonly project: { readonly annotationConfigs: { readonly edges: readonly ({ readonly node: { readonly __typename: 'CategoricalAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly values: readonly ({ readonly label: string; readonly score: number | null })[] } | { readonly __typename: 'ContinuousAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly lowerBound: number | null; readonly upperBound: number | null } | { readonly __typename: 'FreeformAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly lowerBound: number | null; readonly upperBound: number | null } | { readonly __typename: 'another' } })[] } } } | { readonly __typename: 'another' } };

export type AnnotationsOfTraceVariables = { readonly id: string };

export const annotationsOfTrace: Operation<AnnotationsOfTraceData, AnnotationsOfTraceVariables> = {
  name: 'annotationsOfTrace',
  text: "query annotationsOfTrace($id:ID!){node(id:$id){__typename ...on Trace{id annotations:traceAnnotations(sort:{col:createdAt dir:asc}){id name annotatorKind label score explanation source createdAt updatedAt}project{annotationConfigs(first:100){edges{node{__typename ...on CategoricalAnnotationConfig{id name description values{label score}}...on ContinuousAnnotationConfig{id name description lowerBound upperBound}...on FreeformAnnotationConfig{id name description lowerBound upperBound}}}}}}}}",
};

export type AddSpanAnnotationData = { readonly createSpanAnnotations: { readonly __typename: 'SpanAnnotationMutationPayload' } };

export type AddSpanAnnotationVariables = { readonly input: { readonly spanId: string; readonly name: string; readonly annotatorKind: 'LLM' | 'HUMAN' | 'CODE'; readonly label?: string | null; readonly score?: number | null; readonly explanation?: string | null; readonly metadata: unknown; readonly source: 'API' | 'APP'; readonly identifier?: string | null } };

export const addSpanAnnotation: Operation<AddSpanAnnotationData, AddSpanAnnotationVariables> = {
  name: 'addSpanAnnotation',
  text: "mutation addSpanAnnotation($input:CreateSpanAnnotationInput!){createSpanAnnotations(input:[$input]){__typename}}",
};

export type ChangeSpanAnnotationData = { readonly patchSpanAnnotations: { readonly __typename: 'SpanAnnotationMutationPayload' } };

export type ChangeSpanAnnotationVariables = { readonly input: { readonly annotationId: string; readonly name?: string | null; readonly annotatorKind?: 'LLM' | 'HUMAN' | 'CODE' | null; readonly label?: string | null; readonly score?: number | null; readonly explanation?: string | null; readonly metadata?: unknown | null; readonly identifier?: string | null; readonly source?: 'API' | 'APP' | null } };

export const changeSpanAnnotation: Operation<ChangeSpanAnnotationData, ChangeSpanAnnotationVariables> = {
  name: 'changeSpanAnnotation',
  text: "mutation changeSpanAnnotation($input:PatchAnnotationInput!){patchSpanAnnotations(input:[$input]){__typename}}",
};

export type RemoveSpanAnnotationData = { readonly deleteSpanAnnotations: { readonly __typename: 'SpanAnnotationMutationPayload' } };

export type RemoveSpanAnnotationVariables = { readonly id: string };

export const removeSpanAnnotation: Operation<RemoveSpanAnnotationData, RemoveSpanAnnotationVariables> = {
  name: 'removeSpanAnnotation',
  text: "mutation removeSpanAnnotation($id:ID!){deleteSpanAnnotations(input:{annotationIds:[$id]}){__typename}}",
};

export type AddSpanNoteData = { readonly createSpanNote: { readonly __typename: 'SpanAnnotationMutationPayload' } };

export type AddSpanNoteVariables = { readonly spanId: string; readonly note: string };

export const addSpanNote: Operation<AddSpanNoteData, AddSpanNoteVariables> = {
  name: 'addSpanNote',
  text: "mutation addSpanNote($spanId:ID!$note:String!){createSpanNote(annotationInput:{spanId:$spanId note:$note}){__typename}}",
};

export type AddTraceAnnotationData = { readonly createTraceAnnotations: { readonly __typename: 'TraceAnnotationMutationPayload' } };

export type AddTraceAnnotationVariables = { readonly input: { readonly traceId: string; readonly name: string; readonly annotatorKind: 'LLM' | 'HUMAN' | 'CODE'; readonly label?: string | null; readonly score?: number | null; readonly explanation?: string | null; readonly metadata: unknown; readonly source: 'API' | 'APP'; readonly identifier?: string | null } };

export const addTraceAnnotation: Operation<AddTraceAnnotationData, AddTraceAnnotationVariables> = {
  name: 'addTraceAnnotation',
  text: "mutation addTraceAnnotation($input:CreateTraceAnnotationInput!){createTraceAnnotations(input:[$input]){__typename}}",
};

export type ChangeTraceAnnotationData = { readonly patchTraceAnnotations: { readonly __typename: 'TraceAnnotationMutationPayload' } };

export type ChangeTraceAnnotationVariables = { readonly input: { readonly annotationId: string; readonly name?: string | null; readonly annotatorKind?: 'LLM' | 'HUMAN' | 'CODE' | null; readonly label?: string | null; readonly score?: number | null; readonly explanation?: string | null; readonly metadata?: unknown | null; readonly identifier?: string | null; readonly source?: 'API' | 'APP' | null } };

export const changeTraceAnnotation: Operation<ChangeTraceAnnotationData, ChangeTraceAnnotationVariables> = {
  name: 'changeTraceAnnotation',
  text: "mutation changeTraceAnnotation($input:PatchAnnotationInput!){patchTraceAnnotations(input:[$input]){__typename}}",
};

export type RemoveTraceAnnotationData = { readonly deleteTraceAnnotations: { readonly __typename: 'TraceAnnotationMutationPayload' } };

export type RemoveTraceAnnotationVariables = { readonly id: string };

export const removeTraceAnnotation: Operation<RemoveTraceAnnotationData, RemoveTraceAnnotationVariables> = {
  name: 'removeTraceAnnotation',
  text: "mutation removeTraceAnnotation($id:ID!){deleteTraceAnnotations(input:{annotationIds:[$id]}){__typename}}",
};
