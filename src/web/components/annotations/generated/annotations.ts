// Made by scripts/generate-web-types.mjs from ../annotations.graphql.

import type { Operation } from '../../../data/operation.ts';

export type AnnotationsOfSpanData = { readonly viewer: { readonly id: string } | null; readonly node: { readonly __typename: 'Span'; readonly annotations: readonly ({ readonly id: string; readonly name: string; readonly annotatorKind: 'LLM' | 'HUMAN' | 'CODE'; readonly label: string | null; readonly score: number | null; readonly explanation: string | null; readonly source: 'API' | 'APP'; readonly identifier: string; readonly createdAt: string; readonly updatedAt: string; readonly user: { readonly id: string; readonly username: string } | null })[]; readonly project: { readonly id: string; readonly annotationConfigs: { readonly edges: readonly ({ readonly node: { readonly __typename: 'CategoricalAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly values: readonly ({ readonly label: string; readonly score: number | null })[] } | { readonly __typename: 'ContinuousAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly lowerBound: number | null; readonly upperBound: number | null } | { readonly __typename: 'FreeformAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly threshold: number | null; readonly lowerBound: number | null; readonly upperBound: number | null } })[] } } } | { readonly __typename: 'another' } };

export type AnnotationsOfSpanVariables = { readonly id: string };

export const annotationsOfSpan: Operation<AnnotationsOfSpanData, AnnotationsOfSpanVariables> = {
  name: 'annotationsOfSpan',
  text: "query annotationsOfSpan($id:ID!){viewer{id}node(id:$id){__typename ...on Span{annotations:spanAnnotations(sort:{col:createdAt dir:asc}){...annotation}project{...projectAnnotationConfigs}}}}fragment annotation on Annotation{...on Node{id}name annotatorKind label score explanation source identifier createdAt updatedAt user{id username}}fragment projectAnnotationConfigs on Project{id annotationConfigs(first:100){edges{node{...annotationConfig}}}}fragment annotationConfig on AnnotationConfig{__typename ...on CategoricalAnnotationConfig{id name description optimizationDirection values{label score}}...on ContinuousAnnotationConfig{id name description optimizationDirection lowerBound upperBound}...on FreeformAnnotationConfig{id name description optimizationDirection threshold lowerBound upperBound}}",
};

export type AnnotationsOfTraceData = { readonly viewer: { readonly id: string } | null; readonly node: { readonly __typename: 'Trace'; readonly annotations: readonly ({ readonly id: string; readonly name: string; readonly annotatorKind: 'LLM' | 'HUMAN' | 'CODE'; readonly label: string | null; readonly score: number | null; readonly explanation: string | null; readonly source: 'API' | 'APP'; readonly identifier: string; readonly createdAt: string; readonly updatedAt: string; readonly user: { readonly id: string; readonly username: string } | null })[]; readonly project: { readonly id: string; readonly annotationConfigs: { readonly edges: readonly ({ readonly node: { readonly __typename: 'CategoricalAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly values: readonly ({ readonly label: string; readonly score: number | null })[] } | { readonly __typename: 'ContinuousAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly lowerBound: number | null; readonly upperBound: number | null } | { readonly __typename: 'FreeformAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly threshold: number | null; readonly lowerBound: number | null; readonly upperBound: number | null } })[] } } } | { readonly __typename: 'another' } };

export type AnnotationsOfTraceVariables = { readonly id: string };

export const annotationsOfTrace: Operation<AnnotationsOfTraceData, AnnotationsOfTraceVariables> = {
  name: 'annotationsOfTrace',
  text: "query annotationsOfTrace($id:ID!){viewer{id}node(id:$id){__typename ...on Trace{annotations:traceAnnotations(sort:{col:createdAt dir:asc}){...annotation}project{...projectAnnotationConfigs}}}}fragment annotation on Annotation{...on Node{id}name annotatorKind label score explanation source identifier createdAt updatedAt user{id username}}fragment projectAnnotationConfigs on Project{id annotationConfigs(first:100){edges{node{...annotationConfig}}}}fragment annotationConfig on AnnotationConfig{__typename ...on CategoricalAnnotationConfig{id name description optimizationDirection values{label score}}...on ContinuousAnnotationConfig{id name description optimizationDirection lowerBound upperBound}...on FreeformAnnotationConfig{id name description optimizationDirection threshold lowerBound upperBound}}",
};

export type AnnotationsOfSessionData = { readonly viewer: { readonly id: string } | null; readonly node: { readonly __typename: 'ProjectSession'; readonly annotations: readonly ({ readonly id: string; readonly name: string; readonly annotatorKind: 'LLM' | 'HUMAN' | 'CODE'; readonly label: string | null; readonly score: number | null; readonly explanation: string | null; readonly source: 'API' | 'APP'; readonly identifier: string; readonly createdAt: string; readonly updatedAt: string; readonly user: { readonly id: string; readonly username: string } | null })[]; readonly project: { readonly id: string; readonly annotationConfigs: { readonly edges: readonly ({ readonly node: { readonly __typename: 'CategoricalAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly values: readonly ({ readonly label: string; readonly score: number | null })[] } | { readonly __typename: 'ContinuousAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly lowerBound: number | null; readonly upperBound: number | null } | { readonly __typename: 'FreeformAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly threshold: number | null; readonly lowerBound: number | null; readonly upperBound: number | null } })[] } } } | { readonly __typename: 'another' } };

export type AnnotationsOfSessionVariables = { readonly id: string };

export const annotationsOfSession: Operation<AnnotationsOfSessionData, AnnotationsOfSessionVariables> = {
  name: 'annotationsOfSession',
  text: "query annotationsOfSession($id:ID!){viewer{id}node(id:$id){__typename ...on ProjectSession{annotations:sessionAnnotations{...annotation}project{...projectAnnotationConfigs}}}}fragment annotation on Annotation{...on Node{id}name annotatorKind label score explanation source identifier createdAt updatedAt user{id username}}fragment projectAnnotationConfigs on Project{id annotationConfigs(first:100){edges{node{...annotationConfig}}}}fragment annotationConfig on AnnotationConfig{__typename ...on CategoricalAnnotationConfig{id name description optimizationDirection values{label score}}...on ContinuousAnnotationConfig{id name description optimizationDirection lowerBound upperBound}...on FreeformAnnotationConfig{id name description optimizationDirection threshold lowerBound upperBound}}",
};

export type AnnotationsOfDocumentsData = { readonly viewer: { readonly id: string } | null; readonly node: { readonly __typename: 'Span'; readonly annotations: readonly ({ readonly id: string; readonly name: string; readonly annotatorKind: 'LLM' | 'HUMAN' | 'CODE'; readonly label: string | null; readonly score: number | null; readonly explanation: string | null; readonly source: 'API' | 'APP'; readonly identifier: string; readonly createdAt: string; readonly updatedAt: string; readonly user: { readonly id: string; readonly username: string } | null; readonly documentPosition: number })[]; readonly metrics: readonly ({ readonly evaluationName: string; readonly ndcg: number | null; readonly precision: number | null; readonly hit: number | null; readonly reciprocalRank: number | null })[]; readonly project: { readonly id: string; readonly annotationConfigs: { readonly edges: readonly ({ readonly node: { readonly __typename: 'CategoricalAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly values: readonly ({ readonly label: string; readonly score: number | null })[] } | { readonly __typename: 'ContinuousAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly lowerBound: number | null; readonly upperBound: number | null } | { readonly __typename: 'FreeformAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly threshold: number | null; readonly lowerBound: number | null; readonly upperBound: number | null } })[] } } } | { readonly __typename: 'another' } };

export type AnnotationsOfDocumentsVariables = { readonly id: string };

export const annotationsOfDocuments: Operation<AnnotationsOfDocumentsData, AnnotationsOfDocumentsVariables> = {
  name: 'annotationsOfDocuments',
  text: "query annotationsOfDocuments($id:ID!){viewer{id}node(id:$id){__typename ...on Span{annotations:documentEvaluations{...annotation documentPosition}metrics:documentRetrievalMetrics{evaluationName ndcg precision hit reciprocalRank}project{...projectAnnotationConfigs}}}}fragment annotation on Annotation{...on Node{id}name annotatorKind label score explanation source identifier createdAt updatedAt user{id username}}fragment projectAnnotationConfigs on Project{id annotationConfigs(first:100){edges{node{...annotationConfig}}}}fragment annotationConfig on AnnotationConfig{__typename ...on CategoricalAnnotationConfig{id name description optimizationDirection values{label score}}...on ContinuousAnnotationConfig{id name description optimizationDirection lowerBound upperBound}...on FreeformAnnotationConfig{id name description optimizationDirection threshold lowerBound upperBound}}",
};

export type AllConfigsData = { readonly annotationConfigs: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string } })[] } };

export type AllConfigsVariables = Record<string, never>;

export const allConfigs: Operation<AllConfigsData, AllConfigsVariables> = {
  name: 'allConfigs',
  text: "query allConfigs{annotationConfigs(first:200){edges{node{...on Node{id}...on AnnotationConfigBase{name}}}}}",
};

export type AnnotatedByMeData = { readonly viewer: { readonly id: string } | null; readonly nodes: readonly ({ readonly __typename: 'Span'; readonly id: string; readonly annotations: readonly ({ readonly identifier: string; readonly user: { readonly id: string } | null })[] } | { readonly __typename: 'ProjectSession'; readonly id: string; readonly annotations: readonly ({ readonly identifier: string; readonly user: { readonly id: string } | null })[] } | { readonly __typename: 'Trace'; readonly id: string; readonly annotations: readonly ({ readonly identifier: string; readonly user: { readonly id: string } | null })[] } | { readonly __typename: 'another' })[] };

export type AnnotatedByMeVariables = { readonly ids: readonly (string)[] };

export const annotatedByMe: Operation<AnnotatedByMeData, AnnotatedByMeVariables> = {
  name: 'annotatedByMe',
  text: "query annotatedByMe($ids:[ID!]!){viewer{id}nodes(ids:$ids){__typename ...on Span{id annotations:spanAnnotations(filter:{include:{sources:[APP]}exclude:{names:[\"note\"]}}){...annotationAuthor}}...on Trace{id annotations:traceAnnotations(filter:{include:{sources:[APP]}exclude:{names:[\"note\"]}}){...annotationAuthor}}...on ProjectSession{id annotations:sessionAnnotations{...annotationAuthor}}}}fragment annotationAuthor on Annotation{identifier user{id}}",
};

export type CreateConfigData = { readonly createAnnotationConfig: { readonly annotationConfig: { readonly id: string } } };

export type CreateConfigVariables = { readonly input: { readonly annotationConfig: { readonly categorical?: { readonly name: string; readonly description?: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly values: readonly ({ readonly label: string; readonly score?: number | null })[] } | null; readonly continuous?: { readonly name: string; readonly description?: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly lowerBound?: number | null; readonly upperBound?: number | null } | null; readonly freeform?: { readonly name: string; readonly description?: string | null; readonly optimizationDirection?: 'MINIMIZE' | 'MAXIMIZE' | 'NONE' | null; readonly threshold?: number | null; readonly lowerBound?: number | null; readonly upperBound?: number | null } | null } } };

export const createConfig: Operation<CreateConfigData, CreateConfigVariables> = {
  name: 'createConfig',
  text: "mutation createConfig($input:CreateAnnotationConfigInput!){createAnnotationConfig(input:$input){annotationConfig{...on Node{id}}}}",
  access: 'member',
};

export type ChangeConfigData = { readonly updateAnnotationConfig: { readonly annotationConfig: { readonly id: string } } };

export type ChangeConfigVariables = { readonly input: { readonly id: string; readonly annotationConfig: { readonly categorical?: { readonly name: string; readonly description?: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly values: readonly ({ readonly label: string; readonly score?: number | null })[] } | null; readonly continuous?: { readonly name: string; readonly description?: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly lowerBound?: number | null; readonly upperBound?: number | null } | null; readonly freeform?: { readonly name: string; readonly description?: string | null; readonly optimizationDirection?: 'MINIMIZE' | 'MAXIMIZE' | 'NONE' | null; readonly threshold?: number | null; readonly lowerBound?: number | null; readonly upperBound?: number | null } | null } } };

export const changeConfig: Operation<ChangeConfigData, ChangeConfigVariables> = {
  name: 'changeConfig',
  text: "mutation changeConfig($input:UpdateAnnotationConfigInput!){updateAnnotationConfig(input:$input){annotationConfig{...on Node{id}}}}",
  access: 'member',
};

export type AttachConfigData = { readonly addAnnotationConfigToProject: { readonly __typename: 'AddAnnotationConfigToProjectPayload' } };

export type AttachConfigVariables = { readonly projectId: string; readonly annotationConfigId: string };

export const attachConfig: Operation<AttachConfigData, AttachConfigVariables> = {
  name: 'attachConfig',
  text: "mutation attachConfig($projectId:ID!$annotationConfigId:ID!){addAnnotationConfigToProject(input:[{projectId:$projectId annotationConfigId:$annotationConfigId}]){__typename}}",
  access: 'member',
};

export type AddSpanAnnotationData = { readonly added: { readonly annotations: readonly ({ readonly id: string })[] } };

export type AddSpanAnnotationVariables = { readonly input: { readonly spanId: string; readonly name: string; readonly annotatorKind: 'LLM' | 'HUMAN' | 'CODE'; readonly label?: string | null; readonly score?: number | null; readonly explanation?: string | null; readonly metadata: unknown; readonly source: 'API' | 'APP'; readonly identifier?: string | null } };

export const addSpanAnnotation: Operation<AddSpanAnnotationData, AddSpanAnnotationVariables> = {
  name: 'addSpanAnnotation',
  text: "mutation addSpanAnnotation($input:CreateSpanAnnotationInput!){added:createSpanAnnotations(input:[$input]){annotations:spanAnnotations{id}}}",
  access: 'member',
};

export type ChangeSpanAnnotationData = { readonly patchSpanAnnotations: { readonly __typename: 'SpanAnnotationMutationPayload' } };

export type ChangeSpanAnnotationVariables = { readonly input: { readonly annotationId: string; readonly name?: string | null; readonly annotatorKind?: 'LLM' | 'HUMAN' | 'CODE' | null; readonly label?: string | null; readonly score?: number | null; readonly explanation?: string | null; readonly metadata?: unknown | null; readonly identifier?: string | null; readonly source?: 'API' | 'APP' | null } };

export const changeSpanAnnotation: Operation<ChangeSpanAnnotationData, ChangeSpanAnnotationVariables> = {
  name: 'changeSpanAnnotation',
  text: "mutation changeSpanAnnotation($input:PatchAnnotationInput!){patchSpanAnnotations(input:[$input]){__typename}}",
  access: 'member',
};

export type RemoveSpanAnnotationData = { readonly deleteSpanAnnotations: { readonly __typename: 'SpanAnnotationMutationPayload' } };

export type RemoveSpanAnnotationVariables = { readonly id: string };

export const removeSpanAnnotation: Operation<RemoveSpanAnnotationData, RemoveSpanAnnotationVariables> = {
  name: 'removeSpanAnnotation',
  text: "mutation removeSpanAnnotation($id:ID!){deleteSpanAnnotations(input:{annotationIds:[$id]}){__typename}}",
  access: 'member',
};

export type AddSpanNoteData = { readonly createSpanNote: { readonly __typename: 'SpanAnnotationMutationPayload' } };

export type AddSpanNoteVariables = { readonly id: string; readonly note: string };

export const addSpanNote: Operation<AddSpanNoteData, AddSpanNoteVariables> = {
  name: 'addSpanNote',
  text: "mutation addSpanNote($id:ID!$note:String!){createSpanNote(annotationInput:{spanId:$id note:$note}){__typename}}",
  access: 'member',
};

export type AddTraceAnnotationData = { readonly added: { readonly annotations: readonly ({ readonly id: string })[] } };

export type AddTraceAnnotationVariables = { readonly input: { readonly traceId: string; readonly name: string; readonly annotatorKind: 'LLM' | 'HUMAN' | 'CODE'; readonly label?: string | null; readonly score?: number | null; readonly explanation?: string | null; readonly metadata: unknown; readonly source: 'API' | 'APP'; readonly identifier?: string | null } };

export const addTraceAnnotation: Operation<AddTraceAnnotationData, AddTraceAnnotationVariables> = {
  name: 'addTraceAnnotation',
  text: "mutation addTraceAnnotation($input:CreateTraceAnnotationInput!){added:createTraceAnnotations(input:[$input]){annotations:traceAnnotations{id}}}",
  access: 'member',
};

export type ChangeTraceAnnotationData = { readonly patchTraceAnnotations: { readonly __typename: 'TraceAnnotationMutationPayload' } };

export type ChangeTraceAnnotationVariables = { readonly input: { readonly annotationId: string; readonly name?: string | null; readonly annotatorKind?: 'LLM' | 'HUMAN' | 'CODE' | null; readonly label?: string | null; readonly score?: number | null; readonly explanation?: string | null; readonly metadata?: unknown | null; readonly identifier?: string | null; readonly source?: 'API' | 'APP' | null } };

export const changeTraceAnnotation: Operation<ChangeTraceAnnotationData, ChangeTraceAnnotationVariables> = {
  name: 'changeTraceAnnotation',
  text: "mutation changeTraceAnnotation($input:PatchAnnotationInput!){patchTraceAnnotations(input:[$input]){__typename}}",
  access: 'member',
};

export type RemoveTraceAnnotationData = { readonly deleteTraceAnnotations: { readonly __typename: 'TraceAnnotationMutationPayload' } };

export type RemoveTraceAnnotationVariables = { readonly id: string };

export const removeTraceAnnotation: Operation<RemoveTraceAnnotationData, RemoveTraceAnnotationVariables> = {
  name: 'removeTraceAnnotation',
  text: "mutation removeTraceAnnotation($id:ID!){deleteTraceAnnotations(input:{annotationIds:[$id]}){__typename}}",
  access: 'member',
};

export type AddTraceNoteData = { readonly createTraceNote: { readonly __typename: 'TraceAnnotationMutationPayload' } };

export type AddTraceNoteVariables = { readonly id: string; readonly note: string };

export const addTraceNote: Operation<AddTraceNoteData, AddTraceNoteVariables> = {
  name: 'addTraceNote',
  text: "mutation addTraceNote($id:ID!$note:String!){createTraceNote(annotationInput:{traceId:$id note:$note}){__typename}}",
  access: 'member',
};

export type AddSessionAnnotationData = { readonly added: { readonly annotation: { readonly id: string } } };

export type AddSessionAnnotationVariables = { readonly input: { readonly projectSessionId: string; readonly name: string; readonly annotatorKind?: 'LLM' | 'HUMAN' | 'CODE'; readonly label?: string | null; readonly score?: number | null; readonly explanation?: string | null; readonly metadata: unknown; readonly source?: 'API' | 'APP'; readonly identifier?: string | null } };

export const addSessionAnnotation: Operation<AddSessionAnnotationData, AddSessionAnnotationVariables> = {
  name: 'addSessionAnnotation',
  text: "mutation addSessionAnnotation($input:CreateProjectSessionAnnotationInput!){added:createProjectSessionAnnotations(input:$input){annotation:projectSessionAnnotation{id}}}",
  access: 'member',
};

export type ChangeSessionAnnotationData = { readonly updateProjectSessionAnnotations: { readonly __typename: 'ProjectSessionAnnotationMutationPayload' } };

export type ChangeSessionAnnotationVariables = { readonly input: { readonly id: string; readonly name: string; readonly annotatorKind?: 'LLM' | 'HUMAN' | 'CODE'; readonly label?: string | null; readonly score?: number | null; readonly explanation?: string | null; readonly metadata: unknown; readonly source?: 'API' | 'APP' } };

export const changeSessionAnnotation: Operation<ChangeSessionAnnotationData, ChangeSessionAnnotationVariables> = {
  name: 'changeSessionAnnotation',
  text: "mutation changeSessionAnnotation($input:UpdateAnnotationInput!){updateProjectSessionAnnotations(input:$input){__typename}}",
  access: 'member',
};

export type RemoveSessionAnnotationData = { readonly deleteProjectSessionAnnotation: { readonly __typename: 'ProjectSessionAnnotationMutationPayload' } };

export type RemoveSessionAnnotationVariables = { readonly id: string };

export const removeSessionAnnotation: Operation<RemoveSessionAnnotationData, RemoveSessionAnnotationVariables> = {
  name: 'removeSessionAnnotation',
  text: "mutation removeSessionAnnotation($id:ID!){deleteProjectSessionAnnotation(id:$id){__typename}}",
  access: 'member',
};

export type AddSessionNoteData = { readonly createProjectSessionNote: { readonly __typename: 'ProjectSessionAnnotationMutationPayload' } };

export type AddSessionNoteVariables = { readonly id: string; readonly note: string };

export const addSessionNote: Operation<AddSessionNoteData, AddSessionNoteVariables> = {
  name: 'addSessionNote',
  text: "mutation addSessionNote($id:ID!$note:String!){createProjectSessionNote(annotationInput:{projectSessionId:$id note:$note}){__typename}}",
  access: 'member',
};

export type AddDocumentAnnotationData = { readonly added: { readonly annotations: readonly ({ readonly id: string })[] } };

export type AddDocumentAnnotationVariables = { readonly input: { readonly spanId: string; readonly documentPosition: number; readonly name: string; readonly annotatorKind: 'LLM' | 'HUMAN' | 'CODE'; readonly label?: string | null; readonly score?: number | null; readonly explanation?: string | null; readonly metadata: unknown; readonly source: 'API' | 'APP'; readonly identifier?: string | null } };

export const addDocumentAnnotation: Operation<AddDocumentAnnotationData, AddDocumentAnnotationVariables> = {
  name: 'addDocumentAnnotation',
  text: "mutation addDocumentAnnotation($input:CreateDocumentAnnotationInput!){added:createDocumentAnnotations(input:[$input]){annotations:documentAnnotations{id}}}",
  access: 'member',
};

export type ChangeDocumentAnnotationData = { readonly patchDocumentAnnotations: { readonly __typename: 'DocumentAnnotationMutationPayload' } };

export type ChangeDocumentAnnotationVariables = { readonly input: { readonly annotationId: string; readonly name?: string | null; readonly annotatorKind?: 'LLM' | 'HUMAN' | 'CODE' | null; readonly label?: string | null; readonly score?: number | null; readonly explanation?: string | null; readonly metadata?: unknown | null; readonly identifier?: string | null; readonly source?: 'API' | 'APP' | null } };

export const changeDocumentAnnotation: Operation<ChangeDocumentAnnotationData, ChangeDocumentAnnotationVariables> = {
  name: 'changeDocumentAnnotation',
  text: "mutation changeDocumentAnnotation($input:PatchAnnotationInput!){patchDocumentAnnotations(input:[$input]){__typename}}",
  access: 'member',
};

export type RemoveDocumentAnnotationData = { readonly deleteDocumentAnnotations: { readonly __typename: 'DocumentAnnotationMutationPayload' } };

export type RemoveDocumentAnnotationVariables = { readonly id: string };

export const removeDocumentAnnotation: Operation<RemoveDocumentAnnotationData, RemoveDocumentAnnotationVariables> = {
  name: 'removeDocumentAnnotation',
  text: "mutation removeDocumentAnnotation($id:ID!){deleteDocumentAnnotations(input:{annotationIds:[$id]}){__typename}}",
  access: 'member',
};
